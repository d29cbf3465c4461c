"""Power, energy and flops per joule, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heorot.analyse.explain.counters import explain_power, power_sentences
from heorot.analyse.results import group_series
from heorot.families.compute.peak import PEAK
from heorot.model.analysis.result import Result, Sentence
from heorot.model.run.series import Series
from tests.unit.analyse.builders import QUIET, a_context, a_result, a_series


def launches(joules: list[float | None], seconds: float = 2.0, **counts: float) -> list[Series]:
    """A series for each launch, with the given energy of its hosts."""
    return [
        replace(
            a_series(step=f"S{n}", launch=n, repetitions=10, seconds=np.full(5, 0.1)),
            counts=counts,
            disturbance=QUIET.model_copy(update={"energy_joules": each, "window_seconds": seconds}),
        )
        for n, each in enumerate(joules, start=1)
    ]


def rows(series: list[Series]) -> dict[str, Result]:
    found = explain_power(a_context(groups=group_series(series)), "r")
    return {row.metric: row for row in found}


def test_power_is_energy_over_time_and_a_body_has_its_share() -> None:
    found = rows(launches([200.0, 210.0, 220.0], flops=1e6))
    assert found["power"].median == pytest.approx(105.0)
    assert (found["power"].unit, found["power"].n) == ("W", 3)
    # A body takes 10 ms.
    assert found["energy"].median == pytest.approx(1.05)
    assert found["flops_per_joule"].median == pytest.approx(1e6 / 1.05)
    assert found["flops_per_joule"].better == "higher"


def test_what_computes_nothing_has_no_efficiency() -> None:
    assert set(rows(launches([200.0], bytes=8.0))) == {"power", "energy"}


@pytest.mark.parametrize(
    ("joules", "seconds"), [([None], 2.0), ([200.0, None], 2.0), ([0.0], 2.0), ([200.0], 0.04)]
)
def test_without_counters_or_time_nothing_is_reported(
    joules: list[float | None], seconds: float
) -> None:
    assert rows(launches(joules, seconds)) == {}


def efficiency(benchmark: str, region: str, median: float) -> Result:
    return a_result(
        benchmark=benchmark, region=region, metric="flops_per_joule", unit="flop/J",
        median=median, ci_low=0.99 * median, ci_high=1.01 * median, derived=True,
    )  # fmt: skip


def reported(*found: Result) -> list[Sentence]:
    """The sentences on such rows, where a program publishes the peak."""
    peak = a_result(benchmark=PEAK.name, region="fma_double", metric="flop_rate", unit="flop/s")
    return power_sentences(a_context([peak, *found]))


def test_the_most_efficient_program_is_reported_beside_the_peak() -> None:
    most = efficiency("algorithms/fft", "own", 2e9)
    peak = efficiency(PEAK.name, "fma_double", 1e9)
    (said,) = reported(most, efficiency("algorithms/sort", "own", 1e6), peak)
    assert said.text == (
        "The highest energy efficiency is 2.00 Gflop/J [1.98…2.02 in 3 launches] (flop/s per watt "
        "of whole hosts) by FFT (own) on one core; the FMA peak has 1.00 Gflop/J [0.99…1.01 in 3 "
        "launches]."
    )
    assert said.evidence == (most.id, peak.id)
    (said,) = reported(most, efficiency("algorithms/sort", "own", 1.99e9), peak)
    assert said.text.startswith("One of the highest energy efficiencies is 2.00 Gflop/J")


def test_the_peak_may_be_the_most_efficient_or_unknown() -> None:
    peak = efficiency(PEAK.name, "fma_double", 1e9)
    (said,) = reported(peak)
    assert said.text.endswith(" on one core, the FMA peak itself.")
    assert said.evidence == (peak.id,)
    (alone,) = reported(efficiency("algorithms/fft", "own", 2e9))
    assert alone.text.endswith(" by FFT (own) on one core.")


def test_without_counters_no_sentence_is_reported() -> None:
    assert reported() == []
