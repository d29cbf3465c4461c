"""What programs answer to one question: scaling as curves with an ideal line, the rest as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.studies.answers import AnswerLine
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.captions import read_disturbed, read_values, word_more_bars
from heorot.report.figures.drawing import MAXIMUM_BARS, Drawing, Line, Panel
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.svg.bars import svg_bars
from heorot.report.figures.svg.scaling import svg_scaling
from heorot.report.wording import count

# Two bars are read in the table as well.
_LEAST_BARS = 3


def _scaling(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """A curve for each program, of the colour of its family; None if there is none."""
    return _curves(figure, identifier, material.answer.lines if material.answer else (), "Speedup")


def _scaled(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """A curve for each program whose problem grows with the cores; None if there is none."""
    lines = material.answer.growing if material.answer else ()
    return _curves(figure, identifier, lines, "Efficiency")


def _curves(
    figure: Figure, identifier: str, answers: Sequence[AnswerLine], what: str
) -> Drawing | None:
    curves = [one for one in answers if len(one.curve) > 1]
    if not curves:
        return None
    families = list(dict.fromkeys(_family(one) for one in curves))
    lines = tuple(_curve(one, families.index(_family(one))) for one in curves)
    most = max(one.curve[-1].cores for one in curves)
    return Drawing(
        id=identifier,
        figure=figure,
        unit=curves[0].curve[0].value.unit,
        panels=(Panel("", lines),),
        keys=tuple((name, style) for style, name in enumerate(families)),
        summary=f"{what} of {count(len(curves), 'program')} on up to {count(most, 'core')}.",
    )


def _family(one: AnswerLine) -> str:
    return one.benchmark.partition("/")[0]


def _curve(one: AnswerLine, style: int) -> Line:
    network = f" over {one.network}" if one.network else ""
    return Line(
        name=f"{one.problem}{network}",
        style=style,
        x=tuple(point.cores for point in one.curve),
        **_drawn([point.value for point in one.curve]),
        perturbed=tuple(point.disturbed for point in one.curve),
    )


def _bars(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """A bar for each program, by its efficiency where it has one; None of few programs."""
    answer = material.answer
    every = answer.lines if answer else ()
    efficient = [one for one in every if one.efficiency]
    shown = (efficient or list(every))[:MAXIMUM_BARS]
    if len(shown) < _LEAST_BARS:
        return None
    values = [one.efficiency or one.value for one in shown]
    lines = []
    networks = list(dict.fromkeys(one.network for one in shown))
    for style, network in enumerate(networks):
        own = [i for i, one in enumerate(shown) if one.network == network]
        lines.append(
            Line(
                name=network,
                style=style,
                x=tuple(shown[i].problem for i in own),
                **_drawn([values[i] for i in own]),
                perturbed=(False,) * len(own),
            )
        )
    n_beyond = len(efficient or every) - len(shown)
    return Drawing(
        id=identifier,
        figure=figure,
        unit=values[0].unit,
        panels=(Panel("", tuple(lines)),),
        keys=tuple((name, style) for style, name in enumerate(networks) if name),
        summary=f"{count(len(shown), 'value')}, the worst first.",
        omitted=f"{word_more_bars(n_beyond)}." if n_beyond else "",
    )


def _drawn(values: Sequence[Quantity]) -> dict[str, Any]:
    """Values with intervals and launches, without bounds, in the form of a line."""
    ends = [
        (one.median if each is None else each) for one in values for each in (one.low, one.high)
    ]
    return {
        "y": tuple(one.median for one in values),
        "low": tuple(ends[::2]),
        "high": tuple(ends[1::2]),
        "launches": tuple(one.launches or 0 for one in values),
        "bounds": (None,) * len(values),
    }


def _read(drawing: Drawing) -> str:
    """Explains the marks of speedups and efficiencies."""
    ideal = "as much per core" if drawing.unit else "as many times as fast as there are cores"
    text = f"Dotted line: {ideal}. Colours: families of programs."
    return " ".join((text, "Whiskers: 95 % interval of the median.", *read_disturbed(drawing)))


def _read_bars(drawing: Drawing) -> str:
    return read_values(drawing, "")


SCALING = Kind(name="scaling", draw=_scaling, read=_read, svg=svg_scaling, keys="lines")
SCALED = Kind(name="scaled", draw=_scaled, read=_read, svg=svg_scaling, keys="lines")
ANSWERS = Kind(name="answers", draw=_bars, read=_read_bars, svg=svg_bars, keys="bars")
