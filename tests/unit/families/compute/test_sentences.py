"""What the cores' programs say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heorot.families.compute.sentences import sentences
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def peak(median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "compute/peak",
        "region": "fma_double",
        "metric": "flop_rate",
        "unit": "flop/s",
    }
    return a_result(median=median, **(fields | changes))


def axpy(metric: str, median: float, unit: str = "flop/s", **changes: Any) -> Result:
    fields = {
        "benchmark": "compute/vector_kernels",
        "region": "axpy",
        "metric": metric,
        "unit": unit,
        "point": {"access": "contiguous"},
        "derived": True,
    }
    return a_result(median=median, **(fields | changes))


def said(*rows: Result) -> list[str]:
    found = sentences(a_context(rows))
    keys = {row.key for row in rows}
    assert all(each.evidence and set(each.evidence) <= keys for each in found)
    assert all(len(set(each.evidence)) == len(each.evidence) for each in found)
    return [each.text for each in found]


def test_a_core_is_told_by_rate_clock_and_share() -> None:
    clock = {"region": "clock_multiply", "metric": "clock", "unit": "Hz"}
    rate = peak(93e9, share_of_ceiling=0.97)
    assert said(rate, peak(3e9, **clock)) == [
        (
            "One core computes 93.0 Gflop/s [92.1…93.9 in 3 launches] in double precision: 31.0 "
            "[30.4…31.6 in 3 launches] flop in every cycle of its true clock of 3.00 GHz "
            "[2.97…3.03 in 3 launches], 97.0 % [96.0…98.0 in 3 launches] of what its units can do "
            "at that clock."
        )
    ]
    assert said(rate) == [
        ("One core computes 93.0 Gflop/s [92.1…93.9 in 3 launches] in double precision.")
    ]


def test_all_cores_are_told_if_there_are_several() -> None:
    rows = [peak(100e9), peak(190e9, threads=2), peak(360e9, threads=4)]
    assert said(*rows)[1] == (
        "4 cores together compute 360 Gflop/s [356…364 in 3 launches], 3.60 [3.53…3.67 in 3 "
        "launches] times as much as one."
    )
    assert said(rows[1]) == []


def test_vectors_are_told_by_the_two_ends_of_the_memory() -> None:
    rows = [
        axpy("r_max_l1", 40e9),
        axpy("r_max_memory", 2e9),
        axpy("first_level_end", 48 << 10, "B", ci_low=32 << 10, ci_high=64 << 10),
    ]
    assert said(*rows) == [
        (
            "Vectors in the first-level cache are combined (axpy) at 40.0 Gflop/s [39.6…40.4 in 3 "
            "launches], vectors in memory at 2.00 Gflop/s [1.98…2.02 in 3 launches]: 20.0 "
            "[19.6…20.4 in 3 launches] times slower; the fast cache ends between 32 KiB and 64 "
            "KiB."
        )
    ]
    assert said(rows[0])[0].endswith("[39.6…40.4 in 3 launches].")
    assert said(*rows[1:]) == []


def test_other_accesses_and_toolchains_are_not_mixed_in() -> None:
    rows = [
        axpy("r_max_l1", 40e9),
        axpy("r_max_memory", 1e9, point={"access": "stride3"}),
        axpy("r_max_memory", 9e9, toolchain="clang-16"),
    ]
    assert "in memory" not in said(*rows)[0]


def test_a_short_vector_is_told_by_what_it_costs() -> None:
    rows = [
        axpy("latency", 20.0, "cycle"),
        axpy("cycles_per_element", 0.2, "cycle"),
        axpy("n_half", 100.0, "element"),
    ]
    (text,) = said(*rows)
    assert text.startswith(
        "To start axpy costs 20.0 cycles [19.8…20.2 in 3 launches], every element 0.2"
    )
    assert text.endswith(
        "so that vectors of 100 elements [99…101 in 3 launches] run at half speed."
    )


def test_disturbed_numbers_say_so() -> None:
    assert "(disturbed) in double" in said(peak(93e9, disturbed=True))[0]


def test_refused_numbers_are_not_quoted() -> None:
    rows = [peak(93e9, verified="failed"), peak(93e9, plausible=False)]
    assert said(*rows) == []
