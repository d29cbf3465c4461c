"""The flops that transforms count are those that they execute, but for lanes that are idle.

As for other programs, the instructions of the binaries are counted. Lines are transformed as many
at a time as a vector has lanes; where there are no more, or a vector is filled up with what is done
already, more is executed than counted, and tests state by hand how much.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builds import N_LANES, counted_programs
from tests.contract.binaries.executed import COUNTED_HERE, run_one_body

pytestmark = COUNTED_HERE

# One warms up; all take long enough not to be repeated in a sample.
_BODIES = 2
# Flops of transforms in registers of 4, 8, 16, 5 and 10 numbers, of a product with a root, and of a
# pair of the transform of real numbers.
_OF_4, _OF_8, _OF_16, _OF_5, _OF_10 = 16, 56, 168, 48, 116
_PRODUCT = 6
_PAIR = 16
# Columns of 256 numbers by radix 16 twice; 65536 as a matrix of 256 x 256.
_COLUMN_OF_256 = 256 * (2 * _OF_16 + 15 * _PRODUCT) / 16
_OF_65536 = 2 * 256 * _COLUMN_OF_256 + 65536 * 2 * _PRODUCT
# As a matrix of 16 x 16, whose columns and rows have one pass.
_OF_256 = 2 * 16 * _OF_16 + 15 * 16 * _PRODUCT
# 32 complex numbers, eight in each of four lanes; 16 pairs; the first one.
_OF_64_REALS = 4 * (_OF_8 + 7 * _PRODUCT) + 8 * _OF_4 + 16 * _PAIR + 2
_COLUMN_OF_64 = 64 * (2 * _OF_8 + 7 * _PRODUCT) / 8
# Columns of a matrix of 250 x 400 by radix 10, 5, 5, and its rows by 16, 5, 5.
_COLUMN_OF_250 = 250 * (_OF_10 / 10 + 2 * (_OF_5 + 4 * _PRODUCT) / 5)
_ROW_OF_400 = 400 * (_OF_16 / 16 + 2 * (_OF_5 + 4 * _PRODUCT) / 5 + 2 * _PRODUCT)


@pytest.fixture(scope="module")
def programs() -> Path:
    return counted_programs("algorithms")


@pytest.mark.parametrize(
    ("region", "n", "counted", "idle"),
    [
        ("complex_1d", 65536, _OF_65536, 0),
        ("real_1d", 131072, _OF_65536 + 32768 * _PAIR + 2, 0),
        ("complex_2d", 256**2, 256 * (_OF_256 + _COLUMN_OF_256), 0),
        # 33 columns of a plane fill four vectors and one lane of two; 64 x 33 across fill theirs.
        (
            "real_3d",
            64**3,
            64**2 * _OF_64_REALS + 2 * 64 * 33 * _COLUMN_OF_64,
            64 * _COLUMN_OF_64,
        ),
        # The last of 32 vectors of rows repeats six of them.
        ("mixed_1d", 100000, 400 * _COLUMN_OF_250 + 250 * _ROW_OF_400, 6 * _ROW_OF_400),
    ],
)
def test_fourier_transforms(
    programs: Path, tmp_path: Path, region: str, n: int, counted: float, idle: float
) -> None:
    assert N_LANES == 8
    sizes = ("--min-n", str(n), "--max-n", str(n), "--mixed", str(n))
    options = ("--regions", region, *sizes, "--fftw", "none")
    run = run_one_body(programs / "fft", *options, record=tmp_path / "callgrind.out")
    assert run.counts["flops"] == pytest.approx(counted)
    assert run.executed == pytest.approx(_BODIES * (counted + idle), rel=1e-4)


def test_wavelets(programs: Path, tmp_path: Path) -> None:
    bytes_of_field = str(16 * 512 * 256)
    sizes = ("--min-bytes", bytes_of_field, "--max-bytes", bytes_of_field)
    options = ("--regions", "forward", *sizes)
    run = run_one_body(programs / "wavelet", *options, record=tmp_path / "callgrind.out")
    # Eight levels of 12 flops for each four points.
    counted = sum(3 * (512 >> level) * (256 >> level) for level in range(8))
    assert run.counts["flops"] == pytest.approx(counted)
    assert run.executed == pytest.approx(_BODIES * counted, rel=1e-3)
