"""The table of courses: over which sizes which of two runs is better, and where that changes."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.comparison import Course
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import word_name, word_point
from heorot.units import NOTHING, format_binary, format_quantity, format_ratio

_BYTES = "bytes"


def course_table(courses: Sequence[Course], allowance: Allowance) -> Table:
    """A row for each quantity, those whose better side changes first."""
    columns = (
        *map(Column, ("program", "quantity", "where", "over")),
        Column("better side changes"),
        Column("largest difference", numeric=True, copied="ratio"),
        Column("at", numeric=True),
        Column("within 10 % from", numeric=True),
    )
    ordered = sorted(courses, key=lambda course: -len(course.crossings))
    caption = "Over sizes: where the better side changes, and where both differ most"
    return make_table("courses", caption, columns, [_row(one) for one in ordered], allowance)


def _row(course: Course) -> Row:
    span = f"{_value(course, course.smallest)} to {_value(course, course.largest)}"
    return Row(
        (
            Cell(course.benchmark),
            Cell(f"{word_name(course.region)}, {word_name(course.metric)}"),
            Cell(", ".join(filter(None, (word_point(course.point), course.setup.layout)))),
            Cell(f"{word_name(course.coordinate)}, {span}"),
            Cell(_changes(course), tone="" if course.crossings else "muted"),
            Cell(format_ratio(course.most_ratio), course.most_ratio),
            _place(course, course.most_at),
            _place(course, course.alike_from),
        )
    )


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
