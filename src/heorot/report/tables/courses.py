"""The table of courses: over which sizes which of two runs is better, and where that changes."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.comparison import Course
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.report.wording import word_name, word_point
from heorot.units import NOTHING, format_binary, format_quantity, format_ratio

_BYTES = "bytes"


def course_table(courses: Sequence[Course], allowance: Allowance) -> Table:
    """A row for each quantity, those whose better side changes first."""
    fields: columns.Fields[Course] = (
        columns.text("program", lambda one: one.benchmark),
        columns.text("quantity", lambda one: f"{word_name(one.region)}, {word_name(one.metric)}"),
        columns.text(
            "where",
            lambda one: ", ".join(filter(None, (word_point(one.point), one.setup.layout))),
        ),
        columns.text("over", _word_span),
        columns.plain(
            "better side changes",
            lambda one: Cell(_changes(one), tone="" if one.crossings else "muted"),
        ),
        columns.numbers(
            "largest difference",
            lambda one: Cell(format_ratio(one.most_ratio), one.most_ratio),
            "ratio",
        ),
        columns.numbers("at", lambda one: _place(one, one.most_at)),
        columns.numbers("within 10 % from", lambda one: _place(one, one.alike_from)),
    )
    ordered = sorted(courses, key=lambda course: -len(course.crossings))
    caption = "Over sizes: where the better side changes, and where both differ most"
    return make_table("courses", caption, *columns.lay_out(ordered, fields), allowance)


def _word_span(course: Course) -> str:
    ends = f"{_value(course, course.smallest)} to {_value(course, course.largest)}"
    return f"{word_name(course.coordinate)}, {ends}"


def _place(course: Course, value: float | None) -> Cell:
    return Cell(NOTHING, tone="muted") if value is None else Cell(_value(course, value), value)


def _changes(course: Course) -> str:
    """Such as `B from 16 KiB (A up to 4 KiB)`."""
    return (
        "; ".join(
            f"{each.better_above} from {_value(course, each.above)} "
            f"({'A' if each.better_above == 'B' else 'B'} up to {_value(course, each.below)})"
            for each in course.crossings
        )
        or "never"
    )


def _value(course: Course, value: float) -> str:
    is_size = course.coordinate == _BYTES or course.coordinate.endswith(f"_{_BYTES}")
    return format_binary(value) if is_size else format_quantity(value)
