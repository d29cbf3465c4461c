"""Reads tables of a page as a reader does: by their captions, columns and cells."""

from __future__ import annotations

from collections.abc import Iterable

from heorot.report.tables.table import Cell, Column, Row, Table


def named(tables: Iterable[Table], identifier: str) -> Table:
    """The one table of that name."""
    (found,) = [table for table in tables if table.id == identifier]
    return found


def lines_of(table: Table) -> list[dict[str, str]]:
    """The texts of each line by the titles of their columns."""
    return [{title: cell.text for title, cell in _opened(row, table.columns)} for row in table.rows]


def _opened(row: Row, columns: Iterable[Column]) -> list[tuple[str, Cell]]:
    """The cells of a row with their titles, with those that others open to."""
    titled = [(column.title, cell) for column, cell in zip(columns, row.cells, strict=True)]
    return [each for title, cell in titled for each in cell.more or [(title, cell)]]


def column_of(table: Table, title: str) -> list[str]:
    """The texts of a column."""
    return [line[title] for line in lines_of(table)]
