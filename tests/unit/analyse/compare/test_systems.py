"""Several systems: each compared with the first by the rule for two, and the verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.analyse.compare.runs import compare_runs
from heorot.analyse.compare.systems import Contender
from heorot.families import BENCHMARKS
from heorot.model.analysis.published import Publication, PublishedQuantity
from heorot.model.analysis.studies.systems import SideBySide, System
from heorot.model.run.series import Series
from tests.unit.analyse.builders import QUIET, a_result
from tests.unit.analyse.compare.contenders import (
    BUILD,
    FACTS,
    contender,
    ep_over_cores,
    side_by_side,
    slower,
)
from tests.unit.report.screens.sentences import excess

TIMES = {1: 8.0, 4: 2.0}


def series(factor: float = 1.0, **changes: object) -> list[Series]:
    return ep_over_cores(slower(TIMES, (factor, factor)), **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def three() -> SideBySide:
    """A, B twice as fast, C half as fast, built by another compiler on another kernel."""
    return side_by_side(
        contender("a", series()),
        contender("b", series(0.5)),
        contender("c", series(2.0), FACTS | {"kernel": "6.6"}, replace(BUILD, compiler="Clang 16")),
        bounds={"npb/ep": "compute-bound"},
    )


def text_of(side: SideBySide) -> str:
    return "\n".join(sentence.text for sentence in side.sentences)


def test_every_system_is_compared_with_the_first_as_two_runs_are(three: SideBySide) -> None:
    a, c = (contender("x", each).of.side for each in (series(), series(2.0)))  # type: ignore[union-attr]
    alone = compare_runs(a, c, BENCHMARKS)
    beside = three.comparisons[1]
    assert [m.ratio for m in beside.metrics] == [m.ratio for m in alone.metrics]
    assert [m.ends for m in beside.metrics] == [m.ends for m in alone.metrics]
    assert [m.p_value for m in beside.metrics] == [m.p_value for m in alone.metrics]
    assert [m.verdict for m in beside.metrics] == [m.verdict for m in alone.metrics]


def test_a_row_has_a_cell_for_each_further_system(three: SideBySide) -> None:
    assert [row.setup.layout for row in three.rows] == ["1x1x1", "1x4x1"]
    for row in three.rows:
        b, c = row.others
        assert b is not None
        assert c is not None
        assert (b.ratio, c.ratio) == pytest.approx((2.0, 0.5), rel=1e-3)
        assert b.a_median == c.a_median


def test_what_a_system_lacks_is_an_empty_cell() -> None:
    side = side_by_side(
        contender("a", series()), contender("b", ep_over_cores({1: 8.0})), contender("c", series())
    )
    assert [[each is not None for each in row.others] for row in side.rows] == [
        [True, True],
        [False, True],
    ]


def test_bounds_stand_before_programs(three: SideBySide) -> None:
    assert [(group.name, group.bound) for group in three.groups] == [
        ("compute-bound", ""),
        ("npb/ep", "compute-bound"),
    ]
    assert [each and each.verdict for each in three.groups[0].others] == ["better", "worse"]


def test_the_verdict_says_who_is_faster_by_how_much_and_what_differs(three: SideBySide) -> None:
    text = text_of(three)
    assert "B is faster than A at compute-bound programs (2.00 [" in text
    assert "C is slower than A at compute-bound programs (2.00 [" in text
    assert "Possible causes, not tested: kernel differs." in text
    assert "Builds differ in compiler: these ratios compare machine and software together." in text


def test_of_many_systems_each_program_is_said_once_with_who_is_furthest_first() -> None:
    factors = {"b": 0.5, "c": 0.8, "d": 1.0, "e": 1.5, "f": 2.0}
    side = side_by_side(
        contender("a", series()), *(contender(name, series(n)) for name, n in factors.items())
    )
    first, *others = (sentence.text for sentence in side.sentences)
    assert first.startswith("At npb/ep A is behind B (2.00 [")
    assert " times) and C and ahead of F (2.00 [" in first
    assert "D" not in first
    assert not any("npb/ep" in text for text in others)


def test_of_many_systems_that_are_alike_that_is_said() -> None:
    side = side_by_side(*(contender(name, series()) for name in "abcdef"))
    assert side.sentences[0].text == ("All others and A do not differ significantly in 1 program.")


def test_equal_builds_are_said_as_a_condition() -> None:
    text = text_of(side_by_side(contender("a", series()), contender("b", series(0.5))))
    assert "Builds are equal: sources, compiler, flags, MPI" in text
    assert "No recorded fact of the machines differs." in text


def test_what_cannot_be_concluded_is_said() -> None:
    crowded = frozenset(one.step for one in series() if one.ranks == 4)
    noisy = contender("b", series(), crowded=crowded)
    apart = ep_over_cores({4: 1.0}, nodes=4, per_node=1)
    boxes = contender("c", [*ep_over_cores({1: 8.0}), *apart])
    text = text_of(side_by_side(contender("a", series()), noisy, boxes))
    assert "B and A do not differ significantly in 1 program." in text
    assert "Not to be concluded: 3 of 4 comparisons show no significant difference" in text
    assert "1 rest on oversubscribed cores" in text
    assert "1 compare other layouts on as many cores" in text


def test_what_perturbed_samples_decide_is_left_open() -> None:
    noisy = QUIET.model_copy(update={"sentinel_after": 2.0})
    first, second = contender("a", series()), contender("b", series(0.5, disturbance=noisy))
    text = text_of(side_by_side(first, second))
    assert "Nothing is concluded about B and A: perturbed samples decide every program." in text
    assert "perturbed samples decide npb/ep of B: measure again" in text
    assert "faster" not in text
    others = (contender(name, series()) for name in "cdef")
    text = text_of(side_by_side(first, second, *others))
    assert "behind" not in text


def test_the_gap_over_cores_is_a_sentence_with_both_ends() -> None:
    times = {1: 8.0, 4: 1.0}
    text = text_of(side_by_side(contender("a", series()), contender("b", ep_over_cores(times))))
    assert "In npb/ep class W B and A are alike on 1 core; on 4 cores B leads by 100 % [" in text


def test_the_lead_of_the_first_is_reported_as_its_own() -> None:
    times = {1: 8.8, 4: 4.0}
    text = text_of(side_by_side(contender("a", series()), contender("b", ep_over_cores(times))))
    assert "In npb/ep class W the lead of A over B grows from 10.0 % [" in text
    assert " on 1 core to 100 % [" in text


def test_a_published_machine_has_ratios_and_no_verdict() -> None:
    quantity = PublishedQuantity(
        benchmark="npb/ep", region="ep", metric="operation_rate", unit="op/s", value=5e5, ranks=1
    )
    old = Publication(name="Old", source="a report", quantities=(quantity,))
    row = a_result(
        benchmark="npb/ep", region="ep", metric="operation_rate", unit="op/s", median=2.5e5
    )
    side = side_by_side(
        contender("a", series()),
        contender("b", series()),
        Contender(System(name="Old", machine="published"), old),
        table=[row],
    )
    (metric,) = side.comparisons[1].metrics
    assert (metric.ratio, metric.verdict) == (2.0, "untested")
    assert "C and A have no metric in common that can be tested." in text_of(side)
    assert "1 have no interval and are not tested" in text_of(side)


def test_sentences_of_the_verdict_are_short() -> None:
    factors = {"b": 0.5, "c": 0.8, "d": 1.0, "e": 1.5, "f": 2.0}
    others = [contender(name, series(n)) for name, n in factors.items()]
    for several in (others, others[:1], others[3:]):
        side = side_by_side(contender("a", series()), *several)
        assert [one.text for one in side.verdict if excess(one.text)] == []
        assert not any("Not to be concluded" in one.text for one in side.verdict)


def test_what_is_open_is_known_in_clauses() -> None:
    crowded = frozenset(one.step for one in series() if one.ranks == 4)
    noisy = contender("b", series(), crowded=crowded)
    side = side_by_side(contender("a", series()), noisy)
    assert "1 rest on oversubscribed cores" in side.open
    assert side.sentences[-1].text == f"Not to be concluded: {'; '.join(side.open)}."
