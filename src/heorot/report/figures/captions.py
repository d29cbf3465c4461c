"""What a figure shows and what it leaves out, in words."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Figure
from heorot.report.wording import count, split_interval, word_name, word_point, word_row_layout


def summarise(
    figure: Figure, rows: Sequence[Result], n_panels: int, keys: Sequence[tuple[str, int]]
) -> str:
    """Says what the figure shows.

    Args:
        figure: the catalogue's record.
        rows: what is drawn, at least one.
        n_panels: over so many panels.
        keys: names and styles of the lines.
    """
    over = f" over {figure.x_label or word_name(figure.x)}" if figure.kind == "curve" else ""
    parts = [f"{word_name(figure.metric).capitalize()}{over}: {count(len(rows), 'value')}"]
    if n_panels > 1:
        parts.append(f"in {n_panels} panels")
    if keys:
        parts.append(f"for {', '.join(name for name, _ in keys)}")
    ends = []
    by_value = ("Highest", max), ("lowest", min)
    for word, choose in by_value if len(rows) > 1 else by_value[:1]:
        row = choose(rows, key=lambda each: each.median)
        value, interval = split_interval(row.median, row.ci_low, row.ci_high, row.unit)
        where = f" at {word_point(row.point)}" if row.point else ""
        layout = word_row_layout(row)
        ends.append(f"{word} {value} {interval}, {word_name(row.region)}{where}, {layout}")
    return f"{' '.join(parts)}. {'; '.join(ends)}."


def name_omitted(n_withheld: int, lost: Sequence[Result], n_panels: int) -> str:
    """Says what the figure leaves out: nothing is left out silently.

    Args:
        n_withheld: values that are not to be trusted.
        lost: rows that a logarithmic axis has no place for.
        n_panels: panels that are too many.
    """
    parts = []
    if n_withheld:
        withheld = count(n_withheld, "value")
        parts.append(f"{withheld} not drawn: verification failed, or above the ceiling")
    for row in lost[:3]:
        value, interval = split_interval(row.median, row.ci_low, row.ci_high, row.unit)
        where = f"{word_point(row.point)}, {row.toolchain}"
        parts.append(f"no place on a logarithmic axis for {where}: {value} {interval}")
    if len(lost) > 3:  # noqa: PLR2004 (as many as are worded above)
        parts.append(f"{len(lost) - 3} more have none either, see the table")
    if n_panels > 0:
        parts.append(f"{n_panels} more panels are in the table only")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""
