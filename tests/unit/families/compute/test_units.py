"""The FMA peak explained by frequency, vector width and pipes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.validity.ceilings import refuse_impossible
from heorot.families.compute.peak import PEAK
from heorot.families.compute.units import core_clock, explain, judge
from heorot.model.analysis.rows import Rows
from heorot.model.machine.machine import Processor
from heorot.model.run.identity import Stack
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine
from tests.unit.analyse.builders import a_context, a_machine, a_result, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result


def peak_row(region: str, median: float, **changes: Any) -> Result:
    clock = region.startswith("clock")
    fields = {
        "benchmark": PEAK.name,
        "region": region,
        "metric": "clock" if clock else "flop_rate",
        "unit": "Hz" if clock else "flop/s",
    }
    return a_result(median=median, **(fields | changes))


def run_of(*rows: Result, width: int | None = 64, core: str | None = None) -> Context:
    """A run with this noted width of a vector [B], on a processor of a name."""
    note = NoteLine(type="note", name="instruction_width_bytes", value=width or 0)
    notes = (note,) if width else ()
    outcome = Outcome(step="S0001", state="completed", notes=notes)
    processor = Processor(isa="x86_64", n_cores=2, threads_per_core=1, microarchitecture=core)
    return a_context(
        rows,
        machine=a_machine(processor=processor),
        steps=[a_step(benchmark=PEAK.name)],
        outcomes=[outcome],
    )


@pytest.mark.parametrize(
    ("width", "region", "flops_per_cycle", "share"),
    [
        # near a whole number of pipes, which was counted from it: a share would be one of itself
        (64, "fma_double", 31.0, None),  # two units of 512 bits
        (64, "fma_double", 15.5, None),  # one
        (32, "fma_single", 31.0, None),
        (16, "fma_double", 15.5, None),  # four units of 128 bits
        (64, "fma_double", 16.5, None),  # noise is no second unit
        # far from any
        (64, "fma_double", 25.0, 25.0 / 32.0),
        (32, "fma_double", 11.5, 11.5 / 8.0),
    ],
)
def test_units_are_counted_from_the_rate(
    width: int, region: str, flops_per_cycle: float, share: float | None
) -> None:
    rate = peak_row(region, flops_per_cycle * 3e9)
    context = run_of(rate, peak_row("clock_multiply", 3e9), width=width)
    (judged,) = judge(context)
    assert (judged.id, judged.plausible) == (rate.id, True)
    assert judged.share_of_ceiling == (share if share is None else pytest.approx(share))
    context = context.replacing([judged])
    (derived,) = explain(context)
    assert derived.metric == "flops_per_cycle"
    assert derived.median == pytest.approx(flops_per_cycle)
    assert (derived.ci_low, derived.ci_high) == pytest.approx(
        (0.99 * flops_per_cycle, 1.01 * flops_per_cycle)
    )
    assert (derived.derived, derived.n, derived.plausible) == (True, rate.n, True)
    assert derived.share_of_ceiling == judged.share_of_ceiling


@pytest.mark.parametrize(
    ("core", "width", "flops_per_cycle", "share"),
    [
        ("zen4", 64, 15.9, 15.9 / 16.0),  # wide vectors take two units
        ("zen4", 16, 7.9, 7.9 / 8.0),
        ("sapphirerapids", 64, 15.9, 15.9 / 32.0),  # a unit too few is seen
        ("sapphirerapids", 32, 15.9, 15.9 / 16.0),
        ("zen2", 32, 24.0, 24.0 / 16.0),  # and one too many
    ],
)
def test_a_known_processor_is_held_against_the_units_it_has(
    core: str, width: int, flops_per_cycle: float, share: float
) -> None:
    rate = peak_row("fma_double", flops_per_cycle * 3e9)
    (judged,) = judge(run_of(rate, peak_row("clock_multiply", 3e9), width=width, core=core))
    assert judged.share_of_ceiling == pytest.approx(share)
    assert judged.plausible is True


def test_all_cores_are_held_against_the_units_of_one() -> None:
    rows = [
        peak_row("fma_double", 93e9),
        peak_row("fma_double", 84e9, threads=2, case="all_cores"),
        peak_row("clock_multiply", 3e9),
    ]
    _, together = judge(run_of(*rows))
    assert together.share_of_ceiling == pytest.approx(14.0 / 32.0)


def test_a_rate_that_no_core_reaches_is_impossible() -> None:
    rows = [peak_row("fma_double", 1.16e15), peak_row("clock_multiply", 3.5e9)]
    context = run_of(*rows)
    (judged,) = judge(context)
    assert judged.plausible is False
    assert judged.share_of_ceiling == pytest.approx(1.16e15 / 3.5e9 / 32.0)
    context = context.replacing([judged])
    (derived,) = explain(context)
    assert not derived.ranked


def test_a_rate_may_be_impossible_whatever_the_width() -> None:
    rows = [peak_row("fma_double", 1.16e15), peak_row("clock_multiply", 3.5e9)]
    (judged,) = judge(run_of(*rows, width=None))
    assert judged.plausible is False
    assert judged.share_of_ceiling == pytest.approx(1.16e15 / 3.5e9 / 32.0)


@pytest.mark.parametrize("width", [None, 64])
def test_a_shortened_chain_is_impossible_and_the_next_takes_its_place(width: int | None) -> None:
    context = run_of(
        peak_row("clock_multiply", 18.9e9),
        peak_row("clock_add", 3.5e9),
        peak_row("fma_double", 108e9),
        width=width,
    )
    (refused,) = refuse_impossible(context)
    assert (refused.region, refused.plausible) == ("clock_multiply", False)
    assert refused.share_of_ceiling == pytest.approx(18.9 / 7.0)
    context = context.replacing([refused])
    (derived,) = explain(context)
    assert derived.median == pytest.approx(108 / 3.5)


def test_without_a_clock_rates_are_left_as_they_are() -> None:
    context = run_of(peak_row("fma_double", 108e9))
    assert judge(context) == []
    assert explain(context) == []


def test_without_a_width_there_is_no_share() -> None:
    rows = [peak_row("fma_double", 108e9), peak_row("clock_add", 3.5e9)]
    context = run_of(*rows, width=None)
    (judged,) = judge(context)
    assert (judged.share_of_ceiling, judged.plausible) == (None, True)
    assert len(explain(context)) == 1


def test_every_width_has_units_of_its_own() -> None:
    """Four units of 16 bytes, two of 32 and one of 64, at a clock that the widest lowers."""
    rows = [
        peak_row("fma_double", flops * 3e9, point={"vector_bytes": width})
        for width, flops in ((16, 15.9), (32, 15.8), (64, 15.0))
    ]
    clock = peak_row("clock_multiply", 3e9)
    judged = judge(run_of(*rows, clock, width=None))
    assert [row.share_of_ceiling for row in judged] == [None, None, None]
    judged = judge(run_of(*rows, clock, width=None, core="zen3"))
    shares = [row.share_of_ceiling for row in judged]
    assert shares == pytest.approx([15.9 / 8.0, 15.8 / 16.0, 15.0 / 16.0])


def test_every_toolchain_has_units_of_its_own() -> None:
    rows = [
        peak_row(region, median, toolchain=chain)
        for chain, rate in (("gnu-12", 93e9), ("clang-16", 46e9))
        for region, median in (("fma_double", rate), ("clock_multiply", 3e9))
    ]
    context = run_of(*rows, core="sapphirerapids")
    shares = {row.toolchain: row.share_of_ceiling for row in judge(context)}
    # The width is known of the first only.
    assert shares == {"gnu-12": pytest.approx(31.0 / 32.0), "clang-16": None}


def test_other_programs_are_not_judged() -> None:
    context = run_of(a_result(), peak_row("clock_multiply", 3e9))
    assert judge(context) == []
    assert explain(context) == []


def test_the_clock_of_the_same_number_of_cores_comes_first() -> None:
    rows = Rows(
        [
            peak_row("clock_multiply", 3.5e9),
            peak_row("clock_multiply", 3.2e9, threads=2),
            peak_row("clock_add", 4.0e9),
        ]
    )
    found = [core_clock(rows, cores=cores) for cores in (1, 2, 8)]
    assert [row.median for row in found if row] == [3.5e9, 3.2e9, 3.5e9]
    # A chain on each core is preferred to one while the other cores idle.
    rows = rows.adding([peak_row("clock_multiply", 2.9e9, ranks=2)])
    busy = core_clock(rows, cores=2)
    assert busy is not None
    assert busy.median == 2.9e9
    assert core_clock(Rows()) is None
    assert core_clock(rows, stack=Stack("clang-16")) is None
