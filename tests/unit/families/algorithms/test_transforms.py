"""Estimated times of transforms, and their bounds."""

from __future__ import annotations

import pytest

from heorot.families.algorithms.transforms.fft import FFT, FFTW, OWN
from heorot.families.algorithms.transforms.wavelet import WAVELET
from heorot.model.catalogue.benchmark import Case
from tests.unit.analyse.builders import a_machine


def seconds(regions: str, mixed: str = "60", most: int = 1 << 20) -> float:
    case = Case(
        name="typed",
        options={"regions": regions, "mixed": mixed, "max-n": most, "budget": 0.1},
    )
    assert FFT.estimate
    return FFT.estimate(a_machine(), case).needs.seconds


@pytest.mark.parametrize("region", [name for name in (*OWN, *FFTW) if "mixed" in name])
def test_the_sides_that_are_asked_for_are_estimated(region: str) -> None:
    one = seconds(region)
    assert 0.0 < one < seconds(region, mixed="60,64")
    # Longer lengths, and words that are no number, are not measured.
    assert one == seconds(region, mixed=f"60,2000000,{'9' * 500},none,-5,")
    assert seconds(region, mixed="1048577") == 0.0


def test_a_cube_as_large_as_may_be_is_estimated() -> None:
    assert seconds("mixed_3d", mixed="64", most=64**3) > 0.0
    assert seconds("mixed_3d", mixed="64", most=64**3 - 1) == 0.0


def test_real_numbers_take_less_time_than_complex_ones() -> None:
    for dimensions in (1, 2, 3):
        real, both = (seconds(f"{each}_{dimensions}d") for each in ("real", "complex"))
        assert 0.0 < real < both


def test_a_wavelet_without_multiply_add_reaches_half_of_the_peak() -> None:
    (ceiling,) = (each for each in WAVELET.ceilings if each.by == "flop_peak")
    assert ceiling.factor == 0.5
