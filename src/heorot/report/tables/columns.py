"""Columns together with what stands in them, so that headings and cells cannot part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from heorot.report.tables.table import Cell, Column, Row
from heorot.units import format_quantity

T_contra = TypeVar("T_contra", contravariant=True)


@dataclass(frozen=True)
class Field(Generic[T_contra]):
    """A column, and its cell in the row of a thing."""

    column: Column
    cell: Callable[[T_contra], Cell]


# None stands for an empty column.
Fields: TypeAlias = Sequence[Field[T_contra] | None]


def plain(title: str, cell: Callable[[T_contra], Cell]) -> Field[T_contra]:
    """A column of cells that are no numbers."""
    return Field(Column(title), cell)


def numbers(title: str, cell: Callable[[T_contra], Cell], copied: str = "") -> Field[T_contra]:
    """A column of cells that are numbers.

    Args:
        copied: the heading for copies; empty means the title.
    """
    return Field(Column(title, numeric=True, copied=copied), cell)


def text(title: str, word: Callable[[T_contra], str], tone: str = "") -> Field[T_contra]:
    """A column of words."""
    return plain(title, lambda one: Cell(word(one), tone=tone))


def whole(title: str, value: Callable[[T_contra], int]) -> Field[T_contra]:
    """A column of whole numbers."""
    return numbers(title, lambda one: Cell(str(value(one)), value(one)))


def quantity(
    title: str, value: Callable[[T_contra], float | None], unit: str = ""
) -> Field[T_contra]:
    """A column of quantities, which are None where they are not known [unit]."""
    copied = f"{title} [{unit}]" if unit not in {"", "%"} else ""
    return numbers(title, lambda one: quantity_cell(value(one), unit), copied)


def quantity_cell(value: float | None, unit: str = "") -> Cell:
    """A quantity, a dash if it is None [unit]."""
    return Cell(format_quantity(value, unit), value, "muted" if value is None else "")


def lay_out(items: Iterable[T_contra], fields: Fields[T_contra]) -> tuple[list[Column], list[Row]]:
    """The columns of a table and its rows, one of each item."""
    known = [field for field in fields if field is not None]
    rows = [Row(tuple(field.cell(item) for field in known)) for item in items]
    return [field.column for field in known], rows
