"""The shipped recipes: each is valid and reads the captured output of its program."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.model.catalogue.benchmark import PROFILES
from heorot.model.recipe import Recipe
from heorot.pattern import group_names
from heorot.recipes.catalogue import (
    RUN_TIME,
    benchmark_of,
    coordinates,
    header_of,
)
from heorot.recipes.output import matches_of
from heorot.recipes.read import read_recipe, shipped
from heorot.units import parse_unit
from tests.unit.analyse.builders import a_machine
from tests.unit.recipes.conftest import changed, read

SAMPLES = Path(__file__).parents[2] / "samples" / "recipes"
SHIPPED = shipped()
OUTPUTS = {path.stem: path for path in SAMPLES.glob("*/*.txt")}


@pytest.fixture(params=sorted(SHIPPED))
def recipe(request: pytest.FixtureRequest) -> Recipe:
    return read_recipe(SHIPPED[request.param])


def test_the_file_has_the_name_of_its_recipe() -> None:
    assert {name: read_recipe(file).name for name, file in SHIPPED.items()} == {
        name: name for name in SHIPPED
    }


def test_it_says_what_it_is_and_whether_its_figures_compare(recipe: Recipe) -> None:
    assert recipe.title
    assert recipe.question.endswith("?")
    assert recipe.source
    assert recipe.licence
    answer, colon, why = recipe.comparable.partition(":")
    assert answer in {"Yes", "In part", "No"}
    assert colon
    assert why.strip()
    assert header_of(recipe).comparable == answer


def test_it_is_planned_on_any_machine(recipe: Recipe) -> None:
    benchmark = benchmark_of(recipe)
    assert benchmark.cases(a_machine(1), "full")
    for cores in (1, 2, 6, 64):
        for profile in PROFILES:
            cases = benchmark.cases(a_machine(cores), profile)
            assert len({case.name for case in cases}) == len(cases)
            assert all(case.needs.seconds > 0.0 for case in cases)


@pytest.mark.parametrize("name", sorted(OUTPUTS))
def test_it_reads_what_its_program_printed(name: str) -> None:
    recipe = read_recipe(SHIPPED[name])
    output = OUTPUTS[name].read_text(errors="replace")
    assert any(matches_of(metric.pattern, output) for metric in recipe.metrics)
    missing = [
        each.name
        for each in recipe.verification
        if not each.absent and not matches_of(each.pattern, output)
    ]
    assert missing == []
    assert not any(each.absent and matches_of(each.pattern, output) for each in recipe.verification)


def test_every_one_has_a_recorded_output() -> None:
    assert sorted(OUTPUTS) == sorted(SHIPPED)


def test_what_others_are_set_beside_is_said_in_full(recipe: Recipe) -> None:
    for metric in recipe.metrics:
        parse_unit(metric.unit)
        assert "value" in group_names(metric.pattern)


def test_a_recipe_as_a_program_of_the_catalogue(tmp_path: Path) -> None:
    benchmark = benchmark_of(read(tmp_path))
    assert (benchmark.name, benchmark.display_name) == ("others/small", "a small program")
    assert [(each.name, each.unit) for each in benchmark.metrics] == [
        ("bandwidth", "B/s"),
        ("time", "s"),
        (RUN_TIME, "s"),
    ]
    assert [(each.metric, each.by, each.most) for each in benchmark.ceilings] == [
        ("bandwidth", "memory_bandwidth", None),
        ("time", "", 1000.0),
    ]
    assert [each.label for each in benchmark.headlines] == ["a small program"]
    assert [each.title for each in benchmark.figures] == [
        "bandwidth over bytes",
        "time by layout",
        "time over the cores",
    ]
    assert (benchmark.tiny.ranks, benchmark.needs_mpi) == (1, False)
    assert (benchmark.problem, benchmark.suits) == (("program", "size"), ())
    assert coordinates(read(tmp_path)) == {"bytes"}


def test_a_recipe_names_its_problem_and_its_questions(tmp_path: Path) -> None:
    words = "problem: [size]\ntelling: [nodes, cores]\n"
    text = changed("size: {coordinate", f"{words}size: {{coordinate")
    benchmark = benchmark_of(read(tmp_path, text))
    assert (benchmark.problem, benchmark.suits) == (("size",), ("nodes", "cores"))


@pytest.mark.parametrize("name", ["hpl", "hpcg", "hpcc", "osu", "lammps", "gromacs-mpi", "npb"])
@pytest.mark.parametrize("nodes", [2, 4])
def test_those_with_mpi_have_cases_over_nodes(name: str, nodes: int) -> None:
    benchmark = benchmark_of(read_recipe(SHIPPED[name]))
    assert benchmark.over_nodes is not None
    assert benchmark.suits
    for profile in ("standard", "full"):
        cases = benchmark.over_nodes(a_machine(4), profile, nodes)
        assert cases
        assert all(case.nodes == nodes and case.ranks % nodes == 0 for case in cases)


def test_labels_tell_several_headlines_apart(tmp_path: Path) -> None:
    text = changed("headline: [copy]", "headline: [copy, big_add]")
    benchmark = benchmark_of(read(tmp_path, text + "    headline: [ep]\n"))
    assert [each.label for each in benchmark.headlines] == [
        "a small program, copy, bandwidth",
        "a small program, big add, bandwidth",
        "a small program, time",
    ]


def test_the_header_says_what_is_verified(tmp_path: Path) -> None:
    recipe = read(tmp_path)
    assert header_of(recipe).sections == {
        "Comparable": "No: it is a test",
        "Verified": "residual; its own check; no errors",
        "Source": "a test, version 1",
        "Licence": "public domain",
    }
    unverified = recipe.model_copy(update={"verification": (), "comparable": ""})
    assert header_of(unverified).sections["Verified"].startswith("Not at all")
    assert "Comparable" not in header_of(unverified).sections
