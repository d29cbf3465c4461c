"""Libraries that are faster than Heorot's own code: all of them, with version and effort."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.toolchains.libraries import name_library, sentences
from heorot.families.algorithms import FAMILY
from heorot.families.algorithms.transforms.fft import FFT
from heorot.families.messages.among_all.global_sum import GLOBAL_SUM
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine
from tests.unit.analyse.builders import a_context, a_result, a_run_line, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result

_NOTES = {"fftw": "fftw-3.3.10-avx2", "fftw_effort": "FFTW_MEASURE, one thread"}


def transformed(region: str, n: int, gflops: float, **changes: Any) -> Result:
    return a_result(
        **{
            "benchmark": "algorithms/fft",
            "case": "one_core",
            "region": region,
            "metric": "nominal_flop_rate",
            "unit": "flop/s",
            "point": {"n": n},
            "median": 1e9 * gflops,
            **changes,
        }
    )


def measured(*rows: Result, notes: dict[str, str] | None = None) -> Context:
    """A run of these rows, whose programs noted this."""
    lines = tuple(
        NoteLine(type="note", name=name, value=value) for name, value in (notes or {}).items()
    )
    outcome = Outcome(step="S0001", state="completed", notes=lines)
    return a_context(rows, steps=[a_step(setup=rows[0].setup)], outcomes=[outcome])


def test_a_library_that_is_faster_at_one_point_is_named_with_version_and_effort() -> None:
    context = measured(
        transformed("complex_1d", 1024, 20.0),
        transformed("fftw_complex_1d", 1024, 22.0),
        transformed("complex_1d", 4096, 20.0),
        transformed("fftw_complex_1d", 4096, 20.9),
        transformed("real_1d", 1024, 10.0),
        transformed("fftw_real_1d", 1024, 5.0),
        notes=_NOTES,
    )
    (said,) = sentences(context, [FFT])
    assert said.text == (
        "FFTW (fftw-3.3.10-avx2, FFTW_MEASURE, one thread) is faster than Heorot's FFT at 1 of 3 "
        "points: fftw_complex_1d n 1024, one core: 1.10 [1.08…1.12 in 3 launches] times as fast."
    )
    assert said.brief == "A library is faster than Heorot's FFT at 1 of 3 points."
    assert said.kind == "libraries/faster"
    assert said.limits["least"].median == pytest.approx(0.05)
    assert len(said.evidence) == 2


def test_the_largest_gains_come_first_and_others_are_counted() -> None:
    gains = {16: 1.1, 32: 1.5, 64: 1.2, 128: 1.3, 256: 1.06}
    rows = [
        transformed(f"{whose}complex_1d", n, 10.0 * (gain if whose else 1.0))
        for n, gain in gains.items()
        for whose in ("", "fftw_")
    ]
    (said,) = sentences(measured(*rows), [FFT])
    found = [said.text.index(f"n {n}, ") for n in (32, 128, 64)]
    assert found == sorted(found)
    assert "n 16," not in said.text
    assert said.text.endswith("; 2 more.")


@pytest.mark.parametrize(
    "changes",
    [
        {"median": 20.9e9},
        {"verified": "failed"},
        {"point": {"n": 2048}},
        {"case": "all_cores"},
        {"toolchain": "clang-16"},
    ],
)
def test_what_is_not_faster_at_the_same_work_is_not_named(changes: dict[str, Any]) -> None:
    theirs = transformed("fftw_complex_1d", 1024, 40.0, **changes)
    assert not list(sentences(measured(transformed("complex_1d", 1024, 20.0), theirs), [FFT]))


def test_of_times_the_shorter_is_faster_and_the_best_of_ours_counts() -> None:
    times = {"hypercube": 2e-6, "ring": 1e-6, "allreduce": 0.5e-6, "allreduce_in_place": 0.99e-6}
    rows = [
        a_result(
            benchmark=GLOBAL_SUM.name,
            region=region,
            metric="time",
            unit="s",
            better="lower",
            point={"bytes": 8},
            ranks=2,
            median=time,
        )
        for region, time in times.items()
    ]
    library = "Open MPI v5.0.11, package: x"
    line = a_run_line([("n1", (0,))]).model_copy(update={"mpi_library": library})
    outcome = Outcome(step="S0001", state="completed", run=line)
    context = a_context(rows, steps=[a_step(setup=rows[0].setup)], outcomes=[outcome])
    (said,) = sentences(context, [GLOBAL_SUM])
    assert said.text.startswith(
        "MPI_Allreduce (Open MPI v5.0.11, its own choice of algorithm) is faster than Heorot's "
        "global sum at 1 of 2 points: allreduce bytes 8, 2 cores: 2.00 ["
    )


def test_records_without_notes_have_an_unknown_version() -> None:
    row = transformed("fftw_complex_1d", 1024, 20.0)
    named = "FFTW (version not recorded, FFTW_ESTIMATE, one thread)"
    assert name_library(measured(row), FFT, row) == named
    assert name_library(measured(row), FFT, None) == ""


def test_libraries_have_other_regions_than_our_own_code() -> None:
    for benchmark in FAMILY.benchmarks:
        for library in benchmark.libraries:
            own = {name for names in library.regions.values() for name in names}
            assert own
            assert not own & library.regions.keys()
