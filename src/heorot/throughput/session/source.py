"""Source of the jobs of a test: a schedule, a recorded workload, or a model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heorot.errors import UsageError, WorkloadError
from heorot.files import read_regular, why_not_read
from heorot.throughput.model.kinds import Arrival, JobsFile
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.model.workload import Workload
from heorot.throughput.workload.arrivals import arrivals_of
from heorot.throughput.workload.esp import esp_mix
from heorot.throughput.workload.jobs_file import read_jobs
from heorot.throughput.workload.lublin import lublin
from heorot.throughput.workload.poisson import daily_moments, drawn_arrivals, poisson_moments
from heorot.throughput.workload.reading import Reading
from heorot.throughput.workload.replay import arrivals_from_workload
from heorot.throughput.workload.scaling import fit_to, is_shipped
from heorot.throughput.workload.schedule import Schedule, find, read_schedule
from heorot.throughput.workload.traces import read_workload
from heorot.units import plural

_MODELS = {
    "esp": "esp",
    "lublin": "lublin:JOBS",
    "poisson": "poisson:JOBS:SECONDS",
    "daily": "daily:JOBS:SECONDS",
}
_MOST_JOBS = 1_000_000
# Default load of the model of Lublin and Feitelson, whose own load varies.
_LOAD = 0.8
_PACKED = b"\x1f\x8b"
_FIRST_BYTES = 1 << 16
# Lines of a schedule have fewer words, those of a trace more.
_MANY = 10


@dataclass(frozen=True)
class Source:
    """Source of the jobs of a test: one of `schedule`, `trace` and `model`.

    Attributes:
        digest: SHA-256 of the file; empty for a model.
        jobs: file that defines the names; None if there is none.
        model: its name and parameters, such as `poisson`, 20 and 5.
    """

    name: str
    digest: str = ""
    jobs: Path | None = None
    schedule: Schedule | None = None
    trace: Reading | None = None
    model: tuple[str, ...] = ()


def find_source(request: ThroughputRequest) -> Source:
    """Find and read the source of the jobs of a test.

    Raises:
        UsageError: there is no such file or model, or no file of jobs.
        WorkloadError: a file is wrong.
    """
    name, *numbers = request.schedule.split(":")
    if name in _MODELS and not Path(request.schedule).exists():
        return _model(request, name, numbers)
    file = find(request.schedule)
    try:
        content = read_regular(file, follow=True)
    except OSError as error:
        message = f"cannot be read: {why_not_read(file, error)}"
        raise WorkloadError(message, file=file, hint="name a schedule or a workload") from None
    beside = file.with_suffix(".yaml")
    jobs = request.jobs or (beside if beside.is_file() else None)
    digest = hashlib.sha256(content).hexdigest()
    if _is_trace(content):
        return Source(file.name, digest, jobs, trace=read_workload(file))
    schedule = read_schedule(file)
    if jobs is None:
        raise UsageError(f"the names of {file} are not defined", "give a file: --jobs JOBS.yaml")
    return Source(file.name, digest, jobs, schedule=schedule)


def _is_trace(content: bytes) -> bool:
    """Whether a file is a trace of a batch system or simulator, by its first line of data."""
    if content.startswith(_PACKED):
        return True
    lines = (line.strip() for line in content[:_FIRST_BYTES].splitlines())
    first = next((line for line in lines if line and line[:1] not in b"#;"), b"")
    return b"|" in first or len(first.split()) >= _MANY


def _model(request: ThroughputRequest, name: str, numbers: Sequence[str]) -> Source:
    wanted = _MODELS[name].count(":")
    try:
        values = [float(number) for number in numbers]
    except ValueError:
        values = []
    right = len(values) == len(numbers) == wanted and all(0 < value < 1e9 for value in values)  # noqa: PLR2004 (more than anybody has)
    if not right or (values and not (values[0].is_integer() and values[0] <= _MOST_JOBS)):
        raise UsageError(f"'{request.schedule}' is no model", f"write {_MODELS[name]}")
    if name in {"poisson", "daily"} and request.jobs is None:
        raise UsageError(f"the jobs of {name} are not defined", "give a file: --jobs JOBS.yaml")
    return Source(request.schedule, jobs=request.jobs, model=(name, *numbers))


def read_kinds(source: Source, cores_per_node: int | None) -> JobsFile | None:
    """The job classes of a source; None if it has no file of jobs.

    Args:
        cores_per_node: of the machine; None if not known yet.

    Raises:
        WorkloadError: the file of jobs is wrong.
    """
    return read_jobs(source.jobs, cores_per_node) if source.jobs else None


def the_jobs(
    source: Source, request: ThroughputRequest, n_nodes: int, cores_per_node: int
) -> tuple[tuple[Arrival, ...], JobsFile, tuple[str, ...], tuple[str, ...]]:
    """The jobs of a test, their classes, notes on their origin, and changes by scaling.

    Raises:
        UsageError: no job is left.
        WorkloadError: something is wrong with the schedule or the file of jobs.
    """
    kinds, scaled = read_kinds(source, cores_per_node), tuple[str, ...]()
    if kinds is not None and is_shipped(source.jobs):
        kinds, scaled = fit_to(kinds, n_nodes, cores_per_node)
    arrivals, kinds, notes = read_arrivals(source, kinds, request, n_nodes, cores_per_node)
    if scaled:
        there = f"{plural(n_nodes, 'node')} x {plural(cores_per_node, 'core')}"
        notes = (*notes, f"scaled to {there}, not as published: {'; '.join(scaled)}")
    return arrivals, kinds, notes, scaled


def read_arrivals(
    source: Source,
    kinds: JobsFile | None,
    request: ThroughputRequest,
    n_nodes: int,
    cores_per_node: int,
) -> tuple[tuple[Arrival, ...], JobsFile, tuple[str, ...]]:
    """The jobs of a test, their classes, and notes on their origin.

    Raises:
        UsageError: no job is left.
        WorkloadError: a name is not defined.
    """
    if kinds is not None and source.schedule is not None:
        found = arrivals_of(source.schedule, kinds, time_scale=request.time_scale)
        notes = tuple(f"line {each.line}: {each.text}" for each in source.schedule.complaints)
        return found[: request.most], kinds, notes
    if kinds is not None and source.model[:1] in {("poisson",), ("daily",)}:
        n_jobs, mean = int(float(source.model[1])), float(source.model[2])
        moments = poisson_moments if source.model[0] == "poisson" else daily_moments
        drawn = drawn_arrivals(
            kinds, moments(n_jobs, mean, request.seed) * request.time_scale, request.seed
        )
        return drawn[: request.most], kinds, ()
    replay = arrivals_from_workload(
        _workload(source, request, n_nodes),
        kinds,
        n_nodes=n_nodes,
        cores_per_node=cores_per_node,
        time_scale=request.time_scale,
        most=request.most,
    )
    n_lost = sum(each.lost for each in source.trace.complaints) if source.trace else 0
    lost = (f"lines that are no jobs, left out: {n_lost}",) if n_lost else ()
    return replay.arrivals, replay.jobs, (*replay.notes, *lost)


def _workload(source: Source, request: ThroughputRequest, n_nodes: int) -> Workload:
    if source.trace is not None:
        return source.trace.workload
    if source.model[0] == "esp":
        return esp_mix(n_nodes, seed=request.seed)
    return lublin(int(float(source.model[1])), n_nodes, request.seed, _LOAD)
