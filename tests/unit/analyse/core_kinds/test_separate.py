"""A core of a type is compared with the bounds of its type, and counts if it ran there."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.analyse.analysis import analyse
from heorot.analyse.core_kinds.separate import find_foreign
from heorot.analyse.explain import copies, scaling
from heorot.analyse.validity.ceilings import apply_ceilings
from heorot.families import FAMILIES
from heorot.model.analysis.result import Analysis, Result
from heorot.model.machine.cores import Cores
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import CORE_KIND
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_context, a_machine, a_result, a_run_line, a_series, a_step
from tests.unit.analyse.evaluations import a_collection
from tests.unit.model.keys import but

CORES = (Cores(kind="P-core", cpus=("0-1", "2-3")), Cores(kind="E-core", cpus=("4", "5")))
MACHINE = a_machine(4, cores=CORES)
ALIKE = (Cores(cpus=("0", "1", "2", "3")),)
E = {CORE_KIND: "E-core"}
OF_E = {"step": "S0002", "case": "one_core_of_e_core"}


def rate(region: str, flops: float, **changes: object) -> Series:
    """One core's rate of a region of the peak program, or of matrices."""
    fields = {"benchmark": "compute/peak", "point": {}, "region": region} | changes
    counts = {"flops": flops * 1e-5}
    return a_series(counts=counts, seconds=np.full(10, 1e-4), repetitions=10, **fields)


def analysis_of(*series: Series, cpus: tuple[int, ...] = (4,)) -> Analysis:
    steps = [a_step(benchmark="compute/peak"), a_step(benchmark="compute/peak", kind="E-core")]
    steps[1] = but(steps[1], id="S0002", case="one_core_of_e_core")
    outcomes = [
        Outcome(step=step.id, state="completed", run=a_run_line([("here", own)]))
        for step, own in zip(steps, ((0, 1), cpus), strict=True)
    ]
    return analyse(a_collection(series, outcomes), steps, FAMILIES, MACHINE, run="r", seed=1)


def row_of(analysis: Analysis, benchmark: str, kind: str) -> Result:
    (row,) = [
        row
        for row in analysis.results
        if (row.benchmark, row.metric) == (benchmark, "flop_rate")
        and row.point.get(CORE_KIND, "") == kind
    ]
    return row


def test_a_core_is_held_against_the_peak_of_its_own_kind() -> None:
    dense = {"benchmark": "algorithms/matrix_multiply"}
    found = analysis_of(
        rate("fma_double", 100e9),
        rate("fma_double", 20e9, point=E, **OF_E),
        rate("blocked", 90e9, point={"n": 64}, **dense),
        rate("blocked", 15e9, point={"n": 64, **E}, **dense, **OF_E),
    )
    fast, slow = (row_of(found, "algorithms/matrix_multiply", kind) for kind in ("", "E-core"))
    assert fast.share_of_ceiling == pytest.approx(0.9)
    assert slow.share_of_ceiling == pytest.approx(0.75)
    assert slow.case == "one_core_of_e_core"
    quoted = {key for one in (*found.verdict, *found.sentences) for key in one.evidence}
    assert not any("E-core" in key for key in quoted)


def test_without_a_peak_of_its_kind_it_has_no_share() -> None:
    dense = {"benchmark": "algorithms/matrix_multiply", "point": {"n": 64, **E}, **OF_E}
    found = analysis_of(rate("fma_double", 100e9), rate("blocked", 15e9, **dense))
    assert row_of(found, "algorithms/matrix_multiply", "E-core").share_of_ceiling is None


@pytest.mark.parametrize(
    ("cpus", "words"),
    [
        ((4,), ""),
        ((5,), ""),
        ((0, 1), "ran on P-core instead of E-core"),
        ((0, 1, 2, 3, 4, 5), "ran on E-core and P-core instead of E-core"),
        ((9,), "ran on CPUs of no known kind instead of E-core"),
        ((), "ran on CPUs of no known kind instead of E-core"),
    ],
)
def test_a_rate_of_a_kind_needs_its_cores(cpus: tuple[int, ...], words: str) -> None:
    step = a_step(kind="E-core")
    ended = Outcome(step=step.id, state="completed", run=a_run_line([("here", cpus)]))
    found = find_foreign([ended], [step], MACHINE)
    assert [(step, reason.text) for step, reason in found.items()] == (
        [(step.id, words)] if words else []
    )


def test_what_ran_elsewhere_is_refused() -> None:
    found = analysis_of(rate("fma_double", 20e9, point=E, **OF_E), cpus=(0, 1))
    assert row_of(found, "compute/peak", "E-core").verified == "failed"
    assert any("ran on P-core instead of E-core" in one.text for one in found.findings)


@pytest.mark.parametrize(("cores", "share"), [(CORES, None), (ALIKE, 0.5)])
def test_one_core_of_the_fastest_kind_does_not_stand_for_all(
    cores: tuple[Cores, ...], share: float | None
) -> None:
    peak, dense = ("compute/peak", "fma_double"), ("algorithms/matrix_multiply", "blocked")
    rows = [
        a_result(benchmark=name, region=region, metric="flop_rate", median=flops, threads=threads)
        for (name, region), flops, threads in (
            (peak, 100e9, 1),
            (dense, 200e9, 4),
            (dense, 1e11, 2),
        )
    ]
    context = a_context(rows, machine=a_machine(4, cores=cores))
    by_cores = {row.cores: row for row in apply_ceilings(context) if row.benchmark == dense[0]}
    found = by_cores[4].share_of_ceiling if 4 in by_cores else None
    assert found == (share and pytest.approx(share, rel=0.05))
    assert by_cores[2].share_of_ceiling == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize(("cores", "reported"), [(CORES, {2}), (ALIKE, {2, 4})])
def test_no_efficiency_is_told_of_a_mix_of_kinds(
    cores: tuple[Cores, ...], reported: set[int]
) -> None:
    shape = {"benchmark": "npb/cg", "region": "cg", "metric": "operation_rate"}
    rows = [
        a_result(median=n * 1e9, ranks=n, per_node=n, point={"class": "A"}, **shape)
        for n in (1, 2, 4)
    ]
    copied = [
        a_result(median=n * 9e9, ranks=n, case=f"{n}_copies", options={"star": n > 1})
        for n in (1, 2, 4)
    ]
    context = a_context([*rows, *copied], machine=a_machine(4, cores=cores))
    assert {row.cores for row in scaling.explain(context)} == reported
    assert {row.cores for row in copies.explain(context)} == reported
