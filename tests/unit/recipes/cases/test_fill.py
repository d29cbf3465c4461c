"""Sizes determined by memory and time: as large as the recipe allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import Need
from heorot.model.machine.machine import Machine
from heorot.model.machine.memory import Memory
from heorot.model.machine.pace import Pace
from heorot.model.recipe import Recipe
from heorot.recipes.expand import cases_of, cases_over_nodes, complete, expand
from heorot.recipes.read import read_recipe, shipped
from heorot.recipes.values import room_of
from tests.unit.analyse.builders import a_machine
from tests.unit.recipes.conftest import SMALL, read

MATRIX = "value: n, share: 0.5, bytes: 8, power: 2, multiple: 192"
WORK = ", work: 0.667, work_power: 3, rate: 1.0e+10"
GRID = "value: n, of: rank, share: 0.25, bytes: 720, power: 3, multiple: 8"


def _filling(folder: Path, fill: str, entry: str = "ranks: powers") -> Recipe:
    """A recipe whose only entry has a size by memory and time."""
    text = SMALL.replace("mpi: none", "mpi: toolchain").replace("{size}", "{n}")
    text = text.replace("{program}", "p").replace("coordinate: size", "coordinate: n")
    first, rest = text.index("cases:"), text.index("size: {")
    cases = f"cases:\n  - {{name: a, fill: {{{fill}}}, memory: 1GB, time: 1min, {entry}}}\n"
    return read(folder, text[:first] + cases + text[rest:])


def _sizes(recipe: Recipe, machine: Machine, nodes: int = 1) -> dict[int, tuple[object, Need]]:
    """The size and the needs of each case, by its ranks."""
    over = cases_over_nodes(recipe)
    assert over is not None
    own = cases_of(recipe)(machine, "full") if nodes == 1 else over(machine, "full", nodes)
    return {case.ranks: (case.options["n"], case.needs) for case in own}


def test_a_problem_of_all_ranks_fills_its_share_of_the_memory_of_all_nodes(tmp_path: Path) -> None:
    recipe = _filling(tmp_path, MATRIX, "ranks: all")
    machine = a_machine(4, gibibytes=16)  # 32768^2 doubles are half of it
    need = Need(memory_bytes=10**9 + 8 * 32640**2, seconds=60.0)
    assert _sizes(recipe, machine) == {4: (32640, need)}
    assert {ranks: n for ranks, (n, _) in _sizes(recipe, machine, 4).items()} == {16: 65472}


def test_a_size_takes_no_longer_than_the_time_of_its_entry(tmp_path: Path) -> None:
    recipe = _filling(tmp_path, MATRIX + WORK)
    sizes = _sizes(recipe, a_machine(4, gibibytes=16))
    assert {ranks: n for ranks, (n, _) in sizes.items()} == {1: 9600, 2: 12096, 4: 15168}
    for ranks, (n, needs) in sizes.items():
        assert needs.seconds == pytest.approx(0.667 * float(str(n)) ** 3 / (ranks * 1e10))
        assert needs.seconds <= 60.0


def test_every_rank_has_a_problem_of_its_own_the_same_on_any_number_of_them(tmp_path: Path) -> None:
    recipe, machine = _filling(tmp_path, GRID), a_machine(4, gibibytes=16)
    per_rank = 720 * 112**3  # 114^3 would be a sixteenth of the memory, and no multiple
    for nodes, counts in {1: [1, 2, 4], 2: [8]}.items():
        needs = {n: Need(memory_bytes=10**9 + n * per_rank, seconds=60.0) for n in counts}
        assert _sizes(recipe, machine, nodes) == {n: (112, needs[n]) for n in counts}
    most = _filling(tmp_path, GRID + ", most: 104")
    assert {n for n, _ in _sizes(most, machine).values()} == {104}
    threads = _filling(tmp_path, GRID, "threads: all")  # one rank has the part of four cores
    assert {n for n, _ in _sizes(threads, machine).values()} == {176}


def test_neither_what_is_free_nor_a_glance_decide_a_size(tmp_path: Path) -> None:
    recipe, machine = _filling(tmp_path, MATRIX + WORK), a_machine(4, gibibytes=16)
    busy = a_machine(4, memory=Memory(total_bytes=16 << 30, available_bytes=1 << 30))
    fast = machine.model_copy(update={"pace": Pace(scalar_speed=2.0)})
    assert _sizes(recipe, busy) == _sizes(recipe, machine)
    for ranks, (n, needs) in _sizes(recipe, fast).items():
        slower = _sizes(recipe, machine)[ranks]
        assert (n, needs.memory_bytes) == (slower[0], slower[1].memory_bytes)
        assert needs.seconds == pytest.approx(slower[1].seconds / 2.0)


def test_where_nothing_fits_a_size_is_one_multiple(tmp_path: Path) -> None:
    recipe = _filling(tmp_path, MATRIX.replace("0.5", "1.0e-9"))
    assert {n for n, _ in _sizes(recipe, a_machine(1)).values()} == {192}
    far = _filling(tmp_path, "value: n, share: 0.5, bytes: 1.0e+29, power: 4, multiple: 999999999")
    assert {n for n, _ in _sizes(far, a_machine(1)).values()} == {999999999}


def test_a_size_that_a_user_chose_needs_what_the_recipe_says_of_it(tmp_path: Path) -> None:
    recipe = _filling(tmp_path, MATRIX + WORK)
    chosen = Case(name="mine", options={"n": 40000}, ranks=4)
    case = complete(recipe)(a_machine(4), chosen)
    assert case.needs.memory_bytes == 10**9 + 8 * 40000**2
    assert case.needs.seconds == pytest.approx(0.667 * 40000**3 / 4e10)


@pytest.mark.parametrize("name", ["hpl", "hpcg"])
@pytest.mark.parametrize(("cores", "gibibytes"), [(1, 1), (2, 8), (32, 64), (128, 2048)])
@pytest.mark.parametrize("nodes", [1, 2, 4])
def test_shipped_recipes_fill_no_more_than_they_say(
    name: str, cores: int, gibibytes: int, nodes: int
) -> None:
    recipe, machine = read_recipe(shipped()[name]), a_machine(cores, gibibytes=gibibytes)
    filling = [(run, run.fill) for run in recipe.cases if run.fill]
    assert filling
    for run, fill in filling:
        own = list(expand(run, cores, nodes, room=room_of(machine)))
        assert own
        for one in own:
            room = fill.share * nodes * (gibibytes << 30)
            assert one.fitted == (fill.value,)
            assert one.needs.memory_bytes - run.memory <= room + 1
            assert one.needs.seconds <= run.time
