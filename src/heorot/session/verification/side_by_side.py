"""Comparison of several runs and published machines: read, named, compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from heorot.analyse.compare.bounds import bounds_of
from heorot.analyse.compare.facts import build_facts
from heorot.analyse.compare.networks import measure_networks
from heorot.analyse.compare.runs import SideRows
from heorot.analyse.compare.side import rows_of
from heorot.analyse.compare.systems import Contender, Frame, compare_systems
from heorot.analyse.explain.copies import METRIC
from heorot.errors import RunError, UsageError
from heorot.families import BENCHMARKS
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.systems import MOST_SYSTEMS, SideBySide, System
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.grouping import group_by
from heorot.session.verification.exported import read_table
from heorot.session.verification.publications import is_published, read_publication
from heorot.session.verification.reading import ReadRun, known_programs, read_run
from heorot.store.directory import RunDirectory
from heorot.store.results import read_metric

_PAIR = 2


def compare_side_by_side(paths: Sequence[Path]) -> SideBySide:
    """Compare every further system with the first.

    Args:
        paths: directories of runs, the first path among them, and files of published machines.

    Raises:
        UsageError: there are too many, one is named twice, or the first is no run.
        RunError: one is no run, has not ended, is damaged, has no results, or does not agree as a
            whole.
        FileError: the file of a published machine is invalid.
    """
    require_legible(len(paths))
    if is_published(paths[0]):
        raise UsageError(
            f"{paths[0]} is no run, and the others are compared with the first",
            "give a run first, then others and the files of published machines",
        )
    places = [path for path in paths if not is_published(path)]
    known = known_programs(*places)
    if len(paths) > _PAIR:  # a pair may be one run twice, without differences
        _require_once(paths)
    contenders = [_contender(path, name, known) for path, name in _named(paths, known)]
    base = RunDirectory.open(paths[0])
    several = len(places) < len(paths)
    frame = Frame(
        benchmarks=known,
        table=read_table(base)[0] if several else (),
        bounds=bounds_of(known, _losses(places)),
    )
    return compare_systems(contenders, frame)


def require_legible(n_systems: int) -> None:
    """Raise UsageError for more systems than tables and figures can show."""
    if n_systems > MOST_SYSTEMS:
        raise UsageError(
            f"{n_systems} systems are too many for one comparison",
            f"give at most {MOST_SYSTEMS}, the one to compare with first",
        )


def _require_once(paths: Sequence[Path]) -> None:
    """Raise UsageError for a repeated path."""
    tally = Counter(path.resolve() for path in paths)
    for path in paths:
        if tally[path.resolve()] > 1:
            raise UsageError(f"{path} is given twice", "give every run and every file once")


def _named(paths: Sequence[Path], known: Sequence[Benchmark]) -> list[tuple[Path, str]]:
    """Each with a unique name: its own, with the distinct end of its path if needed."""
    names = [
        read_publication(path, known).name
        if is_published(path)
        else RunDirectory.open(path).facts().name
        for path in paths
    ]
    distinct = {path.resolve(): name for path, name in zip(paths, names, strict=True)}
    tally = Counter(distinct.values())
    return [
        (path, f"{name} ({_apart(path, paths)})" if tally[name] > 1 else name)
        for path, name in zip(paths, names, strict=True)
    ]


def _apart(path: Path, paths: Sequence[Path]) -> str:
    """The shortest end of a path that no other has."""
    parts = path.absolute().parts
    others = [each.absolute().parts for each in paths if each.resolve() != path.resolve()]
    for n in range(1, len(parts) + 1):
        if all(each[-n:] != parts[-n:] for each in others):
            return str(Path(*parts[-n:]))
    return str(path)


def _contender(path: Path, name: str, known: Sequence[Benchmark]) -> Contender:
    if is_published(path):
        machine = read_publication(path, known)
        remark = f"source {machine.source}; date {machine.date or 'unknown'}"
        return Contender(System(name=name, machine="published", remarks=(remark,)), machine)
    read = read_run(path)
    rows = rows_of(read.side, known)
    if not rows and not read.disagreements:
        raise RunError(
            f"{path} has no result that can be compared",
            "measure again, or leave it out; its report lists the failures",
        )
    return Contender(
        system=_system(read, name, len(rows), RunDirectory.open(path).facts().started),
        of=SideRows(replace(read.side, name=name), rows),
        facts=read.described.facts,
        builds=build_facts(read.side.builds.values()),
    )


def _system(read: ReadRun, name: str, n_results: int, begun: float) -> System:
    return System(
        name=name,
        machine=read.side.system,
        begun=begun,
        n_results=n_results,
        disturbances=read.side.disturbances,
        networks=read.described.machine.networks,
        disagreements=read.disagreements,
    )


def _losses(places: Sequence[Path]) -> Sequence[Result]:
    """Losses of co-located copies, of the first run that measured them."""
    for path in places:
        directory = RunDirectory.open(path)
        try:
            rows = read_metric(directory.results_file, METRIC)
        except RunError:  # as for a run read from its records
            continue
        if rows:
            return rows
    return ()


def tables_of(paths: Sequence[Path], labels: Sequence[str]) -> list[Result]:
    """All rows of all runs, for figures: the system of each is its label."""
    return [
        row.model_copy(update={"system": label})
        for path, label in zip(paths, labels, strict=True)
        if not is_published(path)
        for row in read_table(RunDirectory.open(path))[0]
    ]


def with_networks(side: SideBySide, rows: Sequence[Result]) -> SideBySide:
    """The systems with the results of messages between nodes on their networks."""
    by_system = group_by(rows, lambda row: row.system)
    systems = tuple(
        system.model_copy(
            update={
                "measured": measure_networks(by_system.get(label, ()), BENCHMARKS, system.networks)
            }
        )
        for label, system in zip(side.labels, side.systems, strict=True)
    )
    return side.model_copy(update={"systems": systems})
