"""Headlines of a run in earlier runs of the same folder, and in files of published machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from heorot.analyse.compare.published import read_published
from heorot.errors import HeorotError
from heorot.model.analysis.published import Publication
from heorot.model.analysis.result import Result
from heorot.model.evaluation import Evaluation, Peer, RunFacts
from heorot.store.digests import is_as_listed
from heorot.store.directory import RunDirectory
from heorot.store.results import read_quantities

MOST_RUNS = 30
"""So many earlier runs are read, the newest."""


def find_peers(run: Path, evaluation: Evaluation) -> dict[str, tuple[Peer, ...]]:
    """Values of the headlines of a run elsewhere, by id of their rows.

    Earlier runs are those in the same folder, of the same owner and system, whose results have the
    digest that they list. A value counts if program, region, metric, coordinates, options and
    layout are equal. A published value counts if its numbers of ranks and threads are known, and
    the header of the program calls its figures comparable, at least in part.
    """
    rows = [score.result for score in evaluation.analysis.scores if score.result.ranked]
    found: dict[str, list[Peer]] = {}
    for directory, facts in _earlier(run, evaluation):
        with suppress(HeorotError):
            for row, other in _pairs(rows, directory):
                ends = (other.median, other.ci_low, other.ci_high)
                peer = Peer(facts.name, *ends, other.n_launches, facts.started)
                found.setdefault(row.id, []).append(peer)
    for machine in _published(run, evaluation):
        for row in rows:
            header = evaluation.headers.get(row.benchmark)
            if header is not None and header.comparable != "No":
                found.setdefault(row.id, []).extend(_quoted(machine, row))
    return {key: tuple(peers) for key, peers in found.items() if peers}


def _earlier(run: Path, evaluation: Evaluation) -> list[tuple[RunDirectory, RunFacts]]:
    """Ended runs of the same system and folder, the newest first."""
    found = []
    for path in (file.parent for file in run.absolute().parent.glob("*/run.json")):
        with suppress(HeorotError, OSError):
            if path.samefile(run) or path.stat().st_uid != run.stat().st_uid:
                continue
            directory = RunDirectory.open(path)
            facts = directory.facts()
            is_earlier = facts.started < evaluation.facts.started and facts.ended is not None
            if is_earlier and directory.machine().system == evaluation.machine.system:
                found.append((directory, facts))
    return sorted(found, key=lambda each: -each[1].started)[:MOST_RUNS]


def _pairs(rows: Iterable[Result], earlier: RunDirectory) -> Iterator[tuple[Result, Result]]:
    """The rows that an earlier run has too, each with the value there.

    Raises:
        RunError: its results cannot be read.
    """
    if not is_as_listed(earlier.results_file):
        return
    wanted = {(row.benchmark, row.region, row.metric) for row in rows}
    known: dict[Any, list[Result]] = {}
    for other in read_quantities(earlier.results_file, wanted):
        if other.ranked and not other.disturbed:
            known.setdefault(_identity(other), []).append(other)
    for row in rows:
        # With several toolchains the same one counts; else only a single value is unambiguous.
        others = known.get(_identity(row), [])
        equal = [other for other in others if other.stack == row.stack] or others
        if len(equal) == 1:
            yield row, equal[0]


def _identity(row: Result) -> tuple[Any, ...]:
    """What is equal in two runs of one quantity."""
    layout = (row.nodes, row.ranks, row.threads, row.per_node)
    return row.benchmark, row.region, row.metric, row.unit, row.point, row.options, layout


def _published(run: Path, evaluation: Evaluation) -> Iterator[Publication]:
    """The published machines whose files are in the same folder."""
    known = [program for family in evaluation.families for program in family.benchmarks]
    for file in sorted(run.absolute().parent.glob("*.yaml")):
        with suppress(HeorotError):
            yield read_published(file, known)


def _quoted(machine: Publication, row: Result) -> Iterator[Peer]:
    """The published value of a row, if its layout is known."""
    for one in machine.quantities:
        if one.meets(row) and one.unit == row.unit and None not in {one.ranks, one.threads}:
            yield Peer(machine.name, one.value)
            return
