"""The programs of the NAS Parallel Benchmarks: metrics and bounds."""

from __future__ import annotations

import pytest

from heorot.analyse.scores import make_scores
from heorot.families.npb import FAMILY
from heorot.families.npb.programs import CLASSES, EP, IS, LU
from heorot.model.catalogue.benchmark import PROFILES, Benchmark
from tests.unit.analyse.builders import a_context, a_machine, a_result

every_program = pytest.mark.parametrize("benchmark", FAMILY.benchmarks, ids=lambda one: one.name)


@every_program
def test_what_a_program_performs_is_its_headline_and_nominal_rates_are_named(
    benchmark: Benchmark,
) -> None:
    metrics = [metric.name for metric in benchmark.metrics]
    assert metrics[:2] == ["operation_rate"] + ([] if benchmark is IS else ["flop_rate"])
    shown = {headline.label: headline.metric for headline in benchmark.headlines}
    if benchmark is EP:  # most of its work is not flops
        assert shown == {"NPB EP, time": "time"}
    elif benchmark is IS:
        assert shown == {"NPB IS, keys ranked": "operation_rate"}
    else:
        assert list(shown.values()) == ["flop_rate", "operation_rate"]
        assert [label.endswith(", nominal operations") for label in shown] == [False, True]


def test_a_nominal_rate_above_the_peak_stands_beside_what_is_performed() -> None:
    fields = {"benchmark": LU.name, "region": "lu", "case": "A_all", "point": {"class": "A"}}
    rows = [
        a_result(**fields, metric="operation_rate", unit="op/s", median=139e9),
        a_result(**fields, metric="flop_rate", unit="flop/s", median=51e9, share_of_ceiling=0.43),
    ]
    performed, nominal = make_scores(a_context(rows, benchmarks=[LU]))
    assert (performed.label, performed.result.median) == ("NPB LU", 51e9)
    assert (nominal.label, nominal.result.median) == ("NPB LU, nominal operations", 139e9)
    assert nominal.limited == performed.result


@every_program
def test_flops_of_older_records_were_operations(benchmark: Benchmark) -> None:
    def amounts(**counts: float) -> dict[str, float]:
        return {metric.name: metric.amount(counts) for metric in benchmark.metrics}

    both = amounts(operations=3e9, flops=2e9)
    both.pop("time", None)
    assert both == {"operation_rate": 3e9, **({"flop_rate": 2e9} if "flop_rate" in both else {})}
    old = amounts(flops=3e9)
    old.pop("time", None)
    assert old == {"operation_rate": 3e9, **({"flop_rate": 0.0} if "flop_rate" in old else {})}


@every_program
def test_flops_and_nothing_else_are_held_against_the_peak(benchmark: Benchmark) -> None:
    limits = [(ceiling.metric, ceiling.by) for ceiling in benchmark.ceilings]
    assert limits == ([("flop_rate", "flop_peak")] if benchmark.metric("flop_rate") else [])


def test_ep_is_no_headline_for_floating_point() -> None:
    fields = {"benchmark": EP.name, "region": "ep", "case": "A_all", "point": {"class": "A"}}
    rows = [
        a_result(**fields, metric="operation_rate", unit="op/s", median=1.5e9),
        a_result(**fields, metric="flop_rate", unit="flop/s", median=45e9, share_of_ceiling=0.39),
        a_result(**fields, metric="time", unit="s", better="lower", median=0.36),
    ]
    (score,) = make_scores(a_context(rows, benchmarks=[EP]))
    assert (score.label, score.result.metric, score.limited) == ("NPB EP, time", "time", None)


@every_program
def test_every_class_that_runs_has_its_place_among_the_sizes(benchmark: Benchmark) -> None:
    assert benchmark.size is CLASSES
    classes = {
        str(case.options["class"])
        for profile in PROFILES
        for case in benchmark.cases(a_machine(64, gibibytes=512), profile)
    }
    assert {"S", "A", "C"} <= classes <= set(CLASSES.order)


def test_the_largest_class_of_the_score_card_that_ran_stands_on_it() -> None:
    def scored(*classes: str) -> object:
        rows = [
            a_result(
                benchmark=EP.name,
                region="ep",
                metric="time",
                unit="s",
                better="lower",
                case=size,
                point={"class": size},
                median=1e9 / (1 + place),
            )
            for place, size in enumerate(classes)
        ]
        return [score.result.point["class"] for score in make_scores(a_context(rows))]

    # Classes too small to judge by are no headline, even if no other ran.
    assert scored("S", "W") == []
    assert scored("S", "W", "A") == ["A"]
    # A class of long profiles only would not compare.
    assert scored("W", "A", "B") == ["A"]
