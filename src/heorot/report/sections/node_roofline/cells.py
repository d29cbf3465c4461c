"""Cells that the tables about one node in depth share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.result import Result
from heorot.model.point import Scalar
from heorot.model.run.identity import Stack
from heorot.report.anchors import Anchors
from heorot.report.tables import columns
from heorot.report.tables.table import Cell
from heorot.report.wording import split_interval, word_name, word_point


def word_problem(region: str, point: Mapping[str, Scalar], more: str = "") -> str:
    """A region at a point, and its other distinguishing coordinates."""
    return ", ".join(filter(None, (word_name(region), word_point(point), more)))


def without_size(point: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Coordinates without those in the column of the working set."""
    sized = "working_set_bytes" in point
    return {
        name: value
        for name, value in point.items()
        if not sized or name not in {"n", "working_set_bytes"}
    }


class HasStack(Protocol):
    """What a toolchain built."""

    @property
    def stack(self) -> Stack:
        """The toolchain and its network."""


class HasRow(Protocol):
    """A value from a row of the results."""

    @property
    def row(self) -> str:
        """The id of the row."""


class OfProgram(HasStack, HasRow, Protocol):
    """A value of a program from a row of the results."""

    @property
    def benchmark(self) -> str:
        """The program."""


M = TypeVar("M", bound=HasRow)


def several_toolchains(every: Iterable[HasStack]) -> bool:
    """Whether a table needs a column of toolchains."""
    return len({one.stack for one in every}) > 1


def toolchain(every: Iterable[HasStack]) -> columns.Field[HasStack] | None:
    """The column of toolchains, if there are several."""
    return (
        columns.text("toolchain", lambda one: str(one.stack)) if several_toolchains(every) else None
    )


def program(
    every: Iterable[OfProgram], anchors: Anchors
) -> tuple[columns.Field[OfProgram], columns.Field[HasStack] | None]:
    """The columns of programs, each a link to its row, and of toolchains."""

    def name(one: OfProgram) -> Cell:
        return Cell(one.benchmark, target=anchors.ids.get(one.row, ""))

    return columns.plain("program", name), toolchain(every)


def middle(
    title: str, value: Callable[[M], Middle], unit: str, anchors: Anchors, copied: str = ""
) -> columns.Field[M]:
    """A column of quantities with their intervals [unit].

    Args:
        copied: the heading for copies; empty means the title, with the unit if that is SI.
    """
    said = copied or (f"{title} [{unit}]" if unit not in {"", "%"} else title)
    return columns.numbers(
        title,
        lambda one: middle_cell(value(one), unit, anchors.rows.get(one.row)),
        f"{said}\tlow\thigh",
    )


def middle_cell(value: Middle, unit: str, row: Result | None) -> Cell:
    """A number with its interval.

    Args:
        value: centre and ends [unit].
        row: its source, for the number of launches; None if the page has none.
    """
    launches = row.n_launches if row else None
    text = " ".join(split_interval(value.median, value.low, value.high, unit, launches))
    copied = f"{value.median:.6g}\t{value.low:.6g}\t{value.high:.6g}"
    return Cell(text, value.median, copied=copied)
