"""Input and output files of the simulator's native core; see `native/scheduler/file.hpp`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
import numpy.typing as npt

from heorot.errors import BuildError
from heorot.suggestion import suggest
from heorot.throughput.model.timeline import Integers
from heorot.throughput.simulate.demand import MICROSECONDS, NATIVE
from heorot.throughput.simulate.setting import Allocation, Backfill, Order, Setting

NEVER = (1 << 63) - 1
"""Start of a job that never starts [us]."""

_HEAD = np.dtype(
    [
        ("mark", "S8"),
        ("n_jobs", "<u8"),
        ("n_nodes", "<i4"),
        ("cores_per_node", "<i4"),
        ("ports_per_node", "<i4"),
        ("most_reservations", "<i4"),
        ("order", "<u4"),
        ("backfill", "<u4"),
        ("allocation", "<u4"),
        ("wants_places", "<u4"),
        ("n_blocks", "<u4"),
        ("unused", "<u4"),
        ("ageing", "<f8"),
        ("share_weight", "<f8"),
        ("half_life", "<f8"),
    ]
)
_BLOCK = np.dtype([("from", "<i8"), ("to", "<i8"), ("nodes", "<i4"), ("unused", "<i4")])
_OUTCOME = np.dtype([("mark", "S8"), ("n_jobs", "<u8"), ("n_intervals", "<u8")])
_HOUR = 3600.0
_ALL_RESERVED = (1 << 31) - 1


def write_workload(jobs: npt.NDArray[np.void], setting: Setting, path: Path) -> None:
    """Write the input of the core.

    Args:
        jobs: type `NATIVE`, by submission.
    """
    head = np.zeros(1, dtype=_HEAD)
    head["mark"] = b"HEOROTJ2"
    head["n_jobs"] = jobs.size
    head["n_nodes"] = setting.n_nodes
    head["cores_per_node"] = setting.cores_per_node
    head["ports_per_node"] = setting.ports_per_node
    head["most_reservations"] = setting.most_reservations or _ALL_RESERVED
    head["order"] = get_args(Order).index(setting.policy.order)
    head["backfill"] = get_args(Backfill).index(setting.policy.backfill)
    head["allocation"] = get_args(Allocation).index(setting.allocation)
    head["wants_places"] = setting.places
    head["n_blocks"] = len(setting.reservations)
    head["ageing"] = setting.ageing_per_hour / _HOUR
    head["share_weight"] = setting.share_weight
    head["half_life"] = setting.half_life_seconds
    blocks = np.zeros(len(setting.reservations), dtype=_BLOCK)
    for block, each in zip(
        blocks, sorted(setting.reservations, key=lambda each: each.begin), strict=True
    ):
        block["from"] = round(each.begin * MICROSECONDS)
        block["to"] = round(each.end * MICROSECONDS)
        block["nodes"] = each.nodes
    with path.open("wb") as file:
        for part in (head, blocks, jobs.astype(NATIVE, copy=False)):
            file.write(part.data if part.size else b"")


@dataclass(frozen=True, eq=False)
class CoreOutcome:
    """The output of the core.

    Attributes:
        submit: submission of each job [us], shape (m,); `NEVER` if its preceding job never ended.
        start: start of each [us]; `NEVER` if it did not start.
        places: node numbers, job after job; empty if not requested.
        offsets: shape (m + 1,); empty if not requested.
    """

    submit: Integers
    start: Integers
    places: Integers
    offsets: Integers


def read_outcome(path: Path, n_jobs: int, *, places: bool) -> CoreOutcome:
    """Read the output of the core.

    Args:
        places: whether node numbers were requested.

    Raises:
        BuildError: its length is wrong.
    """
    content = path.read_bytes()
    head = np.frombuffer(content, dtype=_OUTCOME, count=min(1, len(content) // _OUTCOME.itemsize))
    n_intervals = int(head["n_intervals"][0]) if head.size else 0
    offsets = (n_jobs + 1 if places else 0, "<u8")
    parts = ((n_jobs, "<i8"), (n_jobs, "<i8"), offsets, (2 * n_intervals, "<i4"))
    expected = _OUTCOME.itemsize + sum(n * np.dtype(kind).itemsize for n, kind in parts)
    if len(content) != expected or int(head["n_jobs"][0]) != n_jobs:
        raise BuildError(
            f"the simulator left {len(content)} B of {expected}",
            f"free some disk space in {path.parent}; {suggest('doctor')} shows the compilers found",
        )
    arrays, begin = [], _OUTCOME.itemsize
    for n, kind in parts:
        arrays.append(np.frombuffer(content, dtype=kind, count=n, offset=begin))
        begin += n * np.dtype(kind).itemsize
    submit, start, ends, intervals = arrays
    return CoreOutcome(submit, start, *_nodes(intervals.reshape(-1, 2), ends.astype(np.int64)))


def _nodes(intervals: Integers, offsets: Integers) -> tuple[Integers, Integers]:
    """Node numbers of intervals of adjacent nodes, and the begin of each job's."""
    if not offsets.size:
        return np.empty(0, dtype=np.int64), offsets
    first, lengths = intervals[:, 0].astype(np.int64), intervals[:, 1].astype(np.int64)
    ends = np.concatenate(([0], np.cumsum(lengths)))
    nodes = np.arange(ends[-1]) - np.repeat(ends[:-1] - first, lengths)
    return nodes, ends[offsets]
