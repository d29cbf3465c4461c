"""An entry of a recipe makes a case for each value, number of ranks and number of threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from heorot.model.base import FileName
from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import Need
from heorot.model.recipe import Run
from heorot.recipes.catalogue import benchmark_of
from heorot.recipes.expand import cases_of, complete, entry_of, expand
from tests.unit.analyse.builders import a_machine
from tests.unit.recipes.conftest import SMALL, a_launch, changed, read

_FILE_NAME: TypeAdapter[str] = TypeAdapter(FileName)


def layouts(cores: int, **fields: Any) -> list[tuple[int, int]]:
    """The ranks and threads of all cases of an entry."""
    run = Run.model_validate({"name": "a", **fields})
    return [(case.ranks, case.threads) for case in expand(run, cores)]


@pytest.mark.parametrize(
    ("spread", "cores", "numbers"),
    [
        ("powers", 1, [1]),
        ("powers", 2, [1, 2]),
        ("powers", 6, [1, 2, 4, 6]),
        ("powers", 8, [1, 2, 4, 8]),
        ("squares", 1, [1]),
        ("squares", 3, [1]),
        ("squares", 8, [1, 4]),
        ("squares", 16, [1, 4, 9, 16]),
        ("powers_of_two", 6, [1, 2, 4]),
        ("all", 6, [6]),
        ([1, "all"], 6, [1, 6]),
        ([1, 2, "all"], 2, [1, 2]),
        (3, 2, [3]),
        ([1, 4, 2], 2, [1, 4, 2]),
    ],
)
def test_spreads(spread: object, cores: int, numbers: list[int]) -> None:
    assert layouts(cores, ranks=spread) == [(n, 1) for n in numbers]
    assert layouts(cores, threads=spread) == [(1, n) for n in numbers]


@pytest.mark.parametrize(
    ("nodes", "spread", "cores", "ranks"),
    [
        (2, "powers", 3, [6]),
        (2, "powers_of_two", 3, [4]),
        (3, "powers_of_two", 4, []),  # none of them is as many on each node
        (2, "squares", 4, [4]),
        (2, "all", 1, [2]),
        (4, [1, 2, "all"], 2, [8]),
        (2, 4, 1, [4]),  # more than the cores: the plan refuses it
        (2, 3, 4, []),
        (2, 1, 4, []),
    ],
)
def test_over_several_nodes_there_are_as_many_ranks_on_each(
    nodes: int, spread: object, cores: int, ranks: list[int]
) -> None:
    run = Run.model_validate({"name": "a", "ranks": spread})
    found = list(expand(run, cores, nodes))
    assert [(case.ranks, case.nodes) for case in found] == [(each, nodes) for each in ranks]
    assert all(case.name.endswith(f"_n{nodes}") for case in found)


@pytest.mark.parametrize(
    ("spread", "ranks"),
    [
        ("powers", [4, 8, 16]),
        ("squares", [4, 16]),
        ([2, 8], [8]),
        ("all", [16]),
        (8, [8]),  # leaves no choice
    ],
)
def test_nodes_are_filled_as_asked_for_where_ranks_leave_the_choice(
    spread: object, ranks: list[int]
) -> None:
    run = Run.model_validate({"name": "a", "ranks": spread})
    found = [case.ranks for case in expand(run, 4, 4, per_node=(1, 2, 4))]
    assert found == ranks


def test_threads_leave_cores_for_fewer_ranks() -> None:
    run = Run.model_validate({"name": "a", "ranks": "powers", "threads": [1, 2, "all"]})
    found = [(case.name, case.ranks, case.threads) for case in expand(run, 4, 2)]
    assert found == [("a_r8_t1_n2", 8, 1), ("a_r4_t2_n2", 4, 2), ("a_r2_t4_n2", 2, 4)]


def test_a_program_without_mpi_stays_in_a_node_and_so_does_what_says_so(tmp_path: Path) -> None:
    assert benchmark_of(read(tmp_path)).over_nodes is None
    text = changed("mpi: none", "mpi: toolchain").replace("memory: 1MB", "most_nodes: 2")
    several = benchmark_of(read(tmp_path, text.replace("ranks: 1\n", "ranks: all\n"))).over_nodes
    assert several is not None
    machine = a_machine(4)
    names = ["only_ep_r8_n2", "only_cg_r8_n2", "many_r8_t1_n2", "many_r4_t2_n2"]
    assert [case.name for case in several(machine, "quick", 2)] == names
    assert [case.name for case in several(machine, "full", 2)] == names[2:]
    assert [case.name for case in several(machine, "quick", 3)] == [
        "many_r12_t1_n3",
        "many_r12_t2_n3",
    ]


@pytest.mark.parametrize(
    ("case", "options", "entry"),
    [
        ("a_x", {"way": "x"}, "a"),
        ("a_b", {}, "a_b"),
        ("a_b_r2_n2", {}, "a_b"),
        ("a_r2", {}, "a"),
        ("chosen", {"way": "z"}, "c"),
        ("a_b", {"way": "z"}, "c"),  # its values count before its name
        ("chosen", {}, "a"),
    ],
)
def test_a_launch_is_of_the_entry_with_its_values_then_of_that_with_its_name(
    tmp_path: Path, case: str, options: dict[str, object], entry: str
) -> None:
    first = SMALL.index("cases:")
    cases = """cases:
  - {name: a, set: {way: [x, y]}}
  - {name: a_b}
  - {name: c, set: {way: z}}
