"""Tests made by a small scheduler: the published schedule, and tests of many jobs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.analyse.side_by_side import EndedTest, compare_tests
from heorot.throughput.model.kinds import JobKind, JobsFile, Part
from heorot.throughput.model.throughput import PartEnd, Response, ThroughputJob, ThroughputTest
from heorot.throughput.report.compared_page import write_compared
from heorot.throughput.report.throughput_page import write_throughput
from tests.unit.throughput.analyse.synthetic_tests import make_throughput, ran

SCHEDULE = (
    *((0, 4, "rboltz"), (0, 2, "primmod"), (0, 1, "adf"), (10, 1, "vasp"), (10, 1, "euroben")),
    *((100, 1, "maya5"), (300, 3, "rboltz"), (900, 2, "euroben"), (900, 2, "maya5")),
    *((900, 1, "vasp"), (900, 4, "primmod"), (1800, 1, "euroben"), (1800, 4, "rboltz")),
    *((2400, 1, "euroben"), (2700, 2, "primmod"), (2700, 3, "rboltz")),
)
"""Seconds, copies and name of a published schedule of 33 jobs on 16 processors."""

SIZES = {"rboltz": 4, "primmod": 8, "adf": 16, "vasp": 8, "euroben": 8, "maya5": 6}
TIMES = {
    "rboltz": 250.0,
    "primmod": 420.0,
    "adf": 600.0,
    "vasp": 350.0,
    "euroben": 700.0,
    "maya5": 500.0,
}
PARTS = ("mod1h", "mod1i", "mod1j")


def published_throughput(*, lost: bool = True) -> ThroughputTest:
    """The published schedule on eight nodes of two processors; optionally one job never ran."""
    wanted = [(float(t), name) for t, copies, name in SCHEDULE for _ in range(copies)]
    sizes = [(SIZES[name] + 1) // 2 for _, name in wanted]
    generator = np.random.default_rng(4)
    factors = generator.uniform(1.0, 1.25, len(wanted))
    runs = [TIMES[name] * factor for (_, name), factor in zip(wanted, factors, strict=True)]
    absent = {14} if lost else set()
    starts, places = _pack([t for t, _ in wanted], runs, sizes, 8, absent)
    jobs = []
    for i, (submit, name) in enumerate(wanted):
        extra: dict[str, Any] = {"nodes": sizes[i], "cores": SIZES[name], "code": 0}
        extra |= {"submit_seconds": 0.02, "hosts": tuple(f"n{p}" for p in places[i])}
        if name == "euroben":
            extra["parts"] = _parts(starts[i], runs[i])
        if i == 20:
            extra |= {"fate": "failed", "code": 1, "why": "its program exited with 1"}
        job = ran(i + 1, name, submit, starts[i], starts[i] + runs[i], **extra)
        jobs.append(_vanished(job) if i in absent else job)
    alone = {name: (t, 1.01 * t, 0.99 * t) for name, t in TIMES.items()}
    responses = [
        Response(
            name="ls", started=1.0, seconds=0.05 + 0.01 * i + 0.3 * loaded, code=0, loaded=loaded
        )
        for loaded in (False, True)
        for i in range(20)
    ]
    facts = {
        "name": "published",
        "cores_per_node": 2,
        "policy": {"partition": "all: 8 nodes, no limit", "scheduler": "sched/backfill"},
        "command": ("heorot", "throughput", "schedule.txt"),
    }
    return make_throughput(jobs, n_nodes=8, alone=alone, responses=tuple(responses), facts=facts)


def many_jobs(n: int) -> ThroughputTest:
    """Jobs of twelve classes on 32 nodes of four cores, one in fifty of which failed."""
    generator = np.random.default_rng(5)
    runs = generator.lognormal(4.0, 1.0, n)
    sizes = np.minimum(32, 2 ** generator.integers(0, 5, n))
    length = float(np.sum(runs * sizes)) / 32 / 0.9
    submits = np.sort(generator.uniform(0.0, length, n)).tolist()
    kinds = generator.integers(0, 12, n)
    starts, places = _pack(submits, runs.tolist(), sizes.tolist(), 32, set())
    jobs = [
        ran(
            i + 1,
            f"code{kinds[i]}",
            submits[i],
            starts[i],
            starts[i] + runs[i],
            nodes=int(sizes[i]),
            cores=4 * int(sizes[i]),
            hosts=tuple(f"n{p}" for p in places[i]),
            fate="failed" if i % 50 == 7 else "ok",
        )
        for i in range(n)
    ]
    alone = {f"code{k}": (50.0, 60.0, 55.0) for k in range(12)}
    return make_throughput(
        jobs, n_nodes=32, alone=alone, facts={"name": "many", "cores_per_node": 4}
    )


def _parts(start: float, run: float) -> tuple[PartEnd, ...]:
    share = run / len(PARTS)
    return tuple(
        PartEnd(
            name=name,
            started=start + i * share,
            ended=start + (i + 1) * share,
            code=0,
            fate="ok",
            seconds=share,
        )
        for i, name in enumerate(PARTS)
    )


def _vanished(job: ThroughputJob) -> ThroughputJob:
    never = ("own_start", "own_end", "application_start", "application_end")
    why = "the batch system does not know it"
    return job.model_copy(
        update={**dict.fromkeys(never), "fate": "vanished", "hosts": (), "why": why}
    )


def _pack(
    submits: list[float], runs: list[float], sizes: list[int], n_nodes: int, absent: set[int]
) -> tuple[list[float], list[list[int]]]:
    """First come, first served: each job starts when the first of its nodes are free."""
    free = np.zeros(n_nodes)
    starts, places = [], []
    for i, (submit, run, size) in enumerate(zip(submits, runs, sizes, strict=True)):
        chosen = np.argsort(free, kind="stable")[:size]
        start = max(submit, float(free[chosen].max()))
        if i not in absent:
            free[chosen] = start + run + 0.5
        starts.append(start)
        places.append(sorted(chosen.tolist()))
    return starts, places


def write_side_by_side(n: int, path: Path) -> None:
    """The page of a number of systems, each with the published schedule."""
    test = published_throughput(lost=False)
    kinds = JobsFile(jobs={"a": JobKind(parts=(Part(command=("true",)),))})
    systems = [[EndedTest(f"<s{i}>", test, analyse_throughput(test), (), kinds)] for i in range(n)]
    courses = [(own[0].analysis.timeline, own[0].analysis.measures) for own in systems]
    write_compared(compare_tests(systems), courses, path)


def page_of(test: ThroughputTest, path: Path, **arguments: Any) -> str:
    """The text of the page of a test."""
    write_throughput(test, analyse_throughput(test), path / "test.html", **arguments)
    return (path / "test.html").read_text(encoding="utf-8")
