"""The table of courses: those that cross come first, sizes are binary, other numbers are not."""

from __future__ import annotations

from heorot.model.analysis.studies.courses import Course, Crossing
from heorot.model.run.identity import Key, Setup
from heorot.report.tables.courses import course_table
from heorot.report.tables.table import Allowance
from heorot.units import NOTHING

CROSSING = Crossing(below=4096, above=16384, better_above="B")


def course(region: str = "letter", **changes: object) -> Course:
    facts: dict[str, object] = {
        "key": Key(Setup("mail/post", "all", "gnu", ranks=2, per_node=2), region),
        "metric": "latency",
        "coordinate": "bytes",
        "smallest": 8,
        "largest": 1 << 20,
        "n": 9,
        "most_ratio": 0.75,
        "most_at": 8,
    }
    return Course.model_validate(facts | changes)


def rows_of(*courses: Course) -> list[list[str]]:
    table = course_table({"B": courses}, Allowance())
    return [[cell.text for cell in row.cells] for row in table.rows]


def test_where_the_better_side_changes_stands_first() -> None:
    plain, crossing = course(), course(crossings=(CROSSING,), region="parcel", alike_from=65536)
    first, second = rows_of(plain, crossing)
    assert first[1] == "parcel, latency"
    assert first[4] == "B from 16 KiB (A up to 4 KiB)"
    assert first[7] == "64 KiB"
    assert (second[4], second[7]) == ("never", NOTHING)
    assert second[3] == "size, 8 B to 1 MiB"


def test_where_both_differ_most_may_be_left_open() -> None:
    ((*_, ratio, at, _),) = rows_of(course(most_at=None))
    assert ratio.startswith("0.75")
    assert at == NOTHING


def test_other_coordinates_are_plain_numbers() -> None:
    ((*_, at, _),) = rows_of(course(coordinate="pairs", smallest=1, largest=4096, most_at=4096))
    assert "KiB" not in at


def test_of_several_systems_each_has_its_letter() -> None:
    later = course(crossings=(CROSSING,))
    table = course_table({"B": (course(),), "C": (later,)}, Allowance())
    first, second = ([cell.text for cell in row.cells] for row in table.rows)
    assert (first[0], first[5]) == ("C", "C from 16 KiB (A up to 4 KiB)")
    assert second[0] == "B"
