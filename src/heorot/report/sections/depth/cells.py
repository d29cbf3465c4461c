"""Cells that the tables about one node in depth share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.result import Result
from heorot.model.point import Scalar
from heorot.model.run.identity import Stack
from heorot.report.tables.table import Cell
from heorot.report.wording import split_interval, word_name, word_point
from heorot.units import format_quantity


def word_problem(region: str, point: Mapping[str, Scalar], more: str = "") -> str:
    """A region at a point, and what else tells it apart."""
    return ", ".join(filter(None, (word_name(region), word_point(point), more)))


def without_size(point: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Coordinates without what a column about the working set says."""
    sized = "working_set_bytes" in point
    return {
        name: value
        for name, value in point.items()
        if not sized or name not in {"n", "working_set_bytes"}
    }


class Built(Protocol):
    """What a toolchain built."""

    @property
    def stack(self) -> Stack:
        """The toolchain and its network."""


def several_toolchains(every: Iterable[Built]) -> bool:
    """Whether a table has to tell toolchains apart."""
    return len({one.stack for one in every}) > 1


def number_cell(value: float | None, unit: str) -> Cell:
    """A number with its unit.

    Args:
        value: None if it is not known [unit].
    """
    return Cell(format_quantity(value, unit), value, "muted" if value is None else "")


def middle_cell(value: Middle, unit: str, row: Result | None) -> Cell:
    """A number with its interval.

    Args:
        value: centre and ends [unit].
        row: that says it, for the number of launches; None if the page has none.
    """
    launches = row.n_launches if row else None
    text = " ".join(split_interval(value.median, value.low, value.high, unit, launches))
    copied = f"{value.median:.6g}\t{value.low:.6g}\t{value.high:.6g}"
    return Cell(text, value.median, copied=copied)
