"""Rows of tables as HTML.

Not a template: a page may hold ten thousand rows, and these take a fifth of the time. Every
text passes through `escape`.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from heorot.report.tables.table import Cell, Column, IntervalMark, Row


def format_row(row: Row, columns: Sequence[Column]) -> Markup:
    """One row; its first cell is the heading of the row."""
    attributes = f' id="{escape(row.id)}"' if row.id else ""
    attributes += f' class="{escape(row.tone)}"' if row.tone else ""
    cells = [
        _format_cell(cell, column, 'th scope="row"' if i == 0 else "td")
        for i, (cell, column) in enumerate(zip(row.cells, columns, strict=True))
    ]
    return Markup(f"<tr{attributes}>{''.join(cells)}</tr>\n")  # noqa: S704 (texts are escaped)


def _format_cell(cell: Cell, column: Column, opening: str) -> str:
    parts = ["<", opening]
    css = " ".join(filter(None, ("n" if column.numeric else "", cell.tone)))
    if css:
        parts.append(f' class="{escape(css)}"')
    if cell.id:
        parts.append(f' id="{escape(cell.id)}"')
    if cell.copied:
        parts.append(f' data-c="{escape(cell.copied)}"')
    if cell.number is not None:
        number = f"{cell.number:.6g}"
        # What is copied opens with it almost everywhere: then it is sorted by that.
        if not cell.copied or cell.copied.partition("\t")[0] != number:
            parts.append(f' data-n="{number}"')
    parts.append(">")
    text = str(escape(cell.text))
    if cell.span:
        parts.append(_draw_span(cell.span, text))
    elif cell.target:
        parts.append(f'<a href="#{escape(cell.target)}">{text}</a>')
    elif cell.more:
        parts.append(_format_more(cell, text))
    else:
        parts.append(text)
    if cell.share is not None:
        width = f"{100 * cell.share:.0f}%"
        parts.append(f'<i class="share" style="--w:{width}"></i>')
    parts.append("</th>" if opening.startswith("th") else "</td>")
    return "".join(parts)


def _format_more(cell: Cell, text: str) -> str:
    """What the columns without room hold, in lines that open."""
    lines = []
    for title, each in cell.more:
        if not each.text:
            continue
        place = f' id="{escape(each.id)}"' if each.id else ""
        tone = f' class="{escape(each.tone)}"' if each.tone else ""
        lines.append(f"<p{place}><i>{escape(title)}</i> <b{tone}>{escape(each.text)}</b></p>")
    return f'<details class="more"><summary>{text}</summary>{"".join(lines)}</details>'


def _draw_span(span: IntervalMark, text: str) -> str:
    """An interval around 1, drawn."""
    return (
        '<svg class="ratio" viewBox="0 0 100 14" width="150" height="18" '
        f'preserveAspectRatio="none" role="img" aria-label="{text}">'
        '<path class="grid" d="M0 7H100"/><path class="one" d="M50 0v14"/>'
        f'<path class="interval {escape(span.tone)}" d="M{span.low:g} 7H{span.high:g}"/>'
        f'<path class="median" d="M{span.middle:g} 2v10"/></svg>'
    )
