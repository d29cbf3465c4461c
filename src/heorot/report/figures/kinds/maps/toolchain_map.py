"""A map of programs and toolchains: how many times as fast as with the first one, or wrong.

Each field has its number. Colours diverge from one, as in the map of nodes: warm is slower, cool is
faster. Fields that differ beyond chance have a frame. What is wrong has a cross and no number: its
speed is that of another computation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from heorot.model.analysis.studies.toolchains import State, ToolchainField, ToolchainStudy
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.svg.fields import svg_fields
from heorot.report.wording import count

CLASSES: tuple[tuple[float, str], ...] = (
    (0.0, "< 0.5"),
    (0.5, "0.5–0.8"),
    (0.8, "0.8–0.95"),
    (0.95, "0.95–0.99"),
    (0.99, "0.99–1.01"),
    (1.01, "1.01–1.1"),
    (1.1, "1.1–1.5"),
    (1.5, "> 1.5"),
)
"""Least ratio of speeds, and the words for it [1]."""

MOST_TOOLCHAINS = 24
"""More columns leave no room for their names."""

_SIGNS: Mapping[State, str] = {"wrong": "✗", "not ended": "†", "not built": "–"}
"""What stands in a field without a speed."""


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    analysis = material.toolchains
    if analysis is None or not analysis.fields:
        return None
    shown = analysis.toolchains[:MOST_TOOLCHAINS]
    by_program: dict[str, dict[str, ToolchainField]] = {name: {} for name in analysis.programs}
    for field in analysis.fields:
        by_program[field.benchmark][field.toolchain] = field
    names = name_columns(analysis.base, shown)
    lines = tuple(_line(name, fields, shown, names) for name, fields in by_program.items())
    beyond = len(analysis.toolchains) - len(shown)
    return Drawing(
        id=identifier,
        figure=figure,
        unit="1",
        panels=(Panel("", lines),),
        summary=_summarise(analysis),
        omitted=f"{count(beyond, 'more toolchain')} in the table only." if beyond else "",
    )


def name_columns(base: str, toolchains: Sequence[str]) -> list[str]:
    """The parts of each name that the first toolchain lacks, if they are unique."""
    known = base.split("+")
    names = ["+".join(w for w in name.split("+") if w not in known) for name in toolchains]
    return names if all(names) and len(set(names)) == len(names) else list(toolchains)


def _line(
    name: str,
    fields: Mapping[str, ToolchainField],
    toolchains: Sequence[str],
    columns: Sequence[str],
) -> Line:
    cells = [fields.get(toolchain) for toolchain in toolchains]
    values = tuple(_value(cell) for cell in cells)
    return Line.exact(
        name,
        columns,
        values,
        texts=tuple(_text(cell) for cell in cells),
        labels=tuple(_label(cell) for cell in cells),
        marked=tuple(
            cell is not None and cell.verdict != "indistinguishable" and cell.state == "measured"
            for cell in cells
        ),
    )


def _value(cell: ToolchainField | None) -> float:
    return (
        float("nan") if cell is None or cell.ratio is None or cell.state in _SIGNS else cell.ratio
    )


def _label(cell: ToolchainField | None) -> str:
    """What stands in a field: a sign, or the ratio."""
    if cell is None:
        return ""
    return _SIGNS.get(cell.state, "" if cell.ratio is None else f"{cell.ratio:.2f}")


def _text(cell: ToolchainField | None) -> str:
    """What is to be read of a field, a sign in front if it has no speed."""
    if cell is None:
        return "not run"
    if cell.state in _SIGNS:
        return f"{_SIGNS[cell.state]} {cell.state}: {cell.reason}"
    if cell.ratio is None or cell.low is None or cell.high is None:
        return f"nothing to compare: {cell.reason}" if cell.reason else "nothing to compare"
    return f"{cell.ratio:.2f} [{cell.low:.2f}, {cell.high:.2f}] times as fast"


def _summarise(analysis: ToolchainStudy) -> str:
    """The caption of the map."""
    n_toolchains = count(len(analysis.toolchains), "toolchain")
    shown = f"{count(len(analysis.programs), 'program')} with {n_toolchains}"
    parts = [
        f"Speed of {shown}, relative to {analysis.base}.",
    ]
    for state, words in (("wrong", "wrong"), ("not built", "not compiled")):
        named = [
            f"{field.benchmark} with {field.toolchain}"
            for field in analysis.fields
            if field.state == state
        ]
        if named:
            parts.append(f"{words.capitalize()}: {', '.join(named)}.")
    return " ".join(parts)


def _read(drawing: Drawing) -> str:
    parts = ["Fields: how many times as fast as with the first toolchain."]
    if any(any(line.marked) for line in drawing.lines):
        parts.append("Framed: different beyond chance.")
    texts = [text for line in drawing.lines for text in line.texts]
    signs = (("✗", "wrong results"), ("†", "did not end"), ("–", "did not compile"))
    parts += [
        f"{sign}: {words}." for sign, words in signs if any(text.startswith(sign) for text in texts)
    ]
    return " ".join(parts)


TOOLCHAIN_MAP = Kind(
    name="toolchain_map",
    draw=_draw,
    read=_read,
    svg=partial(svg_fields, classes=CLASSES, height=16.0, width=34.0),
    keys="parts",
)
