"""Sentences on the programs of the family compute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.compute.sentences import sentences
from heorot.model.machine.machine import Processor
from tests.unit.analyse.builders import a_context, a_machine, a_result

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
    keys = {row.id for row in rows}
    assert all(each.evidence and set(each.evidence) <= keys for each in found)
    assert all(len(set(each.evidence)) == len(each.evidence) for each in found)
    return [each.text for each in found]


CLOCK = peak(3e9, region="clock_multiply", metric="clock", unit="Hz")


def of_width(flops_per_cycle: float, width: int) -> Result:
    return peak(3e9 * flops_per_cycle, point={"vector_bytes": width})


def test_a_core_is_reported_by_its_rate_and_the_units_that_do_so_much() -> None:
    rate = "FMA peak of one core: 48.0 Gflop/s [47.5…48.5 in 3 launches] in double precision"
    cycle = (
        "That is 16.0 flop/cycle [15.7…16.3 in 3 launches] at the measured clock of 3.00 GHz "
        "[2.97…3.03 in 3 launches]"
    )
    assert said(peak(48e9)) == [f"{rate}."]
    assert said(peak(48e9), CLOCK) == [f"{rate}. {cycle}."]
    rows = [of_width(16, 64), of_width(16, 32), of_width(8, 16), CLOCK]
    assert said(*rows) == [f"{rate}. {cycle}, the rate of 2 FMA pipes of 256 bits."]


@pytest.mark.parametrize(
    ("core", "flops_per_cycle", "width", "words"),
    [
        ("zen4", 16.0, 64, ": Zen 4 has 2 FMA pipes of 256 bits."),
        (
            "sapphirerapids",
            16.0,
            64,
            "; Sapphire Rapids should reach 32.0 flop/cycle with vectors of 512 bits.",
        ),
        (
            "sapphirerapids",
            16.0,
            32,
            ": Sapphire Rapids has 2 FMA pipes of 512 bits, used with vectors of 256 bits.",
        ),
        ("zen4", 13.0, 64, "; Zen 4 should reach 16.0 flop/cycle with vectors of 512 bits."),
        (None, 16.0, 64, "the rate of 1 FMA pipe of 512 bits."),
        (None, 13.0, 64, "the rate of no whole number of FMA pipes."),
    ],
)
def test_a_known_core_is_held_against_what_it_should_do(
    core: str | None, flops_per_cycle: float, width: int, words: str
) -> None:
    processor = Processor(isa="x86_64", n_cores=2, threads_per_core=1, microarchitecture=core)
    rows = [of_width(flops_per_cycle, width), CLOCK]
    (sentence,) = sentences(a_context(rows, machine=a_machine(processor=processor)))
    assert words in sentence.text


def test_all_cores_are_reported_if_there_are_several() -> None:
    rows = [peak(100e9), peak(190e9, threads=2), peak(360e9, threads=4)]
    assert said(*rows)[1] == (
        "FMA peak of 4 cores: 360 Gflop/s [356…364 in 3 launches], 3.60 [3.53…3.67 in 3 launches] "
        "times as much as one core."
    )
    assert said(rows[1]) == []


def test_vectors_are_reported_by_the_two_ends_of_the_memory() -> None:
    rows = [
        axpy("r_max_l1", 40e9),
        axpy("r_max_memory", 2e9),
        axpy("first_level_end", 48 << 10, "B", ci_low=32 << 10, ci_high=64 << 10),
    ]
    assert said(*rows) == [
        (
            "DAXPY on one core: 40.0 Gflop/s [39.6…40.4 in 3 launches]; 2.00 Gflop/s [1.98…2.02 "
            "in 3 launches]. L1d ends between 32 KiB and 64 KiB."
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
    assert said(*rows)[0].count("Gflop/s") == 1


def test_vectors_are_reported_with_the_level_that_holds_them() -> None:
    """By the measured row behind the name of a level, whatever the name."""
    sizes = {40e9: 8 << 10, 4e9: 8 << 20}
    measured = [
        axpy(
            "flop_rate",
            rate,
            derived=False,
            point={"access": "contiguous", "working_set_bytes": size},
        )
        for rate, size in sizes.items()
    ]
    named = [axpy("r_max_l1", 40e9), axpy("r_max_memory", 4e9)]
    (text,) = said(*measured, *named)
    assert "launches] over 8 KiB from L1; 4.00 Gflop/s" in text
    assert "launches] over 8 MiB from L3." in text


def test_a_short_vector_is_reported_by_what_it_costs() -> None:
    rows = [
        axpy("latency", 20.0, "cycle"),
        axpy("cycles_per_element", 0.2, "cycle"),
        axpy("n_half", 100.0, "element"),
    ]
    (text,) = said(*rows)
    assert text.startswith(
        "DAXPY start-up overhead: 20.0 cycles [19.8…20.2 in 3 launches], then 0.2"
    )
    assert text.endswith("The half-performance length n1/2 is 100 elements [99…101 in 3 launches].")


def test_perturbed_numbers_are_marked() -> None:
    assert "(perturbed) in double" in said(peak(93e9, disturbed=True))[0]


def test_refused_numbers_are_not_quoted() -> None:
    rows = [peak(93e9, verified="failed"), peak(93e9, plausible=False)]
    assert said(*rows) == []
