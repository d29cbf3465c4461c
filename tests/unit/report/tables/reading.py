"""Reads tables of a page as a reader does: by their captions, columns and cells."""

from __future__ import annotations

from collections.abc import Iterable

from heorot.report.tables.table import Table


def named(tables: Iterable[Table], identifier: str) -> Table:
    """The one table of that name."""
    (found,) = [table for table in tables if table.id == identifier]
    return found


def lines_of(table: Table) -> list[dict[str, str]]:
    """The texts of each line by the titles of their columns."""
    titles = [column.title for column in table.columns]
    return [dict(zip(titles, (cell.text for cell in row.cells), strict=True)) for row in table.rows]


def column_of(table: Table, title: str) -> list[str]:
    """The texts of a column."""
    return [line[title] for line in lines_of(table)]
