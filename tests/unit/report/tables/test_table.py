"""Tables: short ones whole, long ones as excerpts, and few rows where a page is full."""

from __future__ import annotations

from heorot.report.tables.table import (
    EXCERPT_ROWS,
    FEW_ROWS,
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
