"""The table of courses: over which sizes which of two runs is better, and where that changes.

Several runs are each compared with the first, A.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from heorot.model.analysis.studies.courses import Course
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.report.wording import word_name, word_point
from heorot.units import NOTHING, format_binary, format_quantity, format_ratio

_BYTES = "bytes"


class _Beside(NamedTuple):
    """A course of the run with this letter, compared with A."""

    letter: str
    of: Course


def course_table(courses: Mapping[str, Sequence[Course]], allowance: Allowance) -> Table:
    """A row for each quantity, those whose better side changes first.

    Args:
        courses: by the letter of the run that is compared with A.
    """
    fields: columns.Fields[_Beside] = (
        columns.text("system", lambda one: one.letter) if len(courses) > 1 else None,
        columns.text("program", lambda one: one.of.benchmark),
        columns.text("quantity", _word_quantity),
        columns.text(
            "where",
            lambda one: ", ".join(filter(None, (word_point(one.of.point), one.of.setup.layout))),
        ),
        columns.text("over", lambda one: _word_span(one.of)),
        columns.plain(
            "better side changes",
            lambda one: Cell(_changes(one), tone="" if one.of.crossings else "muted"),
        ),
        columns.numbers(
            "largest difference",
            lambda one: Cell(format_ratio(one.of.most_ratio), one.of.most_ratio),
            "ratio",
        ),
        columns.numbers("at", lambda one: _place(one.of, one.of.most_at)),
        columns.numbers("within 10 % from", lambda one: _place(one.of, one.of.alike_from)),
    )
    every = [_Beside(letter, one) for letter, own in courses.items() for one in own]
    every.sort(key=lambda one: -len(one.of.crossings))
    caption = "Over sizes: where the better side changes, and where both differ most"
    laid = columns.lay_out(every[: allowance.most_needed(len(every))], fields)
    return make_table("courses", caption, *laid, allowance, n_rows=len(every))


def _word_quantity(one: _Beside) -> str:
    return f"{word_name(one.of.region)}, {word_name(one.of.metric)}"


def _word_span(course: Course) -> str:
    ends = f"{_value(course, course.smallest)} to {_value(course, course.largest)}"
    return f"{word_name(course.coordinate)}, {ends}"


def _place(course: Course, value: float | None) -> Cell:
    return Cell(NOTHING, tone="muted") if value is None else Cell(_value(course, value), value)


def _changes(one: _Beside) -> str:
    """Such as `B from 16 KiB (A up to 4 KiB)`."""
    sides = {"A": ("A", one.letter), "B": (one.letter, "A")}
    words = []
    for each in one.of.crossings:
        above, below = sides[each.better_above]
        ends = (_value(one.of, each.above), _value(one.of, each.below))
        words.append(f"{above} from {ends[0]} ({below} up to {ends[1]})")
    return "; ".join(words) or "never"


def _value(course: Course, value: float) -> str:
    is_size = course.coordinate == _BYTES or course.coordinate.endswith(f"_{_BYTES}")
    return format_binary(value) if is_size else format_quantity(value)
