"""Branch misprediction penalty, predicted patterns, and operations in measured cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.compute.decisions.costs import explain
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def clock(hertz: float = 4e9) -> Result:
    return a_result(
        benchmark="compute/peak", region="clock_multiply", metric="clock", unit="Hz", median=hertz
    )


def decision(region: str, seconds: float, **point: int) -> Result:
    return a_result(
        benchmark="compute/branches",
        region=region,
        metric="time",
        unit="s",
        better="lower",
        point=point,
        median=seconds,
    )


def reported(*rows: Result) -> dict[tuple[str, str], Result]:
    return {(row.region, row.metric): row for row in explain(a_context(rows))}


def test_half_of_what_is_even_is_guessed_wrong() -> None:
    rows = reported(
        clock(),
        decision("random", 0.5e-9, chance_percent=0),
        decision("random", 1.5e-9, chance_percent=10),
        decision("random", 3e-9, chance_percent=50),
    )
    wrong = rows["random", "wrong_guess"]
    assert wrong.median == pytest.approx(5e-9)
    assert wrong.ci_low == pytest.approx((2.97e-9 - 0.505e-9) / 0.5)
    assert rows["random", "wrong_guess_cycles"].median == pytest.approx(20.0)


def test_without_both_ends_nothing_is_reported() -> None:
    assert not reported(clock(), decision("random", 3e-9, chance_percent=50))


def test_a_pattern_is_remembered_up_to_a_length() -> None:
    certain = decision("random", 0.5e-9, chance_percent=0)
    even = decision("random", 3e-9, chance_percent=50)
    times = {4: 0.5e-9, 8: 0.52e-9, 16: 0.6e-9, 32: 0.9e-9, 64: 2.5e-9}
    patterns = [decision("periodic", each, period=n) for n, each in times.items()]
    rows = reported(certain, even, *reversed(patterns))
    longest = rows["periodic", "remembered"]
    assert (longest.median, longest.ci_low, longest.ci_high) == (32, 32, 64)
    assert longest.unit == "decision"
    all_known = reported(certain, even, *patterns[:4])
    assert ("periodic", "remembered") not in all_known


def test_chains_in_cycles_and_independent_operations_per_cycle() -> None:
    rows = reported(
        clock(),
        *(
            a_result(
                benchmark="compute/integer",
                region="multiply",
                metric="operation_rate",
                unit="op/s",
                point={"way": way},
                median=rate,
            )
            for way, rate in (("chain", 1e9), ("independent", 8e9))
        ),
    )
    assert rows["multiply", "cycles"].median == pytest.approx(4.0)
    assert rows["multiply", "cycles"].ci_low < 4.0 < rows["multiply", "cycles"].ci_high
    assert rows["multiply", "per_cycle"].median == pytest.approx(2.0)
    assert rows["multiply", "per_cycle"].better == "higher"


def test_without_a_clock_there_are_no_cycles() -> None:
    row = a_result(
        benchmark="compute/integer",
        region="add",
        metric="operation_rate",
        point={"way": "chain"},
    )
    assert explain(a_context([row])) == []
