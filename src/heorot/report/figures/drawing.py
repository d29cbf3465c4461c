"""What a figure shows, before anyone decides how to draw it: panels of lines or of bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Figure
from heorot.model.run.records import Scalar
from heorot.report.figures.captions import name_omitted, summarise
from heorot.report.wording import format_coordinate, word_name, word_row_layout

MAXIMUM_LINES = 8
"""More than these in one panel cannot be told apart: they are spread over panels."""

MAXIMUM_PANELS = 48

Pattern = Literal["", "lines", "dots"]
"""What a segment of a stack is drawn with besides its colour."""


@dataclass(frozen=True)
class Line:
    """A curve, or the bars of one colour.

    Attributes:
        name: for the key.
        style: index of colour, dash and marker.
        x: coordinates, or the names of the bars.
        y: medians [unit of the drawing].
        low: lower ends of the 95 % intervals.
        high: upper ends.
        ceilings: what limits each, None where nothing is known to.
        disturbed: whether only disturbed samples stand behind each.
        pattern: of the segments of a stack.
        texts: what is to be read of each segment of a stack.
    """

    name: str
    style: int
    x: tuple[Scalar, ...]
    y: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    ceilings: tuple[float | None, ...]
    disturbed: tuple[bool, ...]
    pattern: Pattern = ""
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Panel:
    """Lines that share two axes; all panels of a drawing have equal axes."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Drawing:
    """What a figure shows.

    Attributes:
        id: unique in the page.
        figure: the catalogue's record.
        unit: SI unit of the values.
        panels: at least one, each with at least one line.
        keys: name and style of all lines, in order.
        summary: what is to be seen, in words, for those who cannot see it.
        omitted: what is not drawn and why, or empty.
        ends: what stands at the ends of stacked bars.
    """

    id: str
    figure: Figure
    unit: str
    panels: tuple[Panel, ...]
    keys: tuple[tuple[str, int], ...]
    summary: str
    omitted: str
    ends: tuple[str, ...] = ()

    @property
    def lines(self) -> list[Line]:
        """All lines of all panels."""
        return [line for panel in self.panels for line in panel.lines]


Dimension = tuple[str, Callable[[Result], Scalar]]


def draw(figure: Figure, rows: Sequence[Result], identifier: str) -> Drawing | None:
    """Sorts the rows of one benchmark into panels and lines; None if nothing can be drawn.

    Args:
        figure: the catalogue's record.
        rows: results of the benchmark, any metric.
        identifier: unique in the page.
    """
    wanted = [
        row
        for row in rows
        if row.metric == figure.metric
        and (not figure.regions or row.region in figure.regions)
        and (figure.kind == "bars" or figure.x in {"cores", *row.point})
    ]
    good = [row for row in wanted if row.ranked]
    shown = [row for row in good if not _vanishes(figure, row)]
    position = _position(figure)
    if len(set(map(position[1], shown))) < figure.least_values:
        return None
    dimensions = _resolve(shown, position, [_dimension(name) for name in figure.series])
    if figure.kind == "bars":
        if len({row.region for row in shown}) == 1 and dimensions:
            position, *dimensions = dimensions
        elif len({row.region for row in shown}) > 1:
            dimensions = [each for each in dimensions if each[0] != "region"]
    panels, keys = _arrange(shown, position, dimensions)
    return Drawing(
        id=identifier,
        figure=figure,
        unit=shown[0].unit,
        panels=panels[:MAXIMUM_PANELS],
        keys=keys,
        summary=summarise(figure, shown, len(panels), keys),
        omitted=name_omitted(
            len(wanted) - len(good),
            [row for row in good if _vanishes(figure, row)],
            len(panels) - MAXIMUM_PANELS,
        ),
    )


def _position(figure: Figure) -> Dimension:
    return _dimension("region") if figure.kind == "bars" else _dimension(figure.x)


def _dimension(name: str) -> Dimension:
    """A way to tell rows apart, which gives the label of a row."""
    named: dict[str, Callable[[Result], Scalar]] = {
        "region": lambda row: row.region,
        "layout": word_row_layout,
        "cores": lambda row: row.cores,
        "way": _word_way,
        "toolchain": lambda row: row.toolchain,
        "case": lambda row: row.case,
    }
    return name, named.get(name, lambda row: row.point.get(name, ""))


