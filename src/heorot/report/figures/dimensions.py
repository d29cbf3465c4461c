"""Dimensions of rows: which become panels, which lines, and which positions on an axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from heorot.model.analysis.result import Result
from heorot.model.grouping import group_by
from heorot.model.point import Scalar
from heorot.report.figures.drawing import Key, Line, Panel
from heorot.report.wording import format_coordinate, word_name, word_row_layout

MAXIMUM_LINES = 8
"""More lines in one panel are hard to distinguish: they are spread over panels."""

MAXIMUM_PANELS = 48


class Dimension(NamedTuple):
    """A dimension that distinguishes rows: its name, and the value of a row."""

    name: str
    value: Callable[[Result], Scalar]


@dataclass(frozen=True)
class Arrangement:
    """Rows in panels.

    Attributes:
        panels: at most MAXIMUM_PANELS.
    """

    panels: tuple[Panel, ...]
    keys: tuple[Key, ...]
    rows: tuple[Result, ...]
    n_omitted: int


def dimension(name: str) -> Dimension:
    """The dimension of this name in the catalogue; other names are coordinates."""
    named: dict[str, Callable[[Result], Scalar]] = {
        "program": lambda row: row.benchmark,
        "region": lambda row: row.region,
        "layout": word_row_layout,
        "cores": lambda row: row.cores,
        "way": _word_way,
        "toolchain": lambda row: str(row.stack),
        "case": lambda row: row.case,
        "per_node": lambda row: f"{row.per_node} per node",
    }
    return Dimension(name, named.get(name, lambda row: row.point.get(name, "")))


def n_values(each: Dimension, rows: Sequence[Result]) -> int:
    """How many values the rows have in that dimension."""
    return len(set(map(each.value, rows)))


def resolve(
    rows: Sequence[Result],
    position: Dimension,
    declared: Sequence[str],
    within: Sequence[Dimension] = (),
) -> list[Dimension]:
    """Adds dimensions until no two rows fall on the same spot; drops those that never vary.

    Args:
        within: set already; the others have to vary where these are all the same.
    """
    taken = {each.name: each for each in (position, *within)}
    chosen = {name: dimension(name) for name in declared if name not in taken}
    while found := _distinguish(rows, taken | chosen):
        chosen[found.name] = found
    groups = group_by(rows, lambda row: tuple(each.value(row) for each in within))
    return [
        each
        for each in chosen.values()
        if any(n_values(each, group) > 1 for group in groups.values())
    ]


def arrange(
    rows: Sequence[Result],
    position: Dimension,
    dimensions: Sequence[Dimension],
    panels_by: Sequence[Dimension] = (),
    most_lines: int = MAXIMUM_LINES,
) -> Arrangement:
    """Chooses which dimensions make lines and which make panels.

    Args:
        most_lines: of one panel; where there are more, they are spread over panels.
    """
    inner, outer = list(dimensions), list(panels_by)

    def n_lines() -> int:
        return len({tuple(each.value(row) for each in inner) for row in rows})

    while len(inner) > 1 and n_lines() > most_lines:
        largest = max(inner, key=lambda each: n_values(each, rows))
        inner.remove(largest)
        outer.append(largest)
    if inner and n_lines() > most_lines:
        inner, outer = [], inner + outer
    panels: dict[str, dict[str, list[Result]]] = {}
    for row in rows:
        lines = panels.setdefault(_label(row, outer), {})
        lines.setdefault(_label(row, inner), []).append(row)
    kept = dict(list(panels.items())[:MAXIMUM_PANELS])
    drawn = [row for row in rows if _label(row, outer) in kept]
    names = dict.fromkeys(_label(row, inner) for row in drawn)
    styles = {name: style for style, name in enumerate(names)}
    return Arrangement(
        panels=tuple(
            Panel(
                title,
                tuple(
                    _make_line(name, styles[name], group, position) for name, group in lines.items()
                ),
            )
            for title, lines in kept.items()
        ),
        keys=tuple((name, style) for name, style in styles.items() if name),
        rows=tuple(drawn),
        n_omitted=len(panels) - len(kept),
    )


def _distinguish(rows: Sequence[Result], known: Mapping[str, Dimension]) -> Dimension | None:
    """A further dimension for rows that fall on the same spot; None if there is none."""
    spots = group_by(rows, lambda row: tuple(each.value(row) for each in known.values()))
    crowded = [group for group in spots.values() if len(group) > 1]
    points = (name for row in rows for name in row.point)
    candidates = dict.fromkeys(("program", "layout", "toolchain", *points, "case", "region"))
    useful = [
        each
        for each in (dimension(name) for name in candidates if name not in known)
        if any(n_values(each, group) > 1 for group in crowded)
    ]
    # The one with fewest values keeps the curves whole.
    return min(useful, key=lambda each: n_values(each, rows), default=None)


def _word_way(row: Result) -> str:
    """What a row has more of on more cores; one core is a rank.

    A coordinate of the program with that name takes precedence.
    """
    if "way" in row.point:
        return str(row.point["way"])
    if row.is_star:
        return "copies"
    if row.threads == 1:
        return "ranks"
    return "threads" if row.ranks == 1 else f"ranks of {row.threads} threads"


def _label(row: Result, dimensions: Sequence[Dimension]) -> str:
    return ", ".join(_word(each.name, each.value(row)) for each in dimensions)


def _word(name: str, value: Scalar) -> str:
    """A value that explains itself needs no name; a bare number does."""
    if isinstance(value, str):
        return word_name(value) if name == "region" else value
    return f"{word_name(name)} {format_coordinate(name, value)}"


def _make_line(name: str, style: int, rows: list[Result], position: Dimension) -> Line:
    x = [position.value(row) for row in rows]
    if all(isinstance(each, int | float) for each in x):
        order = sorted(range(len(rows)), key=lambda i: float(x[i]))
        rows, x = [rows[i] for i in order], [x[i] for i in order]
    elif position.name == "region":
        x = [word_name(str(each)) for each in x]
    return Line(
        name=name,
        style=style,
        x=tuple(x),
        y=tuple(row.median for row in rows),
        low=tuple(row.ci_low for row in rows),
        high=tuple(row.ci_high for row in rows),
        bounds=tuple(
            row.median / row.share_of_ceiling if row.share_of_ceiling else None for row in rows
        ),
        perturbed=tuple(row.disturbed for row in rows),
        launches=tuple(row.n_launches for row in rows),
    )
