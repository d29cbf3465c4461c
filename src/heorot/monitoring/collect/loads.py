"""The activity of a node between its samples: rates from counters, and steps of its clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heorot.monitoring.collect.samples import Group, NodeSamples, Segment
from heorot.monitoring.model import Floats, NodeLoad, joined

_KIB = 1024.0
# Drift of a clock between two samples that does not count as a step [s].
_STEP_SECONDS = 0.1


@dataclass(frozen=True)
class Spent:
    """Resources used by a group in an interval.

    Attributes:
        kind: `j` a job, `u` a user, `k` the kernel.
        busy: busy CPUs.
        memory: at its end [B].
        n: processes at its end.
        read, written: in the interval [B].
    """

    kind: str
    name: str
    interval: int
    busy: float
    memory: float
    n: float
    read: float
    written: float


class _Rates:
    """One segment of samples as columns over its intervals."""

    def __init__(self, segment: Segment, first_interval: int) -> None:
        self._columns = {name: i for i, name in enumerate(segment.columns)}
        self._table = segment.table()
        self.n = len(self._table) - 1
        self.ticks = segment.fact("ticks", 1.0, 100.0)
        self.page = segment.fact("page", 1.0, 4096.0)
        self.seconds = np.diff(self._table[:, self._columns["clock"]])
        self.spent = list(_spent(segment, self.seconds, self.ticks, self.page, first_interval))
        self.first_interval = first_interval

    @property
    def offsets(self) -> Floats:
        """Unix time minus the monotonic clock, of each sample [s]."""
        difference: Floats = (
            self._table[:, self._columns["time"]] - self._table[:, self._columns["clock"]]
        )
        return difference

    @property
    def clock(self) -> Floats:
        """The monotonic clock at the end of each interval [s]."""
        clock: Floats = self._table[1:, self._columns["clock"]]
        return clock

    def state(self, name: str, scale: float = 1.0) -> Floats:
        """The value of a column at the end of each interval."""
        if name not in self._columns:
            return np.full(self.n, np.nan)
        state: Floats = self._table[1:, self._columns[name]] * scale
        return state

    def grown(self, name: str) -> Floats:
        """The increase of a counter in each interval; NaN after a reset."""
        if name not in self._columns:
            return np.full(self.n, np.nan)
        grown = np.diff(self._table[:, self._columns[name]])
        return np.where(grown < 0, np.nan, grown)

    def rate(self, name: str, scale: float = 1.0) -> Floats:
        """The increase per second."""
        rate: Floats = self.grown(name) * scale / self.seconds
        return rate

    def summed(self, counter: str) -> Floats:
        """The increase of a counter over all adapters, without counting bytes twice."""
        names = [name for name in self._columns if name.startswith(f"{counter}:")]
        if any("/" in name for name in names):
            # An interface on top of such a port repeats the port's counters.
            # Adapters may be called `ibp65s0`, too: their ports have a number behind a slash.
            names = [name for name in names if "/" in name or not name.startswith(f"{counter}:ib")]
        if not names:
            return np.full(self.n, np.nan)
        total: Floats = np.sum([self.grown(name) for name in names], axis=0)
        return total

    def cores(self) -> Floats:
        """Busy share of each CPU in each interval, shape (n, cpus)."""
        names = [name for name in self._columns if name.startswith("busy:")]
        if not names:
            return np.empty((self.n, 0))
        return np.stack([self.rate(name, 1.0 / self.ticks) for name in names], axis=1)

    def over_groups(self, what: str) -> Floats:
        """A sum over all groups of processes."""
        total = np.zeros(self.n)
        for spent in self.spent:
            total[spent.interval - self.first_interval] += getattr(spent, what)
        return total


def _spent(
    segment: Segment, seconds: Floats, ticks: float, page: float, first: int
) -> Iterator[Spent]:
    """Resources used by each group in each interval.

    The resources of a new group are attributed to the interval of its first sample, except in the
    first sample of all.
    """
    last: dict[tuple[str, str], Group] = {}
    for sample, groups in enumerate(segment.groups):
        for group in groups:
            before = last.get((group.kind, group.name))
            last[group.kind, group.name] = group
            if sample == 0:
                continue
            grown = [
                max(0.0, now - was)
                for now, was in zip(
                    (group.ticks, group.read, group.written),
                    (before.ticks, before.read, before.written) if before else (0.0, 0.0, 0.0),
                    strict=True,
                )
            ]
            yield Spent(
                group.kind,
                group.name,
                first + sample - 1,
                grown[0] / ticks / float(seconds[sample - 1]),
                group.pages * page,
                group.n,
                *grown[1:],
            )


def load_of(name: str, samples: NodeSamples) -> tuple[NodeLoad, list[Spent]]:
    """The activity of a node, and its groups of processes.

    Args:
        samples: at least one segment must have two samples.
    """
    parts: list[_Rates] = []
    for segment in samples.segments:
        if len(segment.rows) > 1:
            parts.append(_Rates(segment, sum(part.n for part in parts)))
    last = samples.segments[-1]
    contained = last.facts.get("contained") == "1"
    cores = _side_by_side([part.cores() for part in parts])
    cpus = int(last.fact("allowed", 1.0, 1.0)) if contained else max(1, cores.shape[1])
    times, steps = _times(parts)
    columns: dict[str, Any] = dict(_columns(parts, contained=contained))
    load = NodeLoad(
        name=name,
        cpus=cpus,
        contained=contained,
        interval_seconds=last.fact("interval", 1e-3, 1.0),
        ending=samples.ending,
        times=times,
        seconds=joined([part.seconds for part in parts]),
        **columns,
        memory_bytes=float(parts[-1].state("mem_total_kib", _KIB)[-1]),
        cores=cores[:, :0] if contained else cores,
        clock_steps=steps,
    )
    return load, [spent for part in parts for spent in part.spent]


def _columns(parts: Sequence[_Rates], *, contained: bool) -> dict[str, Floats]:
    """The columns of a node by their names in `NodeLoad`."""

    def of_part(part: _Rates) -> dict[str, Floats]:
        tick = 1.0 / part.ticks
        busy = part.rate("user", tick) + part.rate("system", tick)
        memory = part.state("mem_total_kib", _KIB) - part.state("mem_available_kib", _KIB)
        return {
            "busy": part.over_groups("busy") if contained else busy,
            "stolen": part.rate("steal", tick),
            "waiting": part.rate("io_wait", tick),
            "load": part.state("load_1"),
            "memory": part.over_groups("memory") if contained else memory,
            "swap": part.state("swap_total_kib", _KIB) - part.state("swap_free_kib", _KIB),
            "paged": part.rate("paged_in_kib", _KIB) + part.rate("paged_out_kib", _KIB),
            "swapped": part.rate("swapped_in_pages", part.page)
            + part.rate("swapped_out_pages", part.page),
            "kills": part.grown("out_of_memory_kills"),
            "received": part.summed("rx_bytes") / part.seconds,
            "sent": part.summed("tx_bytes") / part.seconds,
            "errors": part.summed("rx_errors") + part.summed("tx_errors"),
            "drops": part.summed("rx_drops") + part.summed("tx_drops"),
            "read": part.rate("disk_read_bytes"),
            "written": part.rate("disk_written_bytes"),
            "own": part.rate("own_seconds"),
        }

    by_part = [of_part(part) for part in parts]
    return {name: joined([each[name] for each in by_part]) for name in by_part[0]}


def _times(parts: Sequence[_Rates]) -> tuple[Floats, tuple[tuple[float, float], ...]]:
    """End of each interval by the clock valid for most of its segment; and clock steps [s]."""
    times: list[Floats] = []
    steps: list[tuple[float, float]] = []
    for part in parts:
        offsets = part.offsets
        times.append(part.clock + float(np.median(offsets)))
        steps += [
            (float(times[-1][i]), float(offsets[i + 1] - offsets[i]))
            for i in np.flatnonzero(np.abs(np.diff(offsets)) > _STEP_SECONDS)
        ]
    return joined(times), tuple(steps)


def _side_by_side(tables: Sequence[Floats]) -> Floats:
    """Concatenated tables; missing columns are filled with NaN."""
    width = max(table.shape[1] for table in tables)
    return np.concatenate(
        [
            np.pad(table, ((0, 0), (0, width - table.shape[1])), constant_values=np.nan)
            for table in tables
        ]
    )
