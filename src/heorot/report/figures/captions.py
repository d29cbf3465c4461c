"""What a figure shows and what it leaves out, in words."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.extremes import alike, may_equal
from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.dimensions import Arrangement
from heorot.report.figures.drawing import Drawing, Line
from heorot.report.wording import (
    count,
    split_interval,
    split_result,
    word_name,
    word_point,
    word_row_layout,
)


def summarise(figure: Figure, arrangement: Arrangement) -> str:
    """What the figure shows.

    Args:
        arrangement: what is drawn, at least one row. The highest and the lowest value are
            named if no other value may equal them.
    """
    rows = arrangement.rows
    over = f" over {figure.x_label or word_name(figure.x)}" if figure.x else ""
    parts = [f"{_capital(word_name(figure.metric))}{over}: {count(len(rows), 'value')}"]
    programs = {row.benchmark for row in rows}
    if len(programs) > 1:
        parts.append(f"of {len(programs)} programs")
    if len(arrangement.panels) > 1:
        parts.append(f"in {len(arrangement.panels)} panels")
    if arrangement.keys:
        parts.append(f"for {', '.join(name for name, _ in arrangement.keys)}")
    ends = []
    by_value = ("Highest", max), ("lowest", min)
    for word, choose in by_value if len(rows) > 1 else by_value[:1]:
        row = choose(rows, key=lambda each: each.median)
        value, interval = split_result(row)
        n_alike = sum(alike(row, other) for other in rows if other is not row)
        where = (
            may_equal(n_alike) if n_alike else _word_place(row, among_programs=len(programs) > 1)
        )
        ends.append(f"{word} {value} {interval}, {where}")
    return f"{' '.join(parts)}. {'; '.join(ends)}."


def name_omitted(n_withheld: int, lost: Sequence[Result], n_panels: int, n_bars: int = 0) -> str:
    """What the figure leaves out: nothing is left out silently."""
    parts = []
    if n_withheld:
        withheld = count(n_withheld, "value")
        parts.append(f"{withheld} not drawn: verification failed, or above the bound")
    several = len({row.benchmark for row in lost}) > 1
    for row in lost[:3]:
        value, interval = split_result(row)
        owner = f"{row.benchmark}, " if several else ""
        where = f"{owner}{word_point(row.point)}, {word_row_layout(row)}, {row.stack}"
        parts.append(f"not on the logarithmic axis: {where}, {value} {interval}")
    if len(lost) > 3:  # noqa: PLR2004 (as many as are worded above)
        parts.append(f"{len(lost) - 3} more, see the table")
    if n_panels > 0:
        parts.append(
            f"{count(n_panels, 'more panel')} {'is' if n_panels == 1 else 'are'} in the table only"
        )
    if n_bars > 0:
        parts.append(word_more_bars(n_bars))
    text = "; ".join(parts)
    return f"{_capital(text)}." if text else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def word_more_bars(number: int) -> str:
    """The number of bars that are not drawn."""
    return f"{count(number, 'more bar')} {'is' if number == 1 else 'are'} in the table only"


def word_values(line: Line, unit: str) -> list[str]:
    """Value and interval of every point, as the tables print them."""
    rows = zip(line.y, line.low, line.high, line.launches, line.perturbed, strict=True)
    return [
        " ".join((*split_interval(y, low, high, unit, n), *(["perturbed"] if bad else [])))
        for y, low, high, n, bad in rows
    ]


def read_values(drawing: Drawing, ceiling_mark: str) -> str:
    """The meaning of the marks of values.

    Args:
        ceiling_mark: the mark of a bound; empty without one.
    """
    parts = ["Whiskers: 95 % interval of the median."]
    parts += [f"{ceiling_mark}: measured bound."] if ceiling_mark else []
    return " ".join(parts + read_disturbed(drawing))


def read_disturbed(drawing: Drawing) -> list[str]:
    """The mark of perturbed values, if there are any."""
    return ["Hollow: perturbed."] if drawing.is_perturbed else []


def _word_place(row: Result, *, among_programs: bool) -> str:
    where = f" at {word_point(row.point)}" if row.point else ""
    return f"{_word_region(row, among_programs=among_programs)}{where}, {word_row_layout(row)}"


def _word_region(row: Result, *, among_programs: bool) -> str:
    """The region, after its program where there are several; it may bear the same name."""
    region = word_name(row.region)
    if not among_programs:
        return region
    named_alike = row.benchmark.rpartition("/")[2] == row.region
    return row.benchmark if named_alike else f"{row.benchmark} {region}"
