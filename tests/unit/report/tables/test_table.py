"""Tables: short ones whole, long ones as excerpts, few rows where a page is full, ten columns."""

from __future__ import annotations

from heorot.report.tables.rows import format_row
from heorot.report.tables.table import (
    EXCERPT_ROWS,
    FEW_ROWS,
    MORE,
    MOST_COLUMNS,
    PACKED_ROWS,
    PLAIN_ROWS,
    SHORT_ROWS,
    Allowance,
    Cell,
    Column,
    Row,
    Table,
    make_table,
)
from tests.unit.report.tables.reading import lines_of


def table(n_rows: int, allowance: Allowance, *, export: str = "") -> Table:
    rows = [Row((Cell(str(i), i),)) for i in range(n_rows)]
    return make_table(
        "t", "A table", [Column("n", numeric=True)], rows, allowance, elsewhere=export
    )


def test_a_short_table_is_whole() -> None:
    short = table(SHORT_ROWS, Allowance())
    assert (len(short.rows), short.packed, short.statement) == (SHORT_ROWS, (), "")


def test_a_long_table_shows_an_excerpt_and_packs_all() -> None:
    long = table(SHORT_ROWS + 1, Allowance(), export="heorot export")
    assert (len(long.rows), len(long.packed)) == (EXCERPT_ROWS, SHORT_ROWS + 1)
    assert "40 of 61 rows: the first." in long.statement
    assert "All rows: heorot export." in long.statement


def test_the_excerpt_is_as_long_as_there_is_room() -> None:
    asked = []

    def excerpt(most: int) -> list[Row]:
        asked.append(most)
        return [Row((Cell("best"),))] * most

    rows = [Row((Cell(str(i)),)) for i in range(100)]
    allowance = Allowance()
    for _ in range(PLAIN_ROWS // EXCERPT_ROWS + 1):
        made = make_table("t", "A table", [Column("n")], rows, allowance, excerpt=excerpt)
    assert asked[0] == EXCERPT_ROWS
    assert asked[-1] == FEW_ROWS
    assert [row.cells[0].text for row in made.rows] == ["best"] * FEW_ROWS


def test_a_full_page_shows_few_rows_of_later_tables_and_packs_the_others() -> None:
    allowance = Allowance(plain=SHORT_ROWS)
    assert len(table(SHORT_ROWS, allowance).rows) == SHORT_ROWS
    later = table(FEW_ROWS + 1, allowance)
    assert (len(later.rows), len(later.packed)) == (FEW_ROWS, FEW_ROWS + 1)
    assert len(table(FEW_ROWS, allowance).rows) == FEW_ROWS


def test_rows_that_cannot_be_packed_are_elsewhere() -> None:
    allowance = Allowance(rows=PACKED_ROWS)
    assert table(PACKED_ROWS, allowance).packed
    more = table(SHORT_ROWS + 1, allowance, export="heorot export")
    assert more.packed == ()
    assert "too many for this page: heorot export" in more.statement


def test_of_a_table_too_long_to_pack_only_a_few_rows_need_be_made() -> None:
    allowance = Allowance()
    assert allowance.most_needed(PACKED_ROWS) == PACKED_ROWS
    needed = allowance.most_needed(PACKED_ROWS + 1)
    assert needed == SHORT_ROWS
    rows = [Row((Cell(str(i)),)) for i in range(needed)]
    made = make_table("t", "Steps", [Column("n")], rows, allowance, n_rows=PACKED_ROWS + 1)
    assert (len(made.rows), made.packed, made.n_rows) == (EXCERPT_ROWS, (), PACKED_ROWS + 1)
    assert made.statement.startswith("40 of 10")
    assert allowance.rows == PACKED_ROWS


def wide(n_columns: int) -> Table:
    """A table of two rows, whose second column is copied as two values."""
    columns = [Column(f"c{i}", copied="low\thigh" if i == 1 else "") for i in range(n_columns)]
    cells = [Cell(f"v{i}", float(i), copied="0\t1" if i == 1 else "") for i in range(n_columns)]
    marked = [*cells[:-1], Cell("odd\nlines", id="here", tone="bad")]
    rows = [Row(tuple(cells), "r0"), Row(tuple(marked), "r1", "bad")]
    return make_table("t", "Wide", columns, rows, Allowance(plain=0), folded=True)


def test_ten_columns_have_room() -> None:
    table = wide(MOST_COLUMNS)
    assert table.narrow(("c1",)) is table


def test_columns_without_room_go_into_a_last_cell_that_opens() -> None:
    table = wide(MOST_COLUMNS + 3).narrow(("c1", "unknown"))
    titles = [column.title for column in table.columns]
    assert titles == [*(f"c{i}" for i in (0, *range(2, 10))), MORE]
    assert len(titles) == MOST_COLUMNS
    plain, marked = table.rows
    assert [title for title, _ in plain.cells[-1].more] == ["c1", "c10", "c11", "c12"]
    assert lines_of(table)[0] == {f"c{i}": f"v{i}" for i in range(13)}
    assert (marked.id, marked.tone) == ("r1", "bad")


def test_what_is_copied_has_all_columns_in_every_row() -> None:
    table = wide(MOST_COLUMNS + 3).narrow(("c1",))
    heading, *cells = (table.columns[-1].copied, *(row.cells[-1].copied for row in table.rows))
    assert heading == "low\thigh\tc10\tc11\tc12"
    assert cells == ["0\t1\t10\t11\t12", "0\t1\t10\t11\todd lines"]
    # A value that is not known is copied as nothing, in as many columns.
    row = Row((Cell("name"), Cell(""), *(Cell("x") for _ in range(11))))
    columns = wide(MOST_COLUMNS + 3).columns
    (only,) = make_table("t", "One", columns, [row], Allowance()).narrow(("c1",)).rows
    assert only.cells[-1].copied == "\t\tx\tx\tx"


def test_what_a_cell_opens_to_is_html_with_its_own_places_and_no_markup_of_others() -> None:
    table = wide(MOST_COLUMNS + 3).narrow(("c1",))
    _, marked = table.rows
    text = str(format_row(marked, table.columns))
    assert '<details class="more"><summary>more</summary>' in text
    assert '<p id="here"><i>c12</i> <b class="bad">odd\nlines</b></p>' in text
    hostile = Cell(MORE, more=(("<i>", Cell("<script>")),))
    assert "<script>" not in str(format_row(Row((hostile,)), [Column(MORE)]))
