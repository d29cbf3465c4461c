"""The section of toolchains: what is said of them, their map, every ratio, what porting takes."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.analysis.result import Sentence
from heorot.model.analysis.studies.toolchains import (
    TOOLCHAINS,
    Accuracy,
    ToolchainField,
    ToolchainMean,
    ToolchainStudy,
)
from heorot.model.catalogue.figure import Figure
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import Anchors, Evidence
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.kinds.maps.toolchain_map import MOST_TOOLCHAINS
from heorot.report.figures.show import draw
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.units import NOTHING

ID = "toolchains-compared"

_MAP = Figure(title="How fast each program is with each toolchain", kind="toolchain_map")
_TONES = {"better": "good", "worse": "bad"}
_WHOLE = "programs"
_OF = Column("compared by")
_RATIO = (Column("times as fast", numeric=True), Column("95 % interval", numeric=True))


@dataclass(frozen=True)
class ToolchainSection:
    """Toolchains compared with the first one.

    Attributes:
        base: the first toolchain.
        drawing: the map; None if nothing can be drawn.
        compared: means over all programs, every ratio with its interval; none of one toolchain.
        accuracy: the checks that differ; None if none does.
        porting: what was in the way; None if nothing was.
    """

    id: str
    base: str
    sentences: tuple[tuple[Sentence, Evidence], ...]
    drawing: Drawing | None
    compared: tuple[Table, ...]
    accuracy: Table | None
    porting: Table | None

    @property
    def tables(self) -> tuple[Table, ...]:
        """All of them."""
        return (*self.compared, *filter(None, (self.accuracy, self.porting)))


def toolchain_section(
    evaluation: Evaluation, anchors: Anchors, allowance: Allowance
) -> ToolchainSection | None:
    """The section; None if there was one toolchain, and porting to it took nothing."""
    study = evaluation.analysis.toolchains
    if study is None:
        return None
    compared = (_means(study, allowance), _ratios(study, allowance)) if study.fields else ()
    return ToolchainSection(
        id=ID,
        base=study.base,
        sentences=tuple(
            (sentence, anchors.evidence(sentence.evidence))
            for sentence in evaluation.analysis.sentences
            if sentence.family == TOOLCHAINS
        ),
        drawing=draw(_MAP, Material(toolchains=study), "f-toolchains"),
        compared=compared,
        accuracy=_accuracy(study, allowance) if study.accuracy else None,
        porting=_porting(study, allowance) if study.porting else None,
    )


def _means(study: ToolchainStudy, allowance: Allowance) -> Table:
    rows = [
        Row(
            (
                Cell(mean.toolchain),
                Cell(mean.part or _WHOLE),
                *_ratio(mean),
                Cell(str(mean.n), mean.n),
            )
        )
        for mean in study.means
    ]
    columns = [
        Column("toolchain"),
        _OF,
        *_RATIO,
        Column("programs", numeric=True),
    ]
    caption = f"All programs together beside {study.base}: geometric mean of those that are right"
    return make_table("toolchain-means", caption, columns, rows, allowance)


def _ratio(one: ToolchainField | ToolchainMean) -> tuple[Cell, Cell]:
    return Cell(f"{one.ratio:.3f}", one.ratio), Cell(f"{one.low:.3f}–{one.high:.3f}")


def _ratios(study: ToolchainStudy, allowance: Allowance) -> Table:
    rows = [
        Row(
            (
                Cell(field.benchmark),
                Cell(field.toolchain),
                Cell(field.part or _WHOLE),
                *_cells(field),
            )
        )
        for field in study.fields
    ]
    columns = [
        Column("program"),
        Column("toolchain"),
        _OF,
        *_RATIO,
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
        *_ratio(field),
        Cell(str(field.n), field.n),
        Cell(field.verdict, tone=_TONES.get(field.verdict, "")),
        why,
    )


def _accuracy(study: ToolchainStudy, allowance: Allowance) -> Table:
    """A column for each toolchain, as far as there is room; what fails is marked."""
    names = list(dict.fromkeys(name for one in study.accuracy for name in one.values))
    names = names[:MOST_TOOLCHAINS]
    rows = [
        Row(
            (
                *map(Cell, (one.benchmark, one.region or NOTHING, one.check)),
                Cell(f"{one.tolerance:.2g}", one.tolerance),
                *(_value(one, name) for name in names),
            )
        )
        for one in study.accuracy
    ]
    columns = [
        *map(Column, ("program", "region", "check")),
        Column("allowed", numeric=True),
        *(Column(name, numeric=True) for name in names),
    ]
    caption = "Checks whose largest value differs between toolchains by a factor of two or more"
    return make_table("toolchain-accuracy", caption, columns, rows, allowance)


def _value(one: Accuracy, toolchain: str) -> Cell:
    value = one.values.get(toolchain)
    if value is None:
        return Cell(NOTHING, tone="muted")
    return Cell(f"{value:.2g}", value, "" if value <= one.tolerance else "bad")


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
    caption = "What did not compile, is wrong, lost digits or has flags of its own"
    return make_table("porting", caption, columns, rows, allowance)
