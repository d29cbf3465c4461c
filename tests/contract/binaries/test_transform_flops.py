"""The flops that transforms count are those that they execute, but for lanes that are idle.

As for other programs, the instructions of the binaries are counted. Lines are transformed as many
at a time as a vector has lanes; where there are no more, or a vector is filled up with what is done
already, more is executed than counted, and tests state by hand how much.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.binaries.executed import run_one_body
from tests.contract.binaries.test_native import BUILD, N_LANES, build, options_of
from tests.contract.binaries.test_performed_flops import pytestmark as needs_valgrind

pytestmark = needs_valgrind

# One warms up.
_BODIES = 2
# Radix 8 in registers, a product with a root, and what makes a pair of real numbers' transform.
_OF_8 = 56
_PRODUCT = 6
_PAIR = 16
# Columns of 64 numbers: radix 8 twice, and roots for seven of eight numbers.
_OF_COLUMN = 64 * (2 * _OF_8 / 8 + _PRODUCT * 7 / 8)
# A line of m numbers in each of eight lanes, turned and transformed over the lanes.
_OVER_LANES = 8 * _PRODUCT + _OF_8
_OF_64 = 8 * _OF_8 + 8 * _OVER_LANES
# 512 in each lane: radix 8 three times, roots twice.
_OF_4096 = 8 * 512 * (3 * _OF_8 / 8 + 2 * _PRODUCT * 7 / 8) + 512 * _OVER_LANES
# 64 real numbers are 32 complex ones: eight in each of four lanes; 16 pairs; the first one.
_OF_64_REALS = 4 * _OF_8 + 8 * (4 * _PRODUCT + 16) + 16 * _PAIR + 2
# 125 in each lane: radix 5 of 48 flops three times, roots for four of five twice.
_OF_1000 = 8 * 125 * (3 * 48 / 5 + 2 * _PRODUCT * 4 / 5) + 125 * _OVER_LANES


@pytest.fixture(scope="module")
def programs() -> Path:
    folder = BUILD / "without_mpi"
    targets = ["algorithms_fft", "algorithms_wavelet"]
    build(folder, *options_of("without_mpi"), "-DHEOROT_BENCHMARKS=ON", targets=targets)
    return folder / "bin" / "algorithms"


@pytest.mark.parametrize(
    ("region", "side", "n", "counted", "idle"),
    [
        ("complex_1d", 4096, 4096, _OF_4096, 0),
        ("real_1d", 8192, 8192, _OF_4096 + 2048 * _PAIR + 2, 0),
        ("complex_2d", 64, 64**2, 64 * (_OF_64 + _OF_COLUMN), 0),
        # 33 columns fill five vectors but for seven lanes.
        ("real_2d", 64, 64**2, 64 * _OF_64_REALS + 33 * _OF_COLUMN, 7 * _OF_COLUMN),
        (
            "real_3d",
            64,
            64**3,
            64**2 * _OF_64_REALS + 2 * 64 * 33 * _OF_COLUMN,
            # Planes have 64 x 33 columns across, which fill vectors.
            64 * 7 * _OF_COLUMN,
        ),
        # The last of 16 vectors repeats three numbers.
        ("mixed_1d", 1000, 1000, _OF_1000, 3 * _OVER_LANES),
    ],
)
def test_fourier_transforms(
    programs: Path, tmp_path: Path, region: str, side: int, n: int, counted: float, idle: float
) -> None:
    assert N_LANES == 8
    sizes = ("--min-n", str(n), "--max-n", str(n), "--mixed", str(side))
    options = ("--regions", region, *sizes, "--fftw", "none")
    run = run_one_body(programs / "fft", *options, record=tmp_path / "callgrind.out")
    assert run.counts["flops"] == pytest.approx(counted)
    assert run.executed == pytest.approx(_BODIES * (counted + idle), rel=1e-4)


def test_wavelets(programs: Path, tmp_path: Path) -> None:
    bytes_of_field = str(16 * 256 * 128)
    sizes = ("--min-bytes", bytes_of_field, "--max-bytes", bytes_of_field)
    options = ("--regions", "forward", *sizes)
    run = run_one_body(programs / "wavelet", *options, record=tmp_path / "callgrind.out")
    # Seven levels of 12 flops for each four points.
    counted = sum(3 * (256 >> level) * (128 >> level) for level in range(7))
    assert run.counts["flops"] == pytest.approx(counted)
    assert run.executed == pytest.approx(_BODIES * counted, rel=1e-3)
