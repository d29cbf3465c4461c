"""The score card: which row stands for a headline, and what its share is a share of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.scores import make_scores
from heorot.families import BENCHMARKS
from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.node_roofline.roofs import RooflinePoint
from heorot.model.analysis.rows import Rows
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric, Reference
from heorot.model.resource import FILESYSTEM, ONE_CORE, filesystem
from heorot.store.samples import read_samples
from tests.unit.analyse.builders import (
    a_benchmark,
    a_context,
    a_measured_context,
    a_result,
    a_step,
)

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result, Score

RECORDED = Path(__file__).resolve().parents[2] / "samples/runs/twelve_launches.parquet"
HEADLINE = Headline(label="Rate", metric="rate", region="main")


def program(*headlines: Headline, **changes: Any) -> Benchmark:
    return a_benchmark(headlines=headlines, **changes)


def rate(median: float, **changes: Any) -> Result:
    fields = {"benchmark": "family/program", "region": "main", "metric": "rate"}
    return a_result(median=median, **(fields | changes))


def scores(rows: list[Result], *programs: Benchmark) -> list[Score]:
    return make_scores(a_context(rows, benchmarks=programs))


def test_the_best_row_stands_for_a_program() -> None:
    rows = [rate(1.0), rate(3.0), rate(2.0)]
    (score,) = scores(rows, program(HEADLINE))
    assert (score.label, score.result) == ("Rate", rows[1])


def sized(median: float, size: int, **changes: Any) -> Result:
    return rate(median, point={"working_set_bytes": size}, **changes)


@pytest.mark.parametrize("order", [1, -1])
def test_the_largest_problem_may_stand_for_it_whatever_the_order(order: int) -> None:
    rows = [sized(9.0, 98), sized(2.0, 1 << 27), sized(3.0, 1 << 27, threads=2), sized(8.0, 1000)]
    most = HEADLINE.model_copy(update={"pick": "largest"})
    (score,) = scores(rows[::order], program(most))
    assert score.result is rows[2]


def test_the_size_of_a_headline_is_the_coordinate_that_it_names() -> None:
    rows = [rate(median, point={"n": n}) for n, median in ((3, 1.0), (20, 2.0), (4, 3.0))]
    most = HEADLINE.model_copy(update={"pick": "largest", "by": "n"})
    (score,) = scores([*rows, rate(9.0)], program(most))
    assert score.result is rows[1]
    assert scores([rate(9.0)], program(most)) == []


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (16 << 10, "16 KiB from L1"),
        (512 << 10, "512 KiB from L2"),
        (8 << 20, "8 MiB from L3"),
        (256 << 20, "256 MiB from memory"),
    ],
)
def test_a_label_tells_the_level_that_holds_what_the_row_goes_over(size: int, words: str) -> None:
    reported = HEADLINE.model_copy(update={"tells_level": True})
    (score,) = scores([sized(1.0, size)], program(reported))
    assert score.label == f"Rate, {words}"
    (score,) = scores([rate(1.0)], program(reported))
    assert score.label == "Rate"


@pytest.mark.slow
def test_the_order_of_rows_means_nothing() -> None:
    """On a recorded smoke run; rows with equal sizes are distinguished by value."""
    context = a_measured_context(read_samples(RECORDED))
    found = {score.label: score.result.id for score in make_scores(context)}
    turned = replace(context, rows=Rows([*context.rows][::-1]))
    assert len(found) > 5
    assert {score.label: score.result.id for score in make_scores(turned)} == found


def test_labels_name_no_level_by_themselves() -> None:
    """A level in a label is that of the metric, or none: `from memory` is never assumed."""
    words = {"memory": "memory", "cache": "l1"}
    for benchmark in BENCHMARKS:
        for headline in benchmark.headlines:
            for word, end in words.items():
                if f"from {word}" in headline.label or f"-level {word}" in headline.label:
                    assert headline.metric.endswith(end), headline.label


@pytest.mark.parametrize(
    "flaw", [{"options": {"star": True}}, {"verified": "failed"}, {"plausible": False}]
)
@pytest.mark.parametrize("pick", ["best", "largest"])
def test_copies_and_numbers_without_trust_are_no_headline(pick: str, flaw: dict[str, Any]) -> None:
    headline = HEADLINE.model_copy(update={"pick": pick})
    assert scores([sized(1.0, 1000, **flaw)], program(headline)) == []


@pytest.mark.parametrize(("nodes", "median"), [("one", 2.0), ("several", 3.0), ("any", 3.0)])
def test_a_headline_is_about_a_node_or_about_several(nodes: str, median: float) -> None:
    rows = [rate(1.0), rate(2.0), rate(3.0, nodes=2), rate(2.5, nodes=4)]
    (score,) = scores(rows, program(HEADLINE.model_copy(update={"nodes": nodes})))
    assert score.result.median == median
    inside, between = rows[:2], rows[2:]
    alone = {"one": between, "several": inside}.get(nodes, [])
    assert scores(alone, program(HEADLINE.model_copy(update={"nodes": nodes}))) == []


def test_headlines_are_about_one_node_unless_they_say_so() -> None:
    assert HEADLINE.nodes == "one"


def test_between_nodes_what_a_core_does_is_not_named_as_the_bound() -> None:
    limit = Ceiling(metric="rate", by="top", of=ONE_CORE, reason="a message is a copy")
    publishes = (Reference(name="top", metric="rate", regions=("top",)),)
    wide = {"share_of": "the line", "nodes": "any"}
    known = program(HEADLINE.model_copy(update=wide), ceilings=(limit,), publishes=publishes)
    for nodes, words in ((1, limit.reason), (2, "the line")):
        (score,) = scores([rate(1.0, nodes=nodes, share_of_ceiling=0.5)], known)
        assert score.ceiling == words


def test_a_headline_wants_its_coordinates() -> None:
    rows = [rate(9.0, point={"n": 1}), rate(1.0, point={"n": 2, "way": "up"})]
    at_two = HEADLINE.model_copy(update={"point": {"n": 2}})
    (score,) = scores(rows, program(at_two))
    assert score.result is rows[1]


def test_each_file_system_may_have_a_headline_of_its_own() -> None:
    places = {"a": "work", "b": "scratch", "c": "scratch"}
    rows = [rate(float(n), case=case) for n, case in enumerate((*places, "none"), start=1)]
    steps = [
        a_step().model_copy(
            update={"setup": row.setup, "resources": (filesystem(places[row.case]),)}
        )
        for row in rows[:3]
    ]
    each = HEADLINE.model_copy(update={"each": FILESYSTEM})
    context = a_context(rows, steps=steps, benchmarks=(program(each),))
    found = {score.label: score.result.case for score in make_scores(context)}
    assert found == {"Rate, work": "a", "Rate, scratch": "c", "Rate": "none"}


def test_a_headline_leaves_its_place_to_the_next_of_its_label() -> None:
    other = HEADLINE.model_copy(update={"region": "other"})
    both = program(HEADLINE, other)
    found = scores([rate(9.0, region="other"), rate(1.0)], both)
    assert [score.result.region for score in found] == ["main"]
    found = scores([rate(9.0, region="other")], both)
    assert [score.result.region for score in found] == ["other"]


def test_programs_may_use_the_same_label() -> None:
    first, second = program(HEADLINE), program(HEADLINE, name="family/second")
    rows = [rate(1.0), rate(2.0, benchmark="family/second")]
    assert [score.result.benchmark for score in scores(rows, second, first)] == [
        "family/second",
        "family/program",
    ]


def test_a_share_says_what_it_is_a_share_of() -> None:
    limit = Ceiling(metric="rate", by="top", reason="nothing is faster than the top")
    publishes = (Reference(name="top", metric="rate", regions=("top",)),)
    judged = rate(1.0, share_of_ceiling=0.5)
    own = HEADLINE.model_copy(update={"share_of": "the bound of the family"})

    def ceiling(row: Result, **changes: Any) -> str:
        (score,) = scores([row], program(own, **changes))
        return score.ceiling

    assert ceiling(judged, ceilings=(limit,), publishes=publishes) == limit.reason
    assert ceiling(judged) == "the bound of the family"
    assert ceiling(rate(1.0), ceilings=(limit,), publishes=publishes) == ""


def test_a_headline_without_a_bound_shows_its_samples_in_the_unit_that_has_one() -> None:
    flops = Metric(name="flops", unit="flop/s", better="higher", count="flops")
    limit = Ceiling(metric="flops", by="top", reason="nothing is faster", unreached="it waits")
    publishes = (Reference(name="top", metric="rate", regions=("top",)),)
    known = a_benchmark()
    row = rate(1e8)
    same = rate(3e9, metric="flops", share_of_ceiling=0.25)
    other = rate(9e9, metric="flops", share_of_ceiling=0.9, case="other")
    metrics = (*known.metrics, flops)
    changes: dict[str, Any] = {"metrics": metrics, "ceilings": (limit,), "publishes": publishes}
    (score,) = scores([row, other, same], program(HEADLINE, **changes))
    assert (score.result, score.limited) == (row, same)
    assert score.ceiling == "it waits"


def test_a_headline_that_is_itself_the_bound_says_so() -> None:
    (score,) = scores([rate(1.0, is_ceiling=True)], program(HEADLINE))
    assert (score.ceiling, score.limited) == ("is itself the best measured", None)
    assert (score.share, score.bound) == (None, "best measured")


def place_of(row: Result, bound: float, ceiling: float = 10.0) -> RooflinePoint:
    """Where a row of 1 flop/s stands below a bound."""
    return RooflinePoint(
        key=row.key,
        of=ONE_CORE,
        intensity=0.1,
        rate=Middle(median=1.0, low=0.9, high=1.1),
        n_launches=3,
        level="L3",
        working_set_bytes=None,
        neighbour="memory",
        bandwidth=bound / 0.1,
        flop_peak=ceiling,
        bound=bound,
    )


@pytest.mark.parametrize(
    ("bound", "unit", "expected"),
    [
        (2.0, "flop/s", (0.5, "L3 and memory bandwidth")),
        (2.0, "s", (0.5, "L3 and memory bandwidth")),  # the time of as many flops
        (10.0, "flop/s", (0.1, "flop peak")),
        (0.5, "flop/s", (0.2, "top")),  # passed: it is no bound
        (2.0, "B/s", (0.2, "top")),  # a bandwidth has its own
    ],
)
def test_a_share_is_of_the_roofline_where_the_row_stands_below_one(
    bound: float, unit: str, expected: tuple[float, str]
) -> None:
    limit = Ceiling(metric="rate", by="top", reason="nothing is faster than the top")
    publishes = (Reference(name="top", metric="rate", regions=("top",)),)
    row = rate(1.0, unit=unit, share_of_ceiling=0.2)
    context = a_context(
        [row], benchmarks=(program(HEADLINE, ceilings=(limit,), publishes=publishes),)
    )
    (score,) = make_scores(context, NodeRoofline(points=(place_of(row, bound),)))
    assert (score.share, score.bound) == expected


def test_what_limits_nothing_stands_beside_no_headline() -> None:
    bound = Ceiling(metric="rate", most=7e9, reason="no machine does more")
    (score,) = scores([rate(1.0, unit="Hz")], program(HEADLINE, ceilings=(bound,)))
    assert (score.ceiling, score.limited) == ("", None)
