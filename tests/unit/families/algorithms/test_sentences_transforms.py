"""Sentences on Fourier and wavelet transforms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heorot.families.algorithms.transforms.sentences_transforms import sentences
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine
from tests.unit.analyse.builders import a_context, a_result, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def transformed(region: str, n: int, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "algorithms/fft",
        "metric": "nominal_flop_rate",
        "unit": "flop/s",
        "point": {"n": n, "working_set_bytes": 32 * n},
    }
    return a_result(region=region, median=median, **(fields | changes))


def field(region: str, n_fields: int, median: float) -> Result:
    return a_result(
        benchmark="algorithms/wavelet",
        region=region,
        metric="flop_rate",
        unit="flop/s",
        point={"m": 512, "n": 256, "fields": n_fields, "working_set_bytes": n_fields << 21},
        median=median,
    )


def said(*rows: Result) -> list[str]:
    found = sentences(a_context(rows))
    known = {row.id for row in rows}
    assert all(each.evidence and set(each.evidence) <= known for each in found)
    return [each.text for each in found]


def test_a_short_and_a_long_line_are_reported_beside_fftw() -> None:
    rows = [
        transformed("complex_1d", 1024, 30e9),
        transformed("complex_1d", 1 << 20, 10e9),
        transformed("fftw_complex_1d", 1024, 20e9),
        transformed("fftw_complex_1d", 1 << 20, 5e9),
        transformed("complex_2d", 1024, 50e9),
    ]
    (text,) = said(*rows)
    assert text == (
        "Complex FFT of length 1024 on one core, nominal: own 30.0 Gflop/s [29.7…30.3 in 3 "
        "launches]; FFTW (version not recorded, FFTW_ESTIMATE, one thread) 20.0 Gflop/s "
        "[19.8…20.2 in 3 launches]. Length 1048576 (32 MiB): own 10.0 Gflop/s [9.9…10.1 in 3 "
        "launches]; FFTW 5.00 Gflop/s [4.95…5.05 in 3 launches]."
    )
    rows[2] = transformed("fftw_complex_1d", 1024, 30.1e9)
    (text,) = said(*rows)
    assert "one thread) 30.1 Gflop/s [29.8…30.4 in 3 launches]; own 30.0" in text


def test_a_long_line_that_fftw_planned_by_estimate_is_named_as_such() -> None:
    rows = [
        transformed(f"{whose}complex_1d", n, 10e9, case="one_core")
        for n in (1024, 1 << 20)
        for whose in ("", "fftw_")
    ]
    noted: dict[str, float | str] = {
        "fftw": "fftw-3.3.10",
        "fftw_effort": "FFTW_MEASURE, FFTW_ESTIMATE where planning takes over 0.1 s, one thread",
        "fftw_estimated, 1048576 complex": 0.1,
    }
    notes = tuple(NoteLine(type="note", name=name, value=value) for name, value in noted.items())
    outcome = Outcome(step="S0001", state="completed", notes=notes)
    context = a_context(rows, steps=[a_step(setup=rows[0].setup)], outcomes=[outcome])
    (found,) = sentences(context)
    near, far = found.text.split(". Length")
    assert f"FFTW ({noted['fftw']}, {noted['fftw_effort']})" in near
    assert "FFTW (FFTW_ESTIMATE) 10.0 Gflop/s" in far


def test_a_line_is_reported_alone() -> None:
    (text,) = said(transformed("complex_1d", 1024, 30e9))
    assert text.endswith("nominal: own 30.0 Gflop/s [29.7…30.3 in 3 launches].")
    assert said(transformed("complex_1d", 1024, 30e9, threads=2)) == []


def test_nothing_is_reported_without_the_short_line() -> None:
    assert said(transformed("complex_1d", 4096, 30e9)) == []


def test_fields_from_memory_are_reported_beside_one_alone() -> None:
    many = field("forward_fields", 32, 2e9)
    (text,) = said(many, field("forward", 1, 3e9))
    assert text == (
        "Haar wavelet transform of 512 x 256 fields on one core: 2.00 Gflop/s [1.98…2.02 in 3 "
        "launches] over 64 MiB from memory; one resident field: 3.00 Gflop/s [2.97…3.03 in 3 "
        "launches]."
    )
    (alone,) = said(many)
    assert alone.endswith("from memory.")
