"""The flops that NPB programs count are those that they execute.

Every program counts its flops by a polynomial. Here the instructions of its binary are counted
instead. Several points of a line are computed at once, so that what is executed is the polynomial
with lines rounded up to whole lanes: tests state the flops of a point in each part of a step, and
both the count and what is executed have to follow from them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.builds import N_LANES, counted_programs
from tests.contract.binaries.executed import COUNTED_HERE, Run, run_one_body

# Preparing the fields, and what is done once per line or plane.
_BESIDE = 0.015

pytestmark = COUNTED_HERE


@dataclass(frozen=True)
class Grid:
    """Points that are solved for, in x, y, z, and how many of them are computed at once."""

    x: int
    y: int
    z: int
    lanes: int = 1

    def up(self, points: int) -> int:
        """Points of a line of them, rounded up to whole lanes."""
        return self.lanes * math.ceil(points / self.lanes)

    @property
    def points(self) -> int:
        return self.x * self.y * self.z


def _rhs(grid: Grid) -> float:
    return 412 * grid.up(grid.x) * grid.y * grid.z


def _bt_step(grid: Grid) -> float:
    lines = (grid.up(grid.y) * grid.z, grid.up(grid.x) * grid.z, grid.up(grid.x) * grid.y)
    cells = zip(lines, (grid.x, grid.y, grid.z), strict=True)
    return (
        _rhs(grid)
        + sum(n_lines * (length * (646 + 50) + 2 * 61) for n_lines, length in cells)
        + 5 * grid.points
    )


def _sp_step(grid: Grid) -> float:
    in_x, in_y = grid.up(grid.x), grid.up(grid.y)
    # In x lines are turned into lanes by square blocks of points.
    sweep_x = (64 + 7) * in_x * in_y * grid.z + 88 * grid.x * in_y * grid.z
    sweep_y = (38 + 88 + 7) * in_x * grid.y * grid.z
    sweep_z = (38 + 88 + 64) * in_x * grid.y * grid.z
    return _rhs(grid) + sweep_x + sweep_y + sweep_z


def _lu_rhs(grid: Grid) -> float:
    rows = grid.up(grid.y)
    # Each of the rows in lanes is one point behind the one before.
    skew = grid.lanes - 1
    halo, chunk = (2, 8) if skew else (0, grid.z)
    planes = grid.z + halo * math.ceil(grid.z / chunk)
    states = 16 * rows * (grid.x + skew + halo) * planes
    return 297 * rows * (grid.x + skew) * grid.z + states


def _lu_step(grid: Grid) -> float:
    halo = 1 if grid.lanes > 1 else 0
    return _lu_rhs(grid) + (213 + 218) * grid.up(grid.y) * (grid.x + grid.lanes - 1 + halo) * grid.z


# Class S: what a step does on a grid, how often, and the grids.
_STEPS: dict[str, tuple[Callable[[Grid], float], int, Sequence[tuple[int, int, int]]]] = {
    "bt": (_bt_step, 60, [(10, 10, 10)]),
    "sp": (_sp_step, 100, [(10, 10, 10)]),
    "lu": (_lu_step, 50, [(10, 10, 10)]),
    "bt_mz": (_bt_step, 60, [(x, y, 4) for x in (4, 16) for y in (4, 16)]),
    "sp_mz": (_sp_step, 100, [(10, 10, 4)] * 4),
    "lu_mz": (_lu_step, 50, [(4, 4, 4)] * 16),
}
_FT_STEPS = 6


def _in_all_steps(name: str, lanes: int) -> float:
    step, n_steps, interiors = _STEPS[name]
    grids = [Grid(*interior, lanes=lanes) for interior in interiors]
    last = _lu_rhs(grids[0]) if name == "lu" else 0.0
    return n_steps * sum(map(step, grids)) + last


@pytest.fixture(scope="module")
def programs() -> Path:
    return counted_programs("npb")


def _run(programs: Path, tmp_path: Path, name: str, size: str = "S") -> Run:
    return run_one_body(programs / name, "--class", size, record=tmp_path / "callgrind.out")


@pytest.mark.parametrize("name", _STEPS)
def test_solvers_of_flow_equations(programs: Path, tmp_path: Path, name: str) -> None:
    run = _run(programs, tmp_path, name)
    assert run.counts["flops"] == pytest.approx(_in_all_steps(name, 1))
    assert run.executed == pytest.approx(_in_all_steps(name, N_LANES), rel=_BESIDE)


# A radix-16 transform of eight points and one of two lanes, and so on: flops of a point of one
# transform along x, y and z.
@pytest.mark.parametrize(
    ("size", "n_points", "transform"),
    [
        ("S", 64**3, (7 + 6 + 7) + 2 * (7 + 5.25 + 7)),
        ("W", 128 * 128 * 32, (10.5 + 6 + 7) + (10.5 + 5.25 + 7) + (7 + 4.5 + 4)),
    ],
)
def test_fourier_transform(
    programs: Path, tmp_path: Path, size: str, n_points: int, transform: float
) -> None:
    run = _run(programs, tmp_path, "ft", size)
    wanted = n_points * (2 + (1 + _FT_STEPS) * transform + 3 * _FT_STEPS)
    assert run.counts["flops"] == pytest.approx(wanted)
    assert run.executed == pytest.approx(wanted, rel=1e-3)


def test_random_numbers(programs: Path, tmp_path: Path) -> None:
    run = _run(programs, tmp_path, "ep")
    assert run.counts["flops"] == 57 * 2**24
    # A body of its own warms up. Five more find the counter of the annulus.
    assert run.executed == pytest.approx(2 * (57 + 5) * 2**24, rel=2e-3)


# Rows of the matrix are filled up with zeros to the longest of their lanes, ends of short lines are
# computed one by one: more is executed than is counted, never less.
@pytest.mark.parametrize(("name", "surplus"), [("cg", 1.035), ("mg", 1.14)])
def test_sparse_and_multigrid(programs: Path, tmp_path: Path, name: str, surplus: float) -> None:
    run = _run(programs, tmp_path, name)
    assert run.executed == pytest.approx(surplus * run.counts["flops"], rel=0.01)
