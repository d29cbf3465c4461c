"""A section per family and program: question, figures, table, limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark, Header
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import Anchors, Evidence
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.report.tables.breakdowns import breakdown_tables
from heorot.report.tables.results import result_table
from heorot.report.tables.table import Allowance, Table
from heorot.report.wording import word_name, word_point
from heorot.units import format_quantity

FAMILIES = {
    "compute": "Cores",
    "memory": "Memory",
    "messages": "Messages",
    "npb": "NAS Parallel Benchmarks",
}


@dataclass(frozen=True)
class Limit:
    """What keeps a quantity from being larger.

    Attributes:
        quantity: which one, of which regions.
        ceiling: what it is measured against.
        reason: why that limits it.
        reached: the best share of it, or empty.
        target: the row with the best share.
    """

    quantity: str
    ceiling: str
    reason: str
    reached: str
    target: str


@dataclass(frozen=True)
class ProgramSection:
    """A program: its question, figures, tables, method and limits.

    Attributes:
        name: the program.
        id: fragment of the page.
        header: what its source says of itself.
        drawings: its figures.
        table: its results.
        breakdowns: where its time goes.
        limits: what keeps its numbers from being larger.
        losses: what its time is lost to, sentences with their evidence.
    """

    name: str
    id: str
    header: Header | None
    drawings: tuple[Drawing, ...]
    table: Table | None
    breakdowns: tuple[Table, ...]
    limits: tuple[Limit, ...]
    losses: tuple[tuple[str, Evidence], ...]


@dataclass(frozen=True)
class FamilySection:
    """The programs of a family."""

    title: str
    id: str
    programs: tuple[ProgramSection, ...]


def family_sections(
    evaluation: Evaluation, anchors: Anchors, allowance: Allowance, export: str
) -> list[FamilySection]:
    """A section for each family, in the order of the catalogue.

    Args:
        evaluation: the run.
        anchors: which rows must be shown.
        allowance: how many rows may still be packed; is reduced.
        export: the command that writes all rows.
    """
    results: dict[str, list[Result]] = {}
    for row in evaluation.analysis.results:
        results.setdefault(row.benchmark, []).append(row)
    breakdowns: dict[str, list[Breakdown]] = {}
    for one in evaluation.analysis.breakdowns:
        breakdowns.setdefault(one.benchmark, []).append(one)
    families: dict[str, list[ProgramSection]] = {}
    for benchmark in evaluation.benchmarks:
        rows = results.get(benchmark.name, [])
        divided = breakdowns.get(benchmark.name, [])
        identifier = benchmark.target
        drawings = [
            drawing
            for i, figure in enumerate(benchmark.figures)
            if (drawing := draw(figure, Material(rows, divided), f"{identifier}-{i}"))
        ]
        table_name = f"t-{identifier}"
        section = ProgramSection(
            name=benchmark.name,
            id=f"b-{identifier}",
            header=evaluation.headers.get(benchmark.name),
            drawings=tuple(drawings),
            table=result_table(table_name, benchmark.name, rows, anchors, allowance, export)
            if rows
            else None,
            breakdowns=breakdown_tables(table_name, benchmark.name, divided, allowance, export),
            limits=tuple(_limits(benchmark, rows, anchors)),
            losses=tuple(
                (each.text, anchors.evidence(each.evidence))
                for each in evaluation.analysis.attributions
                if each.benchmark == benchmark.name
            ),
        )
        families.setdefault(benchmark.family, []).append(section)
    return [
        FamilySection(FAMILIES.get(name, name.capitalize()), f"f-{name}", tuple(programs))
        for name, programs in families.items()
    ]


def _limits(benchmark: Benchmark, rows: Sequence[Result], anchors: Anchors) -> list[Limit]:
    limits = []
    for ceiling in benchmark.ceilings:
        limited = [
            row
            for row in rows
            if row.metric == ceiling.metric
            and row.share_of_ceiling is not None
            and row.ranked
            and (not ceiling.regions or row.region in ceiling.regions)
        ]
        best = max(limited, key=lambda row: row.share_of_ceiling or 0.0, default=None)
        regions = f" of {', '.join(map(word_name, ceiling.regions))}" if ceiling.regions else ""
        factor = f"{ceiling.factor:g} × " if ceiling.factor != 1 else ""
        measured = (
            f"{word_name(ceiling.by_metric)} of {', '.join(map(word_name, ceiling.by_regions))}"
        )
        reached = ""
        if best:
            share = format_quantity(best.share_of_ceiling, "%")
            where = f", {word_point(best.point)}" if best.point else ""
            reached = f"{share} ({word_name(best.region)}{where})"
        limits.append(
            Limit(
                quantity=f"{word_name(ceiling.metric)}{regions}",
                ceiling=f"{factor}{measured} ({ceiling.by_benchmark})",
                reason=ceiling.reason,
                reached=reached,
                target=anchors.place(best) if best else "",
            )
        )
    return limits
