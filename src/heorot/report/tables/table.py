"""Tables of the report: sortable, copyable, and short enough to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from heorot.report.wording import count

SHORT_ROWS = 60
"""A table of at most so many rows stands in the page as it is, while there is room."""

PLAIN_ROWS = 1200
"""So many rows of all tables together stand in a page about one program; of later tables a few."""

LEAST_PLAIN_ROWS = 100
_FEWER_ROWS = 19
"""So many fewer for every program more, but no fewer than those."""

FEW_ROWS = 3
"""So many rows stand in the page of a table for which there is no more room."""

EXCERPT_ROWS = 40
"""So many rows of a longer one; the others are packed, and unfolded on request."""

PACKED_ROWS = 10000
"""So many rows of all tables together are packed into the page; more are only in the export."""

MOST_COLUMNS = 10
"""So many columns are readable in a window of 1280 pixels."""

MORE = "more"
"""The title of the last column, whose cells open to what other columns would hold."""


@dataclass(frozen=True)
class IntervalMark:
    """An interval to draw in a cell: places from 0 to 100, where 50 means equal.

    Attributes:
        low: lower end.
        tone: `better`, `worse` or empty.
    """

    low: float
    middle: float
    high: float
    tone: str = ""


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        number: what is sorted by and copied if it is a number [SI unit], else None.
        tone: `good`, `bad`, `warn`, `muted`, `mono`, `struck` or empty.
        share: 0 to 1 for a bar next to the number.
        span: an interval to draw instead of the text, which then describes it.
        copied: what is copied if neither the number nor the text, tabs between columns.
        id: fragment of the page that this cell is.
        more: titles and cells of columns without room, which this cell opens to.
    """

    text: str
    number: float | None = None
    tone: str = ""
    share: float | None = None
    span: IntervalMark | None = None
    copied: str = ""
    target: str = ""
    id: str = ""
    more: tuple[tuple[str, Cell], ...] = ()


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        copied: the heading for copies, tabs between columns; empty means the title.
    """

    title: str
    numeric: bool = False
    copied: str = ""


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        id: fragment of the page, or empty.
    """

    cells: tuple[Cell, ...]
    id: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Table:
    """One table.

    Attributes:
        caption: what it shows, one line.
        packed: all rows, if the page shows only some; to be unfolded on request.
        n_rows: how many there are in all.
        statement: which are shown and where the others are, or empty.
        folded: whether it stands closed until asked for.
        prominent: whether it is never folded, however long.
    """

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    packed: tuple[Row, ...] = ()
    n_rows: int = 0
    statement: str = ""
    folded: bool = False
    prominent: bool = False

    def narrow(self, spare: Iterable[str] = ()) -> Table:
        """The table with ten columns at most: a last cell of each row opens to all others.

        Args:
            spare: titles of the columns that go there first; then the last ones go.
        """
        n_moved = len(self.columns) - MOST_COLUMNS + 1
        if n_moved <= 1:
            return self
        titles = [column.title for column in self.columns]
        first = [titles.index(title) for title in spare if title in titles]
        order = dict.fromkeys((*first, *range(len(titles) - 1, 0, -1)))
        moved = sorted([*order][:n_moved])
        kept = [i for i in range(len(titles)) if i not in moved]
        away = [self.columns[i] for i in moved]
        more = Column(MORE, copied="\t".join(each.copied or each.title for each in away))

        def narrowed(row: Row) -> Row:
            hidden = [(column, row.cells[i]) for i, column in zip(moved, away, strict=True)]
            cell = Cell(
                MORE,
                copied="\t".join(_copied(each, column) for column, each in hidden),
                more=tuple((column.title, each) for column, each in hidden),
            )
            return Row((*(row.cells[i] for i in kept), cell), row.id, row.tone)

        return replace(
            self,
            columns=(*(self.columns[i] for i in kept), more),
            rows=tuple(map(narrowed, self.rows)),
            packed=tuple(map(narrowed, self.packed)),
        )


def _copied(cell: Cell, column: Column) -> str:
    """What is copied of a cell: as many values as its column has headings."""
    number = "" if cell.number is None else f"{cell.number:.6g}"
    text = cell.copied or number or " ".join(cell.text.split())
    return text + "\t" * (column.copied.count("\t") - text.count("\t"))


@dataclass
class Allowance:
    """How many more rows there is room for in this page.

    Attributes:
        plain: those that stand in it as they are.
    """

    rows: int = PACKED_ROWS
    plain: int = PLAIN_ROWS

    def take(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """All of the rows if they still fit, else none."""
        if len(rows) > self.rows:
            return ()
        self.rows -= len(rows)
        return tuple(rows)

    def most_needed(self, n_rows: int) -> int:
        """How many of so many rows need be made: if not all fit, no more than may be plain."""
        return n_rows if n_rows <= self.rows else SHORT_ROWS

    def most_plain(self, n_rows: int) -> int:
        """How many of so many rows may stand in the page as they are."""
        wanted = n_rows if n_rows <= SHORT_ROWS else EXCERPT_ROWS
        given = wanted if wanted <= max(FEW_ROWS, self.plain) else FEW_ROWS
        self.plain -= given
        return given


def room_for(n_programs: int) -> Allowance:
    """The room in a page about so many programs: the more there are, the fewer rows of each."""
    return Allowance(plain=max(LEAST_PLAIN_ROWS, PLAIN_ROWS - _FEWER_ROWS * n_programs))


def make_table(
    identifier: str,
    caption: str,
    columns: Sequence[Column],
    rows: Sequence[Row],
    allowance: Allowance,
    *,
    excerpt: Callable[[int], Sequence[Row]] | None = None,
    chosen: str = "the first",
    elsewhere: str = "",
    folded: bool = False,
    prominent: bool = False,
    n_rows: int | None = None,
) -> Table:
    """Makes a table, and an excerpt if it is long.

    Args:
        rows: all rows, or the first ones that the allowance needs.
        allowance: how many rows may still be packed; is reduced.
        excerpt: chooses so many rows to show of a long table; the first ones if None.
        elsewhere: where all rows are, should they not fit into the page.
        n_rows: how many rows there are in all; None if those are given.
    """
    whole, shown = tuple(rows), tuple(rows)
    n_all = len(whole) if n_rows is None else n_rows
    packed: tuple[Row, ...] = ()
    statement = ""
    most = allowance.most_plain(n_all)
    if n_all > most:
        shown = tuple(excerpt(most)) if excerpt else whole[:most]
        packed = allowance.take(whole) if len(whole) == n_all else ()
        statement = f"{len(shown)} of {count(n_all, 'row')}: {chosen}."
        if elsewhere:
            all_rows = "All rows" if packed else "All rows, too many for this page"
            statement += f" {all_rows}: {elsewhere}."
    return Table(
        id=identifier,
        caption=caption,
        columns=tuple(columns),
        rows=shown,
        packed=packed,
        n_rows=n_all,
        statement=statement,
        folded=folded,
        prominent=prominent,
    )
