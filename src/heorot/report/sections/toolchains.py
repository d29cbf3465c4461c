"""The section of toolchains: sentences, map, all ratios, changes needed for porting."""

from __future__ import annotations

from collections.abc import Callable

from heorot.model.analysis.studies.toolchains import (
    TOOLCHAINS,
    Accuracy,
    Porting,
    ToolchainField,
    ToolchainMean,
    ToolchainStudy,
)
from heorot.model.catalogue.figure import Figure
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import Frame
from heorot.report.figures.kind import Material
from heorot.report.figures.kinds.maps.toolchain_map import MOST_TOOLCHAINS
from heorot.report.figures.show import draw
from heorot.report.sections.section import Part, Section
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.units import NOTHING

ID = "toolchains-compared"

_MAP = Figure(title="How fast each program is with each toolchain", kind="toolchain_map")
_TONES = {"better": "good", "worse": "bad"}
_WHOLE = "programs"


def toolchain_section(evaluation: Evaluation, frame: Frame) -> Section | None:
    """The section; None if there was one toolchain, and porting to it took nothing."""
    analysis, allowance = evaluation.analysis.toolchains, frame.allowance
    if analysis is None:
        return None
    drawing = draw(_MAP, Material(toolchains=analysis), "f-toolchains")
    compared = (
        (_means(analysis, allowance), _ratios(analysis, allowance)) if analysis.fields else ()
    )
    parts = [Part("", "", (drawing,) if drawing else (), ()), Part("", "", (), compared)]
    if analysis.accuracy:
        parts.append(Part("Accuracy", "", (), (_accuracy(analysis, allowance),)))
    if analysis.porting:
        parts.append(Part("Porting", "", (), (_porting(analysis, allowance),), "porting"))
    said = frame.anchors.sentences_of(evaluation.analysis, TOOLCHAINS)
    return Section(ID, "Toolchains", said, tuple(parts))


def _means(analysis: ToolchainStudy, allowance: Allowance) -> Table:
    fields: columns.Fields[ToolchainMean] = (
        columns.text("toolchain", lambda mean: mean.toolchain),
        columns.text("compared by", lambda mean: mean.part or _WHOLE),
        columns.numbers("times as fast", _ratio),
        columns.numbers("95 % interval", _interval),
        columns.whole("programs", lambda mean: mean.n),
    )
    caption = f"All programs relative to {analysis.base}: geometric mean of those that are right"
    return make_table(
        "toolchain-means", caption, *columns.lay_out(analysis.means, fields), allowance
    )


def _ratio(one: ToolchainField | ToolchainMean) -> Cell:
    return Cell(f"{one.ratio:.3f}", one.ratio)


def _interval(one: ToolchainField | ToolchainMean) -> Cell:
    return Cell(f"{one.low:.3f}–{one.high:.3f}")


def _ratios(analysis: ToolchainStudy, allowance: Allowance) -> Table:
    def known(cell: Callable[[ToolchainField], Cell]) -> Callable[[ToolchainField], Cell]:
        """The cell of a field with a speed, else a dash."""
        return lambda field: cell(field) if _is_compared(field) else Cell(NOTHING)

    fields: columns.Fields[ToolchainField] = (
        columns.text("program", lambda field: field.benchmark),
        columns.text("toolchain", lambda field: field.toolchain),
        columns.text("compared by", lambda field: field.part or _WHOLE),
        columns.numbers("times as fast", known(_ratio)),
        columns.numbers("95 % interval", known(_interval)),
        columns.numbers("numbers", known(lambda field: Cell(str(field.n), field.n))),
        columns.plain("verdict", _verdict),
        columns.text("why", lambda field: field.reason or NOTHING),
    )
    caption = f"Every program with every toolchain, relative to {analysis.base}"
    return make_table(
        "toolchain-ratios", caption, *columns.lay_out(analysis.fields, fields), allowance
    )


def _is_compared(field: ToolchainField) -> bool:
    return field.state == "measured" and field.ratio is not None


def _verdict(field: ToolchainField) -> Cell:
    if _is_compared(field):
        return Cell(field.verdict, tone=_TONES.get(field.verdict, ""))
    if field.state != "measured":
        return Cell(field.state, tone="bad")
    return Cell("nothing to compare", tone="muted")


def _accuracy(analysis: ToolchainStudy, allowance: Allowance) -> Table:
    """A column for each toolchain, as far as there is room; failures are marked."""

    def value(toolchain: str) -> columns.Field[Accuracy]:
        return columns.numbers(toolchain, lambda one: _value(one, toolchain))

    names = list(dict.fromkeys(name for one in analysis.accuracy for name in one.values))
    fields: columns.Fields[Accuracy] = (
        columns.text("program", lambda one: one.benchmark),
        columns.text("region", lambda one: one.region or NOTHING),
        columns.text("check", lambda one: one.check),
        columns.numbers("allowed", lambda one: Cell(f"{one.tolerance:.2g}", one.tolerance)),
        *map(value, names[:MOST_TOOLCHAINS]),
    )
    caption = "Checks whose largest value differs between toolchains by a factor of two or more"
    laid = columns.lay_out(analysis.accuracy, fields)
    return make_table("toolchain-accuracy", caption, *laid, allowance).narrow()


def _value(one: Accuracy, toolchain: str) -> Cell:
    value = one.values.get(toolchain)
    if value is None:
        return Cell(NOTHING, tone="muted")
    return Cell(f"{value:.2g}", value, "" if value <= one.tolerance else "bad")


def _porting(analysis: ToolchainStudy, allowance: Allowance) -> Table:
    fields: columns.Fields[Porting] = (
        columns.text("toolchain", lambda one: one.toolchain),
        columns.text("program", lambda one: one.benchmark),
        columns.plain(
            "what", lambda one: Cell(one.what, tone="" if one.what == "other flags" else "bad")
        ),
        columns.text("detail", lambda one: one.detail),
    )
    caption = "What did not compile, is wrong, lost digits or has flags of its own"
    return make_table("porting", caption, *columns.lay_out(analysis.porting, fields), allowance)
