"""Wrong guesses, remembered patterns, and operations in cycles of the measured clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.compute.decisions.costs import explain

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result
    from tests.unit.conftest import Kit


def clock(kit: Kit, hertz: float = 4e9) -> Result:
    return kit.result(
        benchmark="compute/peak", region="clock_multiply", metric="clock", unit="Hz", median=hertz
    )


def decision(kit: Kit, region: str, seconds: float, **point: int) -> Result:
    return kit.result(
        benchmark="compute/branches",
        region=region,
        metric="time",
        unit="s",
        better="lower",
        point=point,
        median=seconds,
    )


def told(kit: Kit, *rows: Result) -> dict[tuple[str, str], Result]:
    return {(row.region, row.metric): row for row in explain(kit.context(rows))}


def test_half_of_what_is_even_is_guessed_wrong(kit: Kit) -> None:
    rows = told(
        kit,
        clock(kit),
        decision(kit, "random", 0.5e-9, chance_percent=0),
        decision(kit, "random", 1.5e-9, chance_percent=10),
        decision(kit, "random", 3e-9, chance_percent=50),
    )
    wrong = rows["random", "wrong_guess"]
    assert wrong.median == pytest.approx(5e-9)
    assert wrong.ci_low == pytest.approx((2.97e-9 - 0.505e-9) / 0.5)
    assert rows["random", "wrong_guess_cycles"].median == pytest.approx(20.0)


def test_without_both_ends_nothing_is_told(kit: Kit) -> None:
    assert not told(kit, clock(kit), decision(kit, "random", 3e-9, chance_percent=50))


def test_a_pattern_is_remembered_up_to_a_length(kit: Kit) -> None:
    certain = decision(kit, "random", 0.5e-9, chance_percent=0)
    even = decision(kit, "random", 3e-9, chance_percent=50)
    times = {4: 0.5e-9, 8: 0.52e-9, 16: 0.6e-9, 32: 0.9e-9, 64: 2.5e-9}
    patterns = [decision(kit, "periodic", each, period=n) for n, each in times.items()]
    rows = told(kit, certain, even, *reversed(patterns))
    longest = rows["periodic", "remembered"]
    assert (longest.median, longest.ci_low, longest.ci_high) == (32, 32, 64)
    assert longest.unit == "decision"
    all_known = told(kit, certain, even, *patterns[:4])
    assert ("periodic", "remembered") not in all_known


def test_chains_in_cycles_and_independent_operations_per_cycle(kit: Kit) -> None:
    rows = told(
        kit,
        clock(kit),
        *(
            kit.result(
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


def test_without_a_clock_there_are_no_cycles(kit: Kit) -> None:
    row = kit.result(
        benchmark="compute/integer",
        region="add",
        metric="operation_rate",
        point={"way": "chain"},
    )
    assert explain(kit.context([row])) == []
