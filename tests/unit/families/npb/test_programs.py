"""The programs of the NAS Parallel Benchmarks: what they yield, and what limits them."""

from __future__ import annotations

import pytest

from heorot.analyse.scores import make_scores
from heorot.families.npb import FAMILY
from heorot.families.npb.programs import CLASSES, EP, IS
from heorot.model.catalogue.benchmark import PROFILES, Benchmark
from tests.unit.analyse.builders import a_context, a_machine, a_result

every_program = pytest.mark.parametrize("benchmark", FAMILY.benchmarks, ids=lambda one: one.name)


@every_program
def test_speed_is_told_in_operations_and_flops_are_beside_it(benchmark: Benchmark) -> None:
    metrics = [metric.name for metric in benchmark.metrics]
    assert metrics == ["operation_rate"] + ([] if benchmark is IS else ["flop_rate"])
    assert {headline.metric for headline in benchmark.headlines} == {"operation_rate"}


@every_program
def test_flops_of_older_records_were_operations(benchmark: Benchmark) -> None:
    def amounts(**counts: float) -> dict[str, float]:
        return {metric.name: metric.amount(counts) for metric in benchmark.metrics}

    both = amounts(operations=3e9, flops=2e9)
    assert both == {"operation_rate": 3e9, **({"flop_rate": 2e9} if "flop_rate" in both else {})}
    old = amounts(flops=3e9)
    assert old == {"operation_rate": 3e9, **({"flop_rate": 0.0} if "flop_rate" in old else {})}


@every_program
def test_flops_and_nothing_else_are_held_against_the_peak(benchmark: Benchmark) -> None:
    limits = [(ceiling.metric, ceiling.by) for ceiling in benchmark.ceilings]
    assert limits == ([("flop_rate", "flop_peak")] if benchmark.metric("flop_rate") else [])


@every_program
def test_every_class_that_runs_has_its_place_among_the_sizes(benchmark: Benchmark) -> None:
    assert benchmark.size is CLASSES
    classes = {
        str(case.options["class"])
        for profile in PROFILES
        for case in benchmark.cases(a_machine(64, gibibytes=512), profile)
    }
    assert {"S", "W", "A", "C"} <= classes <= set(CLASSES.order)


def test_the_largest_class_of_the_score_card_that_ran_stands_on_it() -> None:
    def scored(*classes: str) -> object:
        rows = [
            a_result(
                benchmark=EP.name,
                region="ep",
                metric="operation_rate",
                case=size,
                point={"class": size},
                median=1e9 / (1 + place),
            )
            for place, size in enumerate(classes)
        ]
        (score,) = make_scores(a_context(rows))
        return score.result.point["class"]

    assert scored("S") == "S"
    assert scored("S", "W") == "W"
    assert scored("S", "W", "A") == "A"
    # What only a long profile runs would not compare.
    assert scored("W", "A", "B") == "A"