def _word_way(row: Result) -> str:
    """What a row has more of on more cores; one core is a rank."""
    if row.is_star:
        return "copies"
    if row.threads == 1:
        return "ranks"
    return "threads" if row.ranks == 1 else f"ranks of {row.threads} threads"


def _resolve(
    rows: Sequence[Result], position: Dimension, declared: list[Dimension]
) -> list[Dimension]:
    """Adds dimensions until no two rows fall on the same spot; drops those that never vary."""
    dimensions = [each for each in declared if each[0] != position[0]]
    while True:
        spots: dict[tuple[Scalar, ...], list[Result]] = {}
        for row in rows:
            spot = (position[1](row), *(value(row) for _, value in dimensions))
            spots.setdefault(spot, []).append(row)
        crowded = [group for group in spots.values() if len(group) > 1]
        names = {name for name, _ in dimensions}
        candidates = [
            _dimension(name)
            for name in dict.fromkeys(
                ("layout", "toolchain", *(key for row in rows for key in row.point), "case")
            )
            if name not in names and name != position[0]
        ]
        useful = [
            each for each in candidates if any(len(set(map(each[1], g))) > 1 for g in crowded)
        ]
        if not useful:
            break
        # The one with fewest values keeps the curves whole.
        dimensions.append(min(useful, key=lambda each: len(set(map(each[1], rows)))))
    return [each for each in dimensions if len(set(map(each[1], rows))) > 1]


def _arrange(
    rows: Sequence[Result], position: Dimension, dimensions: list[Dimension]
) -> tuple[tuple[Panel, ...], tuple[tuple[str, int], ...]]:
    """Chooses which dimensions make lines and which make panels."""
    inner, outer = list(dimensions), list[Dimension]()
    sizes = {name: len(set(map(value, rows))) for name, value in dimensions}

    def n_lines(chosen: list[Dimension]) -> int:
        return len({tuple(value(row) for _, value in chosen) for row in rows})

    while len(inner) > 1 and n_lines(inner) > MAXIMUM_LINES:
        largest = max(inner, key=lambda each: sizes[each[0]])
        inner.remove(largest)
        outer.append(largest)
    if inner and n_lines(inner) > MAXIMUM_LINES:
        inner, outer = [], inner + outer
    panels: dict[str, dict[str, list[Result]]] = {}
    styles: dict[str, int] = {}
    for row in rows:
        line = _label(row, inner)
        styles.setdefault(line, len(styles))
        panels.setdefault(_label(row, outer), {}).setdefault(line, []).append(row)
    arranged = tuple(
        Panel(
            title=title,
            lines=tuple(
                _make_line(name, styles[name], group, position) for name, group in lines.items()
            ),
        )
        for title, lines in panels.items()
    )
    return arranged, tuple((name, style) for name, style in styles.items() if name)


def _label(row: Result, dimensions: Sequence[Dimension]) -> str:
    return ", ".join(_word(name, value(row)) for name, value in dimensions)


def _word(name: str, value: Scalar) -> str:
    """A value that explains itself needs no name; a bare number does."""
    if isinstance(value, str):
        return word_name(value) if name == "region" else value
    return f"{word_name(name)} {format_coordinate(name, value)}"


def _make_line(name: str, style: int, rows: list[Result], position: Dimension) -> Line:
    x = [position[1](row) for row in rows]
    if all(isinstance(each, int | float) for each in x):
        order = sorted(range(len(rows)), key=lambda i: float(x[i]))
        rows, x = [rows[i] for i in order], [x[i] for i in order]
    elif position[0] == "region":
        x = [word_name(str(each)) for each in x]
    return Line(
        name=name,
        style=style,
        x=tuple(x),
        y=tuple(row.median for row in rows),
        low=tuple(row.ci_low for row in rows),
        high=tuple(row.ci_high for row in rows),
        ceilings=tuple(
            row.median / row.share_of_ceiling if row.share_of_ceiling else None for row in rows
        ),
        disturbed=tuple(row.disturbed for row in rows),
    )


def _vanishes(figure: Figure, row: Result) -> bool:
    """Whether a logarithmic axis has no place for the row."""
    x = row.point.get(figure.x)
    lost_x = figure.kind == "curve" and figure.log_x and isinstance(x, int | float) and x <= 0
    return lost_x or (figure.log_y and min(row.median, row.ci_low) <= 0)
