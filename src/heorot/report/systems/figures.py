"""Figures of several systems: a colour for each, other dimensions as panels.

The figures are those of the catalogue for one system. Rows are matched by their number of cores. Of
several layouts of a system on as many cores, the one on fewest nodes is drawn; of nodes measured
one by one, the median. Pairs of nodes are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.nodes import NODE, PAIR
from heorot.model.analysis.studies.systems import (
    MOST_SYSTEMS,
    Advantage,
    SideBySide,
    lead_of,
)
from heorot.model.catalogue.family import Family
from heorot.model.catalogue.figure import Figure
from heorot.model.run.identity import Key
from heorot.report.figures.dimensions import (
    Arrangement,
    Dimension,
    arrange,
    dimension,
    n_values,
    resolve,
)
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.rows import compose, select
from heorot.report.systems.words import problem_words
from heorot.report.wording import count

_CURVES = frozenset({"curve", "inside", "multiples"})
_DRAWN = _CURVES | {"bars"}
_SYSTEM, _COUNT = "system", "cores used"
_MOST_BARS = 180
_MOST_PANELS = 48
_ADVANTAGE = Figure(
    title="Advantage over A by the number of cores",
    kind="curve",
    metric="advantage",
    x="cores",
    x_label="cores",
    log_x=True,
)


def draw_families(
    families: Iterable[Family], rows: Sequence[Result], labels: Sequence[str]
) -> list[tuple[str, list[Drawing]]]:
    """The figures of every program that has any, by its name; overviews of families first.

    Args:
        rows: of all systems; `system` of each is a label.
        labels: of all systems, in their order.
    """
    by_program: dict[str, list[Result]] = {}
    for row in rows:
        by_program.setdefault(row.benchmark, []).append(row)
    found = []
    for family in families:
        own = [row for each in family.benchmarks for row in by_program.get(each.name, ())]
        if family.overview and (drawing := draw(family.overview, own, labels, f"f-{family.name}")):
            found.append((family.title, [drawing]))
        for benchmark in family.benchmarks:
            mine = by_program.get(benchmark.name, [])
            drawings = [
                drawing
                for i, figure in enumerate(benchmark.figures)
                if (drawing := draw(figure, mine, labels, f"{benchmark.target}-{i}"))
            ]
            if drawings:
                found.append((benchmark.name, drawings))
    return found


def draw(
    figure: Figure, rows: Sequence[Result], labels: Sequence[str], identifier: str
) -> Drawing | None:
    """A figure of one system, of all; None if fewer than two of them have anything to show."""
    if figure.kind not in _DRAWN:
        return None
    if figure.kind == "inside":
        figure = figure.model_copy(update={"title": figure.title.replace(" of a node", "")})
    selection = select(figure, rows)
    shown = _densest([_placed(row) for row in selection.shown if PAIR not in row.point])
    n_spread = len(selection.shown) - len(shown)
    if len({row.system for row in shown}) < 2:  # noqa: PLR2004 (one is no comparison)
        return None
    arranged = _curves(figure, shown) if figure.kind in _CURVES else _bars(figure, shown)
    if arranged is None:
        return None
    n_beyond = len(shown) - len(arranged.rows) if figure.kind == "bars" else 0
    lost = [_placed(row) for row in selection.lost]
    left_out = replace(selection, lost=lost, n_beyond=n_beyond)
    drawing = compose(figure, left_out, arranged, identifier)
    return _in_colours(drawing, labels, n_spread)


def _placed(row: Result) -> Result:
    """The row with its system and its cores as coordinates."""
    way = "copies" if row.is_star else "threads" if row.ranks == 1 < row.threads else "ranks"
    hybrid = f" x {row.threads} threads" if row.ranks > 1 and row.threads > 1 else ""
    n = row.threads if way == "threads" else row.ranks
    used = f"{count(n, way[:-1] if way != 'copies' else 'copy')}{hybrid}"
    return row.model_copy(
        update={
            "key": row.key.but(point=row.point.without(NODE) | {_SYSTEM: row.system, _COUNT: used})
        }
    )


def _densest(rows: Sequence[Result]) -> list[Result]:
    """Of rows that differ only in their nodes, the one on fewest, and of these the middle one."""
    found: dict[Key, list[Result]] = {}
    for row in rows:
        key = row.key.only("benchmark", "toolchain", "network", "options", "region", "point")
        found.setdefault(key, []).append(row)
    chosen = []
    for alike in found.values():
        fewest = min(row.nodes for row in alike)
        ordered = sorted((row for row in alike if row.nodes == fewest), key=lambda row: row.median)
        chosen.append(ordered[(len(ordered) - 1) // 2])
    return chosen


def _declared(figure: Figure, rows: Sequence[Result]) -> list[str]:
    """The dimensions of the figure; toolchains only where a system has several."""
    names = [_COUNT if name == "layout" else name for name in (*figure.panels, *figure.series)]
    stacks = {(row.system, row.stack) for row in rows}
    several = len(stacks) > len({row.system for row in rows})
    by_program = ["program"] if figure.kind == "multiples" else []
    return [*by_program, *(name for name in names if name != "toolchain" or several)]


def _curves(figure: Figure, rows: Sequence[Result]) -> Arrangement | None:
    position = dimension(figure.x)
    if n_values(position, rows) < max(1, figure.least_values):
        return None
    others = resolve(rows, position, (_SYSTEM, *_declared(figure, rows)))
    return _arrange(rows, position, others)


def _bars(figure: Figure, rows: Sequence[Result]) -> Arrangement | None:
    declared = _declared(figure, rows)
    position = dimension("program" if "program" in declared else "region")
    others = resolve(rows, position, (_SYSTEM, *declared))
    if n_values(position, rows) == 1 and any(each.name != _SYSTEM for each in others):
        position = next(each for each in others if each.name != _SYSTEM)
        others.remove(position)
    if n_values(position, rows) < max(1, figure.least_values):
        return None
    tally = Counter(map(position.value, rows))
    totals = zip(tally, accumulate(tally.values()), strict=True)
    kept = {place for place, total in totals if total <= _MOST_BARS}
    shown = [row for row in rows if position.value(row) in kept]
    return _arrange(shown, position, others) if shown else None


def _arrange(
    rows: Sequence[Result], position: Dimension, others: Sequence[Dimension]
) -> Arrangement:
    panels = [each for each in others if each.name != _SYSTEM]
    return arrange(rows, position, [dimension(_SYSTEM)], panels, most_lines=MOST_SYSTEMS)


def _in_colours(drawing: Drawing, labels: Sequence[str], n_spread: int) -> Drawing:
    """The drawing with the colour that every system has in all figures."""
    panels = tuple(
        Panel(
            panel.title,
            tuple(replace(line, style=labels.index(line.name)) for line in panel.lines),
        )
        for panel in drawing.panels
    )
    spread = (
        f"{count(n_spread, 'value')} on more or other nodes: see the export." if n_spread else ""
    )
    return replace(
        drawing,
        panels=panels,
        keys=tuple((label, style) for style, label in enumerate(labels)),
        omitted=" ".join(filter(None, (drawing.omitted, spread))),
    )


def draw_advantages(side: SideBySide) -> Drawing | None:
    """The advantage of every system over the first, a panel for each problem; None without any."""
    panels: dict[str, list[Line]] = {}
    for one in side.advantages:
        title = ", ".join([" ".join([one.benchmark, *problem_words(one)]), one.way])
        panels.setdefault(title, []).append(_line(one, side.labels))
    if not panels:
        return None
    kept = dict([*panels.items()][:_MOST_PANELS])
    n_more = len(panels) - len(kept)
    return Drawing(
        id="advantages",
        figure=_ADVANTAGE,
        unit="%",
        panels=tuple(Panel(title, tuple(lines)) for title, lines in kept.items()),
        keys=tuple((label, style) for style, label in enumerate(side.labels) if style),
        summary=f"By how much each system is ahead of {side.labels[0]}, over the number of cores: "
        f"{count(len(side.advantages), 'curve')} in {count(len(kept), 'panel')}. Below 0 the first "
        "is ahead by so much.",
        omitted=f"{count(n_more, 'more panel')} in the table only." if n_more else "",
    )


def _line(one: Advantage, labels: Sequence[str]) -> Line:
    counts = one.counts
    return Line(
        name=labels[one.other],
        style=one.other,
        x=tuple(each.cores for each in counts),
        y=tuple(lead_of(each.ratio) for each in counts),
        low=tuple(lead_of(each.ratio if each.low is None else each.low) for each in counts),
        high=tuple(lead_of(each.ratio if each.high is None else each.high) for each in counts),
        bounds=(None,) * len(counts),
        perturbed=tuple(any("perturbed" in mark for mark in each.marks) for each in counts),
        launches=tuple(min(each.launches) for each in counts),
    )
