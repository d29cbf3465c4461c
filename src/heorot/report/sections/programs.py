"""A program's part of its family's section: its answer in a line, then all there is behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.extremes import Ends, may_equal, overlap
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark, Header
from heorot.model.catalogue.metrics import Ceiling, Reference
from heorot.model.evaluation import Evaluation
from heorot.model.grouping import group_by
from heorot.model.run.experiment import ASKED
from heorot.report.anchors import Anchors, Evidence, Frame
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.report.sections.questions.section import place_id
from heorot.report.sections.scorecard import ScoreLine
from heorot.report.tables.breakdowns import breakdown_tables
from heorot.report.tables.processor_time import is_processor_time, processor_tables
from heorot.report.tables.results import result_table
from heorot.report.tables.table import Table
from heorot.report.wording import word_name, word_point
from heorot.units import format_quantity

_LINE = ("the rate of the line", "no message travels faster than its adapters send")


@dataclass(frozen=True)
class Limit:
    """What keeps a quantity from being larger.

    Attributes:
        reached: the best share of it, or empty.
        unreached: why no more is reached, or empty.
        is_bound: whether it is a bound of what is possible, of which nothing has a share.
    """

    quantity: str
    ceiling: str
    reason: str
    reached: str
    target: str
    unreached: str
    is_bound: bool


@dataclass(frozen=True)
class ProgramSection:
    """A program: its question, headlines, figures, tables, method and limits.

    Attributes:
        breakdowns: where its time goes, and what processors worked for it.
        losses: what its time is lost to, sentences with their evidence.
        answers: the questions that it answers, with their places in the page.
        above: id of its figure that opens the section of its family; empty if none does.
    """

    name: str
    id: str
    header: Header | None
    drawings: tuple[Drawing, ...]
    table: Table | None
    breakdowns: tuple[Table, ...]
    limits: tuple[Limit, ...]
    losses: tuple[tuple[str, Evidence], ...]
    answers: tuple[tuple[str, str], ...]
    above: str = ""


@dataclass(frozen=True)
class SectionMaterial:
    """What the sections of all programs are made of."""

    evaluation: Evaluation
    frame: Frame
    scores: Sequence[ScoreLine]
    results: Mapping[str, Sequence[Result]]
    breakdowns: Mapping[str, Sequence[Breakdown]]
    published: Mapping[str, tuple[str, Reference]]


def gather(evaluation: Evaluation, frame: Frame, scores: Sequence[ScoreLine]) -> SectionMaterial:
    """Sorts results and sentences of a run by program."""
    benchmarks = [each for family in evaluation.families for each in family.benchmarks]
    return SectionMaterial(
        evaluation=evaluation,
        frame=frame,
        scores=scores,
        results=group_by(evaluation.analysis.results, lambda row: row.benchmark),
        breakdowns=group_by(evaluation.analysis.breakdowns, lambda one: one.benchmark),
        published=_published(benchmarks),
    )


def program_section(benchmark: Benchmark, material: SectionMaterial) -> ProgramSection:
    """The section of one program."""
    every = material.results.get(benchmark.name, ())
    rows = [row for row in every if not is_processor_time(row)]
    worked = list(filter(is_processor_time, every))
    divided = material.breakdowns.get(benchmark.name, ())
    identifier, frame = benchmark.target, material.frame
    whole = Material(rows, divided, depth=material.evaluation.analysis.depth)
    drawings = [
        drawing
        for i, figure in enumerate(benchmark.figures)
        if (drawing := draw(figure, whole, f"{identifier}-{i}"))
    ]
    table_name = f"t-{identifier}"
    return ProgramSection(
        name=benchmark.name,
        id=f"b-{identifier}",
        header=material.evaluation.headers.get(benchmark.name),
        drawings=tuple(drawings),
        table=result_table(table_name, benchmark.name, rows, frame) if rows else None,
        breakdowns=(
            *breakdown_tables(table_name, benchmark.name, divided, frame),
            *processor_tables(table_name, benchmark.name, worked, frame),
        ),
        limits=tuple(_limits(benchmark, rows, frame.anchors, material.published)),
        losses=tuple(
            (each.text, frame.anchors.evidence(each.evidence))
            for each in material.evaluation.analysis.attributions
            if each.benchmark == benchmark.name
        ),
        answers=tuple(
            (ASKED[one.question], place_id(one.question))
            for one in material.evaluation.analysis.answers
            if any(each.benchmark == benchmark.name for each in (*one.lines, *one.growing))
        ),
    )


def _published(benchmarks: Iterable[Benchmark]) -> dict[str, tuple[str, Reference]]:
    """Who publishes a reference, by its name."""
    return {
        reference.name: (benchmark.name, reference)
        for benchmark in benchmarks
        for reference in benchmark.publishes
    }


def _word_bound(
    rule: Ceiling, benchmark: Benchmark, published: Mapping[str, tuple[str, Reference]]
) -> str:
    """What a quantity is measured against."""
    if rule.most is not None:
        metric = benchmark.metric(rule.metric)
        return format_quantity(rule.most, metric.unit if metric else "")
    factor = f"{rule.factor:g} × " if rule.factor != 1 else ""
    if rule.by not in published:
        return f"{factor}{word_name(rule.by)}"
    program, reference = published[rule.by]
    regions = ", ".join(map(word_name, reference.regions))
    return f"{factor}{word_name(reference.metric)} of {regions} ({program})"


def _limits(
    benchmark: Benchmark,
    rows: Sequence[Result],
    anchors: Anchors,
    published: Mapping[str, tuple[str, Reference]],
) -> list[Limit]:
    limits = []
    for rule in benchmark.ceilings:
        limited = [
            row
            for row in rows
            if row.metric == rule.metric
            and row.share_of_ceiling is not None
            and row.ranked
            and (not rule.regions or row.region in rule.regions)
        ]
        regions = f" of {', '.join(map(word_name, rule.regions))}" if rule.regions else ""
        quantity = f"{word_name(rule.metric)}{regions}"
        # What one core does in its node limits nothing between nodes: there the line does.
        between = [row for row in limited if rule.inside_only and row.nodes > 1]
        words = (quantity, _word_bound(rule, benchmark, published), rule.reason)
        inside = [row for row in limited if row not in between]
        limit = _limit(words, inside, anchors)
        bound = rule.most is not None or rule.refuses_only
        limits.append(replace(limit, unreached=rule.unreached, is_bound=bound))
        if between:
            limits.append(_limit((f"{quantity} between nodes", *_LINE), between, anchors))
    return limits


def _ends(row: Result) -> Ends:
    """The interval of its share of a bound."""
    part = (row.share_of_ceiling or 0.0) / row.median if row.median else 0.0
    return part * row.ci_low, part * row.ci_high


def _limit(words: tuple[str, str, str], rows: Sequence[Result], anchors: Anchors) -> Limit:
    """A limit, with the best share of it that any row has, and whose that is if it is clear.

    Args:
        words: the quantity, its bound, why that limits it.
    """
    best = max(rows, key=lambda row: row.share_of_ceiling or 0.0, default=None)
    reached = ""
    if best:
        share = format_quantity(best.share_of_ceiling, "%")
        where = f", {word_point(best.point)}" if best.point else ""
        n_alike = sum(overlap(_ends(best), _ends(row)) for row in rows) - 1
        named = may_equal(n_alike) if n_alike else f"{word_name(best.region)}{where}"
        reached = f"{share} ({named})"
    return Limit(
        quantity=words[0],
        ceiling=words[1],
        reason=words[2],
        reached=reached,
        target=anchors.place(best) if best else "",
        unreached="",
        is_bound=False,
    )