"""
    rest = SMALL[SMALL.index("size: {") :].replace("size: {coordinate: size}\n", "")
    text = SMALL[:first].replace("'{size} cells'", "").replace("{program}", "p") + cases
    recipe = read(tmp_path, text + rest.replace("{program}", "p"))
    assert entry_of(recipe, a_launch(case=case, options=options)) == entry


def test_ranks_times_threads() -> None:
    assert layouts(2, ranks="powers", threads=[1, 3]) == [(1, 1), (1, 3), (2, 1), (2, 3)]


def test_lists_make_a_case_of_each_combination() -> None:
    values = {"program": ["ep", "cg"], "class": ["S", "W"], "plain": 7}
    run = Run.model_validate({"name": "a", "set": values})
    cases = list(expand(run, 2))
    assert [case.name for case in cases] == ["a_ep_S", "a_ep_W", "a_cg_S", "a_cg_W"]
    assert cases[1].options == {"program": "ep", "class": "W", "plain": 7}


def test_names_tell_what_differs() -> None:
    run = Run.model_validate({"name": "a", "set": {"n": [1, 2.5]}, "ranks": "all", "threads": [2]})
    assert [case.name for case in expand(run, 4)] == ["a_1_r4_t2", "a_2.5_r4_t2"]


def test_a_case_has_what_its_entry_says() -> None:
    fields = {"memory": "1GB", "time": "2min", "priority": "detail", "ranks": 2, "threads": 3}
    (case,) = expand(Run.model_validate({"name": "a", **fields}), 1)
    assert case == Case(
        name="a",
        options={},
        ranks=2,
        threads=3,
        needs=Need(memory_bytes=10**9, seconds=120.0),
        priority="detail",
    )


@given(st.lists(st.text(min_size=1, max_size=60), min_size=2, max_size=3))
def test_names_are_names_of_files(values: list[str]) -> None:
    run = Run.model_validate({"name": "a", "set": {"x": values}, "ranks": "powers"})
    for case in expand(run, 4):
        assert _FILE_NAME.validate_python(case.name) == case.name
        assert case.options["x"] in values


def test_profiles_choose_entries(tmp_path: Path) -> None:
    recipe = read(tmp_path)
    several = cases_of(recipe)
    assert [case.name for case in several(a_machine(1), "standard")] == [
        "only_ep",
        "only_cg",
        "many_r1_t1",
        "many_r1_t2",
    ]
    assert [case.name for case in several(a_machine(1), "full")] == ["many_r1_t1", "many_r1_t2"]
    assert several(a_machine(1), "smoke") == ()


def test_a_chosen_case_gets_what_it_does_not_say(tmp_path: Path) -> None:
    recipe = read(tmp_path)
    chosen = Case(name="mine", options={"size": 99}, ranks=2)
    case = complete(recipe)(a_machine(2), chosen)
    assert case.options == {"program": "ep", "size": 99}
    assert (case.ranks, case.needs.memory_bytes, case.needs.seconds) == (2, 1_000_000, 1.0)
    benchmark = benchmark_of(recipe)
    assert benchmark.estimate is not None
    assert benchmark.estimate(a_machine(2), chosen) == case
