"""Libraries compared with Heorot's own code: their versions, and where they are faster.

Where a library is faster, the figure of Heorot's own code understates the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heorot.analyse.rows import best, word_point
from heorot.analyse.templates import libraries as templates
from heorot.analyse.templates.quantities import keys, limit, ratio
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.labels import label_of
from heorot.model.catalogue.library import Library
from heorot.model.run.outcome import Outcome

_FASTER = 1.05
# Points in the sentence; the tables have them all.
_MOST_POINTS = 3
_UNKNOWN = "version not recorded"


@dataclass(frozen=True)
class _Pair:
    """A row of a library and the best row of Heorot's own, of the same work in the same setup."""

    theirs: Result
    ours: Result

    @property
    def gain(self) -> float:
        """How many times as fast the library is."""
        gain = self.theirs.median / self.ours.median
        return gain if self.theirs.better == "higher" else 1.0 / gain


def name_library(context: Context, benchmark: Benchmark, row: Result | None) -> str:
    """The library that a row measures, with its version and effort; empty without a row."""
    named = [
        _name(context, row, library).text
        for library in benchmark.libraries
        if row is not None and row.region in library.regions
    ]
    return next(iter(named), "")


def sentences(context: Context, benchmarks: Sequence[Benchmark]) -> Iterator[Sentence]:
    """Each library that is faster at any point, most points first in its sentence."""
    for benchmark in benchmarks:
        for library in benchmark.libraries:
            by_version: dict[str, list[_Pair]] = {}
            for pair in _pairs(context, benchmark, library):
                named = _name(context, pair.theirs, library)
                by_version.setdefault(named.text, []).append(pair)
            for pairs in by_version.values():
                faster = [pair for pair in pairs if pair.gain > _FASTER]
                if faster:
                    yield _sentence(context, benchmark, library, faster, len(pairs))


def _sentence(
    context: Context, benchmark: Benchmark, library: Library, faster: list[_Pair], n_points: int
) -> Sentence:
    faster.sort(key=lambda pair: -pair.gain)
    shown = faster[:_MOST_POINTS]
    return templates.FASTER(
        evidence=keys(*(row for pair in shown for row in (pair.theirs, pair.ours))),
        named=_name(context, faster[0].theirs, library),
        program=benchmark.display_name,
        n=len(faster),
        n_points=n_points,
        points=[_point(context, pair) for pair in shown],
        more=len(faster) - len(shown) or None,
        least=limit(_FASTER - 1.0),
    )


def _point(context: Context, pair: _Pair) -> Claim:
    theirs, ours = pair.theirs, pair.ours
    above, below = (theirs, ours) if theirs.better == "higher" else (ours, theirs)
    return templates.POINT.claim(
        where=f"{label_of(theirs.region)}{word_point(context, theirs.benchmark, theirs.point)}",
        cores=theirs.cores,
        gain=ratio(above, below),
    )


def _pairs(context: Context, benchmark: Benchmark, library: Library) -> Iterator[_Pair]:
    """Rows of a library and of Heorot's own, by the metric that stands for the program."""
    metric = benchmark.metrics[0].name
    for region, own_regions in library.regions.items():
        for row in context.rows.find(benchmark.name, region, metric):
            ours = best(
                [
                    own
                    for name in own_regions
                    for own in context.rows.find(benchmark.name, name, metric, point=row.point)
                    if own.setup == row.setup and own.point == row.point
                ]
            )
            if ours is not None and ours.median > 0.0 < row.median:
                yield _Pair(row, ours)


def _name(context: Context, row: Result, library: Library) -> Claim:
    steps = {step.id for step in context.steps if step.setup == row.setup}
    outcomes = [each for each in context.outcomes if each.step in steps]
    return templates.LIBRARY.claim(
        library=library.name,
        version=_said(outcomes, library.note) or _UNKNOWN,
        effort=_said(outcomes, f"{library.note}_effort") or library.effort,
    )


def _said(outcomes: Sequence[Outcome], note: str) -> str:
    """The text of a note; of the MPI library's name if the note has none. Empty if unknown."""
    if note:
        found = {str(one.value) for each in outcomes for one in each.notes if one.name == note}
    else:
        found = {each.run.mpi_library.partition(",")[0] for each in outcomes if each.run}
    return " or ".join(sorted(found))
