"""Courses of two runs over sizes: crossovers, the largest difference, where they become equal."""

from __future__ import annotations

from heorot.analyse.compare.courses import find_courses
from heorot.model.analysis.comparison import ComparedMetric, ComparisonVerdict
from heorot.model.point import Point
from heorot.model.run.identity import Key, Setup

SIZES = (8, 128, 2048, 32768)


def compared(size: int, ratio: float, *, layout: str = "1x2x1", **others: int) -> ComparedMetric:
    verdict: ComparisonVerdict = "indistinguishable"
    if not 0.95 < ratio < 1.05:
        verdict = "better" if ratio > 1.0 else "worse"
    nodes, ranks, _ = map(int, layout.split("x"))
    setup = Setup("mail/post", "", "", nodes=nodes, ranks=ranks, per_node=ranks // nodes)
    key = Key(setup, "letter", Point({"bytes": size, **others}))
    return ComparedMetric(
        key=key,
        other=key,
        metric="latency",
        unit="s",
        better="lower",
        a_median=1.0,
        a_low=1.0,
        a_high=1.0,
        b_median=1.0 / ratio,
        b_low=1.0 / ratio,
        b_high=1.0 / ratio,
        ratio=ratio,
        ratio_low=ratio,
        ratio_high=ratio,
        p_value=0.0,
        effect_size=0.0,
        verdict=verdict,
    )


def course_of(*ratios: float) -> list[ComparedMetric]:
    return [compared(size, ratio) for size, ratio in zip(SIZES, ratios, strict=True)]


def test_the_better_side_changes_between_two_sizes() -> None:
    (course,) = find_courses(course_of(0.5, 1.0, 1.2, 1.3))
    (crossing,) = course.crossings
    assert (crossing.below, crossing.above, crossing.better_above) == (8, 2048, "B")
    assert (course.most_ratio, course.most_at) == (0.5, 8)
    assert (course.smallest, course.largest, course.n) == (8, 32768, 4)


def test_where_both_differ_most_is_left_open_if_intervals_leave_it_open() -> None:
    """Half as fast and twice as fast are as far apart."""
    wide = {"ratio_low": 0.45, "ratio_high": 0.55}
    first, *others = course_of(0.5, 1.0, 1.2, 1.9)
    (course,) = find_courses([first.model_copy(update=wide), *others])
    assert (course.most_ratio, course.most_at) == (0.5, None)
    (course,) = find_courses([first.model_copy(update=wide), *others[:2], compared(32768, 1.5)])
    assert (course.most_ratio, course.most_at) == (0.5, 8)


def test_what_never_changes_has_no_crossing() -> None:
    (course,) = find_courses(course_of(1.2, 1.0, 1.2, 1.3))
    assert course.crossings == ()


def test_both_become_alike() -> None:
    (course,) = find_courses(course_of(3.0, 1.5, 1.05, 0.96))
    assert course.alike_from == 2048
    (always,) = find_courses(course_of(1.01, 1.0, 1.05, 0.96))
    assert always.alike_from is None
    (never,) = find_courses(course_of(1.01, 1.0, 1.05, 1.96))
    assert never.alike_from is None


def test_layouts_and_other_coordinates_have_courses_of_their_own() -> None:
    metrics = [
        *course_of(1.0, 1.0, 1.0, 1.0),
        *(compared(size, 2.0, layout="2x2x1") for size in SIZES),
        *(compared(size, 0.5, pairs=3) for size in SIZES),
    ]
    found = find_courses(metrics)
    assert [(one.setup.layout, dict(one.point), one.most_ratio) for one in found] == [
        ("1x2x1", {}, 1.0),
        ("2x2x1", {}, 2.0),
        ("1x2x1", {"pairs": 3}, 0.5),
    ]


def test_few_sizes_are_no_course() -> None:
    assert find_courses(course_of(1.0, 2.0, 3.0, 4.0)[:3]) == []


def test_what_was_not_tested_has_no_course() -> None:
    unknown = {"ratio_low": None, "ratio_high": None, "verdict": "untested"}
    untested = [one.model_copy(update=unknown) for one in course_of(0.5, 1.0, 1.2, 1.3)]
    assert find_courses(untested) == []
