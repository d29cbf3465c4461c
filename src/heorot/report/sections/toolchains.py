"""The section of toolchains: what is said of them, their map, every ratio, what porting takes."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.analysis.result import Sentence
from heorot.model.analysis.studies.toolchains import TOOLCHAINS, ToolchainField, ToolchainStudy
from heorot.model.catalogue.figure import Figure
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import Anchors, Evidence
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.units import NOTHING

ID = "toolchains-compared"

_MAP = Figure(title="How fast each program is with each toolchain", kind="toolchain_map")
_TONES = {"better": "good", "worse": "bad"}


@dataclass(frozen=True)
class ToolchainSection:
    """Toolchains held against the first one.

    Attributes:
        id: fragment of the page.
        base: the first toolchain.
        sentences: what the verdict had no room for, with the evidence.
        drawing: the map; None if nothing can be drawn.
        tables: every ratio with its interval; means over all programs; what porting takes.
    """

    id: str
    base: str
    sentences: tuple[tuple[Sentence, Evidence], ...]
    drawing: Drawing | None
    tables: tuple[Table, ...]


def toolchain_section(
    evaluation: Evaluation, anchors: Anchors, allowance: Allowance
) -> ToolchainSection | None:
    """The section; None if there was one toolchain.

    Args:
        evaluation: the run.
        anchors: where rows are shown.
        allowance: how many rows may still be packed; is reduced.
    """
    study = evaluation.analysis.toolchains
    if study is None:
        return None
    tables = [_means(study, allowance), _ratios(study, allowance)]
    if study.porting:
        tables.append(_porting(study, allowance))
    return ToolchainSection(
        id=ID,
        base=study.base,
        sentences=tuple(
            (sentence, anchors.evidence(sentence.evidence))
            for sentence in evaluation.analysis.sentences
            if sentence.family == TOOLCHAINS
        ),
        drawing=draw(_MAP, Material(toolchains=study), "f-toolchains"),
        tables=tuple(tables),
    )


def _means(study: ToolchainStudy, allowance: Allowance) -> Table:
    rows = [
        (Cell(mean.toolchain), Cell(f"{mean.ratio:.3f}", mean.ratio), Cell(str(mean.n), mean.n))
        for mean in study.means
    ]
    columns = [
        Column("toolchain"),
        Column("times as fast", numeric=True),
        Column("programs", numeric=True),
    ]
    caption = f"All programs together beside {study.base}: geometric mean of those that are right"
    return make_table("toolchain-means", caption, columns, list(map(Row, rows)), allowance)


def _ratios(study: ToolchainStudy, allowance: Allowance) -> Table:
    rows = [
        Row((Cell(field.benchmark), Cell(field.toolchain), *_cells(field)))
        for field in study.fields
    ]
    columns = [
        Column("program"),
        Column("toolchain"),
        Column("times as fast", numeric=True),
        Column("95 % interval", numeric=True),
        Column("numbers", numeric=True),
        Column("verdict"),
        Column("why"),
    ]
    caption = f"Every program with every toolchain, beside {study.base}"
    return make_table("toolchain-ratios", caption, columns, rows, allowance)


def _cells(field: ToolchainField) -> tuple[Cell, ...]:
    why = Cell(field.reason or NOTHING)
    if field.state != "measured" or field.ratio is None:
        nothing = (Cell(NOTHING),) * 3
        tone = "bad" if field.state != "measured" else "muted"
        said = field.state if field.state != "measured" else "nothing to compare"
        return (*nothing, Cell(said, tone=tone), why)
    return (
        Cell(f"{field.ratio:.3f}", field.ratio),
        Cell(f"{field.low:.3f}–{field.high:.3f}"),
        Cell(str(field.n), field.n),
        Cell(field.verdict, tone=_TONES.get(field.verdict, "")),
        why,
    )


def _porting(study: ToolchainStudy, allowance: Allowance) -> Table:
    rows = [
        Row(
            (
                Cell(one.toolchain),
                Cell(one.benchmark),
                Cell(one.what, tone="" if one.what == "other flags" else "bad"),
                Cell(one.detail),
            )
        )
        for one in study.porting
    ]
    columns = [Column("toolchain"), Column("program"), Column("what"), Column("detail")]
    caption = "Porting: what did not compile, is wrong, lost digits or has flags of its own"
    return make_table("porting", caption, columns, rows, allowance)
