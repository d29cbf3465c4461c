"""Lines of answers: the values of one program, with their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from heorot.analyse.explain.spread.divisions import Divisions
from heorot.analyse.questions.growing import efficiency
from heorot.analyse.questions.messages import find_cause
from heorot.analyse.questions.numbers import SIZE, Both, Numbers, size_of
from heorot.analyse.questions.reasons import Reasons
from heorot.analyse.rows import problem, word_point
from heorot.analyse.templates.quantities import of_ends, plain
from heorot.analyse.templates.questions import FASTEST, LAYOUT
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.answers import (
    AnswerLine,
    CurvePoint,
    Placed,
    SizeChange,
    SizeChanges,
)
from heorot.model.catalogue.labels import label_of
from heorot.model.run.experiment import Experiment
from heorot.model.run.identity import Setup
from heorot.units import format_binary

Layout = tuple[int, ...]
"""Nodes, ranks and threads of the compared setup, then of its baseline."""


@dataclass(frozen=True)
class Line:
    """The values of one program.

    Attributes:
        row: of the compared setup.
        base: of the baseline; for copies the row itself.
        size: by which the largest of several problems is found.
    """

    answer: AnswerLine
    row: Result
    base: Result
    size: tuple[float, ...]

    @property
    def layout(self) -> Layout:
        """Both layouts."""
        both = (self.row, self.base)
        return tuple(n for one in both for n in (one.nodes, one.ranks, one.threads))


def faster_line(
    context: Context, numbers: Numbers, asked: Experiment, both: Both, reasons: Reasons
) -> Line:
    """The speedup of a program on more cores; for shared work also its efficiency."""
    row, base = both.row, both.base
    shared = numbers.shares_work(row)
    n = row.cores / base.cores
    efficiency = tuple(end / n for end in both.faster)
    by_ranks = asked.setups[-1].threads == 1
    between = (setup for setup in asked.further if (setup.threads == 1) == by_ranks)
    found = [numbers.of(setup, base) for setup in (*between, asked.setups[-1])]
    curve = [base, *filter(None, found)] if shared and base.cores == 1 else []
    answer = _answer(context, both, _quantity(both.faster, both)).model_copy(
        update={
            "efficiency": _quantity(efficiency, both, "%") if shared else None,
            "curve": tuple(_point(one, base) for one in curve),
            "reasons": (
                (*reasons.of(asked.question, both), *_fastest(numbers, asked, both))
                if shared
                else ()
            ),
        }
    )
    return _line(context, answer, both)


def _fastest(numbers: Numbers, asked: Experiment, both: Both) -> Iterator[Claim]:
    """The node count at which a program is faster than on the most nodes, if there is one."""
    if asked.question != "nodes":
        return
    found = [numbers.of(setup, both.base) for setup in (*asked.setups, *asked.further)]
    best = max(filter(None, found), key=lambda row: row.median, default=both.row)
    if best.nodes < both.row.nodes and best.ci_low > both.row.ci_high:
        yield FASTEST.claim(fastest=best.nodes, evidence=(best.id,))


def growing_line(context: Context, found: Sequence[Both]) -> Line:
    """The weak-scaling efficiency of a program.

    Args:
        found: of each core count, the most last; at least one.
    """
    most = found[-1]
    size = context.benchmarks[most.row.benchmark].size
    answer = _answer(context, most, _quantity(efficiency(most), most, "%"))
    points = [
        CurvePoint(
            cores=one.row.cores,
            value=_quantity(efficiency(one), one, "%"),
            disturbed=one.row.disturbed or one.base.disturbed,
        )
        for one in found
    ]
    base = most.base
    first = CurvePoint(cores=base.cores, value=_quantity((1.0, 1.0, 1.0), most, "%"))
    more: dict[str, object] = {"curve": (first, *points)}
    if size and base.point != most.row.point:
        more["base"] = f"{answer.base}, {size.word(base.point)}"
    return _line(context, answer.model_copy(update=more), most)


def longer_line(context: Context, both: Both, divisions: Divisions | None) -> Line:
    """The time ratio of a program elsewhere.

    Args:
        divisions: breakdowns of the time, if messages may be the difference; else None.
    """
    cause = find_cause(context, divisions, both) if divisions else None
    answer = _answer(context, both, _quantity(both.longer, both))
    return _line(context, answer.model_copy(update={"cause": cause}), both)


def spread_line(numbers: Numbers, asked: Experiment, line: Line, reasons: Reasons) -> Line:
    """The line of the same ranks on more nodes with all their layouts, and the reasons."""
    setups = sorted({*asked.setups, *asked.further}, key=lambda setup: setup.nodes)
    rows = filter(None, (numbers.of(setup, line.base) for setup in setups))
    more = {
        "places": tuple(_placed(row, line.base) for row in rows),
        "reasons": reasons.of(asked.question, Both(line.row, line.base)),
    }
    return replace(line, answer=line.answer.model_copy(update=more))


def _placed(row: Result, base: Result) -> Placed:
    both = Both(row, base)
    change = tuple(end - 1.0 for end in both.longer)
    return Placed(
        nodes=row.nodes,
        per_node=row.per_node,
        threads=row.threads,
        change=None if row is base else _quantity(change, both, "%"),
    )


def copy_line(context: Context, loss: Result) -> Line:
    """The contention loss of a copy.

    Args:
        loss: its row.
    """
    both = Both(loss, loss)
    answer = _answer(context, both, plain(loss, "%"))
    return _line(context, answer.model_copy(update={"base": "alone"}), both)


def size_changes(region: str, both: Iterable[Both]) -> SizeChanges:
    """The time ratio of messages, by size.

    Args:
        both: one for each size, at least one.
    """
    ordered = sorted(both, key=lambda one: float(one.row.point[SIZE]))
    first = ordered[0]
    return SizeChanges(
        benchmark=first.row.benchmark,
        region=region,
        layout=word_place(first.row.setup),
        base=word_place(first.base.setup),
        changes=tuple(
            SizeChange(
                bytes=float(one.row.point[SIZE]),
                change=_quantity(tuple(end - 1.0 for end in one.longer), one, "%"),
            )
            for one in ordered
        ),
    )


def word_layout(setup: Setup) -> str:
    """Ranks, threads and nodes."""
    return LAYOUT.claim(row=setup).text


def word_place(setup: Setup) -> str:
    """The same with the network where there is a choice."""
    return word_layout(setup) + (f" over {setup.network}" if setup.network else "")


def _line(context: Context, answer: AnswerLine, both: Both) -> Line:
    return Line(
        answer, both.row, both.base, size_of(context.benchmarks[answer.benchmark], both.row)
    )


def _answer(context: Context, both: Both, value: Quantity) -> AnswerLine:
    row = both.row
    return AnswerLine(
        benchmark=row.benchmark,
        problem=_word_problem(context, row),
        layout=word_place(row.setup),
        base=word_place(both.base.setup),
        network=row.network,
        value=value,
    )


def _quantity(ends: Sequence[float], both: Both, unit: str = "") -> Quantity:
    centre, low, high = ends
    return of_ends((centre, low, high), both.launches, unit, (both.row.id, both.base.id))


def _point(row: Result, base: Result) -> CurvePoint:
    """A point of a curve; the first one is exactly one."""
    both = Both(row, base)
    ends = (1.0, 1.0, 1.0) if row is base else both.faster
    disturbed = row.disturbed or base.disturbed
    return CurvePoint(cores=row.cores, value=_quantity(ends, both), disturbed=disturbed)


def _word_problem(context: Context, row: Result) -> str:
    """A program with its problem, in words."""
    benchmark = context.benchmarks[row.benchmark]
    if benchmark.size is not None and benchmark.size.coordinate in row.point:
        return problem(context, row)
    region = "" if row.benchmark.endswith(f"/{row.region}") else f" {label_of(row.region)}"
    size = row.point.get(SIZE, "")
    of = "" if isinstance(size, str) else f" of {format_binary(float(size))}"
    where = word_point(context, row.benchmark, row.point.without(SIZE))
    return f"{benchmark.display_name}{region.replace('_', ' ')}{where}{of}"
