"""Values of placeholders are always part of exactly one word."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from heorot.errors import UsageError
from heorot.model.recipe import Recipe, Shell
from heorot.recipes.read import find, read_recipe
from heorot.recipes.values import (
    as_text,
    case_values,
    cubic_grid,
    layout_values,
    names_in,
    require_options,
    words_of,
)
from tests.unit.recipes.conftest import read

SHELL = Shell.model_validate({"shell": "printf '%s|' {a} x{a}y"})
_TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    return read(tmp_path)


def test_parameters_and_values_of_a_case(recipe: Recipe) -> None:
    values = case_values(recipe, {"size": 8, "flag": True}, {"ranks": "2"})
    assert values == {"steps": "10", "twice": "1010", "size": "8", "flag": "true", "ranks": "2"}


def test_a_case_outweighs_the_parameters_and_the_layout_all(recipe: Recipe) -> None:
    assert case_values(recipe, {"steps": 3}, {})["twice"] == "33"
    assert case_values(recipe, {"steps": 3}, {"steps": "4"})["twice"] == "44"


def test_the_values_of_a_case_are_taken_as_they_are(recipe: Recipe) -> None:
    values = case_values(recipe, {"steps": "{twice} {"}, {})
    assert values["steps"] == "{twice} {"
    assert values["twice"] == "{twice} {{twice} {"


@pytest.mark.parametrize(("value", "text"), [(True, "true"), (1, "1"), (2.5, "2.5"), ("a", "a")])
def test_values_as_text(value: bool | float | str, text: str) -> None:
    assert as_text(value) == text


@given(_TEXT, _TEXT)
def test_values_never_split_a_word(first: str, second: str) -> None:
    words = words_of("bin/x {a} -o{b}{a} '{a} {b}'", {"a": first, "b": second})
    assert words == ("bin/x", first, f"-o{second}{first}", f"{first} {second}")


@pytest.mark.parametrize("value", ["a b", "'", '"', "a' b", "\\", "", "$HOME", "\n", "{b}", "*"])
def test_values_with_blanks_and_quotes(value: str) -> None:
    assert words_of("x {a} {a}.c", {"a": value}) == ("x", value, f"{value}.c")


def test_doubled_braces_in_a_command_are_plain() -> None:
    assert words_of("awk '{{print}}' {a}", {"a": "1"}) == ("awk", "{print}", "1")


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(ValueError, match="has no value"):
        words_of("x {b}", {"a": "1"})


@pytest.mark.parametrize(
    "value",
    ["a; touch x", "$(touch x)", "`touch x`", "' ; touch x ; '", "a\ntouch x", "&& touch x"],
)
def test_values_stay_one_word_of_a_shell(tmp_path: Path, value: str) -> None:
    words = words_of(SHELL, {"a": value})
    assert words[:2] == ("bash", "-c")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"{value}|x{value}y|"
    assert list(tmp_path.iterdir()) == []


@given(_TEXT)
def test_a_shell_would_read_the_value_back(value: str) -> None:
    line = words_of(SHELL, {"a": value})[2]
    assert shlex.split(line)[2:] == [value, f"x{value}y"]


def test_names_in_commands() -> None:
    assert names_in("x {a} {b}") == ("a", "b")
    assert names_in(SHELL) == ("a", "a")


@pytest.mark.parametrize("ranks", range(1, 65))
def test_rows_and_columns_are_the_most_square_grid(ranks: int) -> None:
    values = layout_values(ranks, 2, 1)
    rows, columns = int(values["rows"]), int(values["columns"])
    assert rows * columns == ranks
    assert rows <= columns
    divisors = [n for n in range(1, ranks + 1) if ranks % n == 0]
    assert columns - rows == min(abs(n - ranks // n) for n in divisors)


def test_the_numbers_of_a_layout() -> None:
    assert layout_values(6, 2, 4) == {
        "ranks": "6",
        "threads": "2",
        "nodes": "4",
        "per_node": "2",
        "cores": "12",
        "rows": "2",
        "columns": "3",
        "px": "3",
        "py": "2",
        "pz": "1",
    }


@pytest.mark.parametrize("shell", ["echo '{a}'", 'echo "x {a} y"', "echo 'x' \"{a}\""])
def test_quotes_around_a_placeholder_would_undo_its_own(shell: str) -> None:
    with pytest.raises(ValidationError, match="a placeholder is quoted already"):
        Shell.model_validate({"shell": shell})
    assert Shell.model_validate({"shell": "echo 'a' {b} 'c' {d} \"e {{f}}\""})


def test_the_flags_are_as_many_words_as_there_are() -> None:
    values = {"flags": "-O3 -march=native", "a": "-x -y"}
    assert words_of("cc {flags} {a} C={flags}", values) == (
        *("cc", "-O3", "-march=native", "-x -y"),
        "C=-O3 -march=native",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cells": 4}, "lj: the recipe lammps wants the option `steps`"),
        ({"cells": 4, "steps": 3, "cell": 5}, "lj: the recipe lammps has no option `cell`"),
    ],
)
def test_options_that_are_of_no_case(options: dict[str, int], message: str) -> None:
    recipe = read_recipe(find("lammps"))
    require_options(recipe, {"cells": 4, "steps": 3}, "lj")
    with pytest.raises(UsageError, match=message) as raised:
        require_options(recipe, options, "lj")
    assert raised.value.hint == "its case tiny has options: {cells: 10, steps: 100}"


@pytest.mark.parametrize(
    ("ranks", "grid"),
    [(1, (1, 1, 1)), (2, (2, 1, 1)), (8, (2, 2, 2)), (12, (3, 2, 2)), (64, (4, 4, 4)),
     (100, (5, 5, 4)), (7, (7, 1, 1)), (128, (8, 4, 4)), (1000, (10, 10, 10))],
)  # fmt: skip
def test_ranks_in_three_dimensions(ranks: int, grid: tuple[int, int, int]) -> None:
    assert cubic_grid(ranks) == grid


@pytest.mark.parametrize("ranks", range(1, 257))
def test_no_other_grid_has_less_surface(ranks: int) -> None:
    px, py, pz = cubic_grid(ranks)
    assert px * py * pz == ranks
    assert px >= py >= pz
    divisors = [n for n in range(1, ranks + 1) if ranks % n == 0]
    surfaces = [
        x * y + y * (ranks // x // y) + x * (ranks // x // y)
        for x in divisors
        for y in divisors
        if ranks // x % y == 0
    ]
    assert px * py + py * pz + px * pz == min(surfaces)
