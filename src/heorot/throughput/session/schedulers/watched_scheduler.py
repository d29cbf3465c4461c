"""Watches other users of the nodes, with every query of the queue while jobs are followed.

Of jobs of other users, ids, nodes and cores are stored; names only of Heorot's own jobs, since
names of other users' work do not belong in a report.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path

from pydantic import Field

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import UsageError
from heorot.jobs.facts import read_facts
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.occupants import occupants
from heorot.launch.target import ExecutionTarget
from heorot.model.base import Count, Record, UnixTime
from heorot.store.documents import read_lines
from heorot.throughput.model.throughput import Hold, Occupancy
from heorot.throughput.session.schedulers.scheduler import Change, Scheduler
from heorot.throughput.session.work import Work
from heorot.writing import append

FILE = "others.jsonl"
_INTERVAL_SECONDS = 2.0
# An observation holds until the next answer, but no longer than this [s].
_MOST_SECONDS = 30.0
_MOST_NAMED = 3
_AWAY = frozenset({"down", "drained"})
_TAKEN = frozenset({"allocated", "mixed"})


class SeenJob(Record):
    """A job with nodes: its id, its name if given by Heorot, cores by node."""

    id: str
    name: str = ""
    cores: dict[str, Count] = Field(default_factory=dict)


class Observation(Record):
    """One answer of the queue; a line of the file.

    Attributes:
        time: Unix time [s].
        answered: whether there was an answer.
        jobs: with nodes, those of this test included; None: as in the line before.
        states: of nodes that are not idle, by name; None likewise.
        cores: of nodes, by name, as reported; None likewise.
    """

    time: UnixTime
    answered: bool = True
    jobs: tuple[SeenJob, ...] | None = None
    states: dict[str, str] | None = None
    cores: dict[str, Count] | None = None


class WatchedScheduler:
    """A scheduler that also watches other users of the nodes.

    Args:
        file: receives the observations.
    """

    def __init__(
        self, scheduler: Scheduler, client: BatchClient, file: Path, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self._scheduler, self._client, self._file, self._clock = scheduler, client, file, clock
        self._asked = -math.inf
        self._last: Observation | None = None

    def submit(self, work: Work) -> None:
        self._scheduler.submit(work)

    def poll(self) -> list[Change]:
        if self._clock.monotonic() - self._asked >= _INTERVAL_SECONDS:
            self.watch()
        return self._scheduler.poll()

    def watch(self) -> None:
        self._note(self._ask())
        self._asked = self._clock.monotonic()

    def cancel_all(self) -> None:
        self._scheduler.cancel_all()

    def _ask(self) -> Observation:
        dialect = self._client.dialect
        nodes = self._client.ask(dialect.nodes())
        jobs = self._client.ask(occupants(dialect))
        now = self._clock.time()
        if jobs is None:
            return Observation(time=now, answered=False)
        return Observation(
            time=now,
            jobs=tuple(
                SeenJob(id=job.id, name=job.name if job.is_of_heorot else "", cores=dict(job.cores))
                for job in sorted(jobs, key=lambda job: job.id)
            ),
            states={node.name: node.state for node in nodes if node.state != "idle"},
            cores={node.name: node.cores for node in nodes if node.cores},
        )

    def _note(self, look: Observation) -> None:
        line, last = look, self._last
        if last is not None and look.answered:
            same = {
                name: None
                for name in ("jobs", "states", "cores")
                if getattr(look, name) == getattr(last, name)
            }
            line = look.model_copy(update=same)
        if look.answered:
            self._last = look
        with suppress(OSError):  # on a full disk the gap is reported as not watched
            append(self._file, line.model_dump_json(exclude_none=True) + "\n")


def watched_scheduler(scheduler: Scheduler, target: ExecutionTarget, directory: Path) -> Scheduler:
    """A scheduler that watches other users of the nodes, if a batch system allocates these."""
    return (
        WatchedScheduler(scheduler, target.client, directory / FILE) if target.client else scheduler
    )


@contextmanager
def watching(scheduler: Scheduler) -> Iterator[None]:
    """Observe at the begin and at the end of the load, too."""
    watch = scheduler.watch if isinstance(scheduler, WatchedScheduler) else None
    if watch:
        watch()
    yield
    if watch:
        watch()


def require_no_other(target: ExecutionTarget, ours: Iterable[str]) -> None:
    """Refuse to start next to jobs of another run of Heorot: each would perturb the other.

    Args:
        ours: names of the jobs of this test, if it is resumed.

    Raises:
        UsageError: the queue has such jobs.
    """
    if target.client is None:
        return
    jobs = target.client.ask(occupants(target.client.dialect, waiting=True))
    own = set(ours)
    strange = [job for job in jobs or () if job.is_of_heorot and job.name not in own]
    if strange:
        named = ", ".join(f"{job.id} ({job.name})" for job in strange[:_MOST_NAMED])
        more = f" and {len(strange) - _MOST_NAMED} more" if len(strange) > _MOST_NAMED else ""
        raise UsageError(
            f"jobs of another run of Heorot are in the queue: {named}{more}; each would perturb "
            "the other",
            "wait for its end, end it with heorot stop, or add --anyway",
        )


def job_names(directory: Path) -> set[str]:
    """Names of the jobs of a test in the queue, earlier attempts included."""
    names: set[str] = set()
    for file in directory.glob("*/*/batch.json"):
        if facts := read_facts(file.parent):
            # Earlier attempts have the same marker and no number, or a lower one.
            base = facts.name.removesuffix(f".{facts.attempt}")
            names |= {facts.name, base, *(f"{base}.{n}" for n in range(2, facts.attempt))}
    return names


def read_occupancy(directory: Path, nodes: Iterable[str] = ()) -> Occupancy | None:
    """Occupancy of nodes by other users; None if the queue was not watched.

    Args:
        nodes: nodes of the test; empty for all.
    """
    looks = list(_observations(directory / FILE))
    if not looks:
        return None
    own, wanted = job_names(directory), set(nodes)
    spans: list[tuple[float, float]] = []
    holds: dict[tuple[str, str, float, bool], list[tuple[float, float]]] = {}
    jobs: dict[str, str] = {}
    ours: set[str] = set()
    for look, following in pairwise([*looks, looks[-1]]):
        before, ours = ours, _nodes_of(look, own) if look.answered else ours
        until = following.time if following is not look else look.time
        if not look.answered or not 0.0 <= until - look.time <= _MOST_SECONDS:
            continue
        _join(spans, look.time, until)
        foreign = [job for job in look.jobs or () if job.name not in own]
        jobs |= {job.id: job.name for job in foreign}
        for key in _held(look, own, before):
            if not wanted or key[0] in wanted:
                _join(holds.setdefault(key, []), look.time, until)
    return Occupancy(
        watched=tuple(spans),
        holds=tuple(
            Hold.model_validate(
                {"node": node, "begin": a, "end": b, "share": share, "by": by, "is_seen": seen}
            )
            for (node, by, share, seen), times in sorted(holds.items())
            for a, b in times
        ),
        jobs=tuple(jobs),
        tests=tuple(dict.fromkeys(name for name in jobs.values() if name)),
        n_silent=sum(not look.answered for look in looks),
    )


def _join(spans: list[tuple[float, float]], begin: float, end: float) -> None:
    """Append a span to ascending ones, merged with the last if adjacent."""
    if spans and spans[-1][1] >= begin:
        spans[-1] = spans[-1][0], max(spans[-1][1], end)
    else:
        spans.append((begin, end))


def _nodes_of(look: Observation, own: set[str]) -> set[str]:
    return {node for job in look.jobs or () if job.name in own for node in job.cores}


def _held(
    look: Observation, own: set[str], before: set[str]
) -> Iterator[tuple[str, str, float, bool]]:
    """Unavailable nodes: name, why, share of cores, whether jobs were seen there.

    Args:
        before: nodes with our jobs in the observation before. Nodes are queried before jobs, so
            they may still be allocated to a job that has ended since.
    """
    cores, states = look.cores or {}, look.states or {}
    taken: dict[str, int] = {}
    whole: set[str] = set()
    known: set[str] = set()
    for job in look.jobs or ():
        known |= job.cores.keys()
        if job.name in own:
            continue
        for node, n in job.cores.items():
            taken[node] = taken.get(node, 0) + n
            if not n or node not in cores:
                whole.add(node)
    for node, n in taken.items():
        share = 1.0 if node in whole else min(1.0, n / cores[node])
        yield node, "others", round(share, 6), True
    for node, state in states.items():
        if state in _AWAY and node not in known:
            yield node, "state", 1.0, True
        elif state in _TAKEN and node not in known | before:
            yield node, "others", 1.0, False


def _observations(file: Path) -> Iterator[Observation]:
    """The complete lines of the file."""
    before: Mapping[str, object] = {}
    for look in read_lines(file, Observation):
        if not look.answered:
            yield look
            continue
        kept = {name: value for name, value in before.items() if getattr(look, name) is None}
        whole = look.model_copy(update=kept)
        before = {name: getattr(whole, name) for name in ("jobs", "states", "cores")}
        yield whole
