"""Damaged recipes and outputs: a recipe, a record, or one line with the reason, at once."""

from __future__ import annotations

import re
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heorot.errors import RecipeError
from heorot.model.recipe import Recipe
from heorot.model.run.records import EndLine, RegionLine
from heorot.recipes.catalogue import benchmark_of, header_of
from heorot.recipes.output import layout_of
from heorot.recipes.read import read_recipe
from heorot.recipes.transcript import transcribe
from heorot.recipes.values import case_values, words_of
from tests.unit.analyse.builders import a_machine
from tests.unit.damage import assert_one_line, damaged_bytes, damaged_lines
from tests.unit.recipes.conftest import RICH, a_launch, a_record

EXAMPLE = RICH.encode()
# CPU time: a busy machine does not look like a hang.
PATIENCE_SECONDS = 1.0  # a hundredth of it on an idle machine
FULL_PATIENCE_SECONDS = 15.0  # for as much as a file may hold
_NASTY = (
    *("~", "[a]", "{a: b}", "&a [*a]", "*b", "!x y", "!!int x", "2021-99-99", "0o9", "[]", "{}"),
    *('"\\0"', '"\\ud800"', "{<<: {a: b}}", "|", "9" * 5000, "\t", "---", "'", '"', "x" * 3000),
    *("'{a}'", "'{'", "'}'", "'{size}'", "'{installed}'", "'{a[0]}'", "'{{'", "/bin/sh", "../x"),
    *("'.*'", "'('", "'(?P<value>x)'", "'(?P<value>x|y{500}{500})'", "'(?P<region>y)(?P<value>x)'"),
    *(".nan", ".inf", "-1", "0", "1e400", "-1e400", "true", "null", "1.5", "powers", "squares"),
    *("[1, 1]", "[ep, ep]", "[9999999]", "1000000000", "''", "' '", "\u2028", "$HOME", "~/x"),
    *("{shell: '{a}'}", "{shell: ''}", "[" * 60, "1s", "5000 years", "whole_run", "run_time"),
)  # fmt: skip
_PLACES = [match.span() for match in re.finditer(r"[^\s:,\[\]{}\"']+", RICH)]
_VALUES = [match.span(1) for match in re.finditer(r"(?m): (.+)$", RICH)]


def _read(content: bytes, patience: float = PATIENCE_SECONDS) -> Recipe | None:
    """Read a recipe, which either is one or is refused as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.yaml"
        path.write_bytes(content)
        started = time.process_time()
        try:
            return read_recipe(path)
        except RecipeError as error:
            _assert_reported(error, path)
            return None
        finally:
            assert time.process_time() - started < patience


def _assert_reported(error: RecipeError, path: Path) -> None:
    """The one line begins with the file and, if there is one, a line of it."""
    assert_one_line(error, path)
    assert re.match(r"(:\d+)?: .", str(error).removeprefix(str(path)))


def _use(recipe: Recipe) -> None:
    """Whatever is a recipe can be planned, started and read."""
    assert header_of(recipe).question == recipe.question
    benchmark = benchmark_of(recipe)
    for case in benchmark.cases(a_machine(2), "quick"):
        step = a_launch(
            case=case.name, options=case.options, ranks=case.ranks, threads=case.threads
        )
        places = {"build": "/b", "folder": "/f", "installed": "/i"}
        values = case_values(recipe, case.options, layout_of(step) | places)
        assert all(words_of(each.command, values) for each in recipe.commands)
        transcribe(recipe, step, a_record(), OUTPUT)


OUTPUT = "Copy at 8: 5.0\nScale at 8: 6.0\ntime 7.5\nresidual 1.2\nPASSED\n"


@pytest.mark.slow
@given(damaged_bytes(EXAMPLE) | damaged_lines(EXAMPLE))
def test_wrong_bytes(content: bytes) -> None:
    recipe = _read(content)
    if recipe:
        _use(recipe)


@pytest.mark.slow
@given(st.data())
def test_nasty_values_in_the_place_of_others(data: st.DataObject) -> None:
    start, end = data.draw(st.sampled_from(_PLACES) | st.sampled_from(_VALUES))
    nasty = data.draw(st.sampled_from(_NASTY) | st.text(max_size=8))
    recipe = _read((RICH[:start] + nasty + RICH[end:]).encode(errors="surrogatepass"))
    if recipe:
        _use(recipe)


@given(st.lists(st.sampled_from((*_NASTY, "name", ": ", "\n", "- ", "  ", "metrics", ",", "&b "))))
def test_any_document(pieces: list[str]) -> None:
    _read("".join(pieces).encode(errors="surrogatepass"))


@given(st.binary(max_size=100))
def test_any_bytes(content: bytes) -> None:
    _read(content)


@pytest.mark.slow
@given(st.sampled_from(_NASTY), st.sampled_from(("", "name: ", "files: {a: ", "cases: [")))
@settings(max_examples=settings().max_examples // 5)
def test_as_many_as_there_is_room_for(piece: str, opening: str) -> None:
    content = (opening + piece * (1 << 16)).encode(errors="surrogatepass")
    _read(content[: (1 << 16) - 1], FULL_PATIENCE_SECONDS)


@pytest.mark.parametrize(
    "more",
    [
        "parameters: {" + ", ".join(f"p{n}: '{{p{n + 1}}}'" for n in range(3000)) + ", p3000: x}",
        "parameters: {" + ", ".join(f"p{n}: '{{p{n + 1}}}' * 2" for n in range(9)) + "}",
        "output: '" + "{size}" * 10_000 + "'",
        "environment: {" + ", ".join(f"A{n}: '{{size}}'" for n in range(3000)) + "}",
    ],
    ids=("chain", "doubling", "long", "many"),
)
def test_whatever_stands_for_much_is_read_in_time(more: str) -> None:
    key = more.partition(":")[0]
    start = RICH.index(f"\n{key}:") + 1
    end = re.compile(r"^\w", re.MULTILINE).search(RICH, start + 1)
    assert end
    _read((RICH[:start] + more + "\n" + RICH[end.start() :]).encode(), FULL_PATIENCE_SECONDS)


@pytest.mark.slow
@given(
    damaged_bytes(OUTPUT.encode() * 3) | damaged_lines(OUTPUT.encode()) | st.binary(max_size=200)
)
def test_damaged_outputs_yield_figures_or_a_reason(output: bytes) -> None:
    recipe = _read(EXAMPLE)
    assert recipe
    step = a_launch(options={"program": "ep", "size": 16})
    before = a_record()
    record = transcribe(recipe, step, before, output.decode(errors="replace"))
    if record.problem:
        assert len(record.problem.splitlines()) == 1
        assert record == replace(before, problem=record.problem)
        return
    assert record.end
    assert record.end.failed == sum(not check.passed for check in record.checks)
    assert record.end.passed == (not record.end.failed)
    EndLine.model_validate(record.end.model_dump())
    if record.end.passed:
        for region in record.regions:
            RegionLine.model_validate(region.model_dump())
