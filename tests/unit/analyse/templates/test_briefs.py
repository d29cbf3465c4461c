"""Sentences in brief: at most 25 words and two numbers, whatever their values are."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

import heorot.analyse.templates
import heorot.families
from heorot.analyse.templates.briefs import (
    MOST_NUMBERS,
    MOST_WORDS,
    count_numbers,
    count_words,
    is_brief,
    shorten,
)
from heorot.analyse.templates.quantities import exactly, of_ends
from heorot.analyse.templates.template import AttributionTemplate, SentenceTemplate, Template
from heorot.analyse.templates.words import placeholders, split_clauses
from heorot.model.analysis.claims import Quantity, format_uncertainty

_WORDS_OF_A_VALUE = 2
_ROOT = re.compile(r"[.\[]")


def templates() -> Iterator[tuple[str, Template]]:
    """All templates of the analysis and of families, by module and name."""
    packages = [heorot.analyse.templates, *_families()]
    for package in packages:
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if package is heorot.analyse.templates or module.name.endswith(".templates"):
                for name, one in vars(importlib.import_module(module.name)).items():
                    if isinstance(one, Template):
                        yield f"{module.name}.{name}", one


def _families() -> Iterator[ModuleType]:
    for one in pkgutil.iter_modules(heorot.families.__path__, "heorot.families."):
        if one.ispkg:
            yield importlib.import_module(one.name)


BRIEF = [pytest.param(one, id=name) for name, one in templates() if one.brief]


def roots(texts: tuple[str, ...]) -> set[str]:
    return {_ROOT.split(name)[0] for text in texts for name, _ in placeholders(text)}


@pytest.mark.parametrize("template", BRIEF)
def test_a_brief_speaks_of_what_its_sentence_speaks_of(template: Template) -> None:
    extra = {"run/trust": {"standing", "disturbed"}, "run/doubt": {"n", "names"}}
    assert roots(template.brief) <= roots(template.texts) | extra.get(template.kind, set())


@pytest.mark.parametrize("template", BRIEF)
def test_what_has_to_stand_in_a_brief_is_brief(template: Template) -> None:
    """With names and values of two words each; numbers stand in values alone."""
    needed = "".join(clause for clause in template.brief if not clause.startswith("["))
    bare = re.sub(r"\{[^{}]*\}", "V", re.sub(r"\{[^{}]*\}", "V", needed))
    n_values = bare.count("V")
    assert count_words(bare) + (_WORDS_OF_A_VALUE - 1) * n_values <= MOST_WORDS
    assert count_numbers(bare) == 0


def test_whatever_may_stand_in_a_verdict_has_a_brief() -> None:
    """Losses always may, and sentences of some weight."""
    silent = {
        name
        for name, one in templates()
        if not one.brief
        and (
            (isinstance(one, AttributionTemplate) and one.kind in _LOSSES)
            or (isinstance(one, SentenceTemplate) and one.weight > 0.7)
        )
        and ".systems." not in name
    }
    assert silent == set()


_LOSSES = {"explain/copies", "explain/loss", "explain/straggler", "explain/saturated"}


@pytest.mark.parametrize(
    ("text", "words", "numbers"),
    [
        ("It reaches 47.0 GB/s ±3 % on 2 cores.", 7, 1),
        ("All 13,119 checks passed and all 252 launches completed.", 9, 2),
        ("L3 of 1 core holds 32 MiB.", 7, 1),
        ("NPB CG class A with gnu-12+openmpi-5.0.11 runs at 61 Gflop/s, 22 % of peak.", 14, 2),
        ("Of 2 copies each loses 58.0 % ±5 % of its speed.", 10, 1),
    ],
)
def test_words_and_numbers_are_counted(text: str, words: int, numbers: int) -> None:
    assert (count_words(text), count_numbers(text)) == (words, numbers)


def test_clauses_go_from_the_end_until_it_is_brief() -> None:
    clauses = split_clauses("It is {a}[, {b} at best][, {c} at worst].")
    values = {"a": exactly(1.5), "b": exactly(2.5), "c": exactly(3.5)}
    assert shorten(clauses, values) == "It is 1.50, 2.50 at best."
    assert shorten(clauses, values | {"b": None}) == "It is 1.50, 3.50 at worst."
    assert shorten((), values) == ""
    long = split_clauses("It is " + "very " * 30 + "{a}[, {b} at best].")
    assert shorten(long, values) == ""
    assert (MOST_WORDS, MOST_NUMBERS) == (25, 2)


def test_uncertainty_is_a_share_and_a_ratio_that_may_be_one_is_none() -> None:
    rate = of_ends((47e9, 45.2e9, 47.3e9), 4, "B/s")
    known, unknown = of_ends((1.2, 1.07, 1.21), 3), of_ends((1.02, 0.9, 1.1), 3)
    clauses = split_clauses("{rate}[, {gain:times as much as one}].")
    assert shorten(clauses, {"rate": rate, "gain": known}) == (
        "47.0 GB/s ±4 %, 1.20 ±11 % times as much as one."
    )
    assert shorten(clauses, {"rate": rate, "gain": unknown}) == "47.0 GB/s ±4 %, as much as one."
    assert shorten(clauses, {"rate": rate, "gain": None}) == "47.0 GB/s ±4 %."


@pytest.mark.parametrize(
    ("caution", "words"),
    [
        ("", ""),
        ("wide range", ""),
        ("perturbed, wide range", " (perturbed)"),
        ("perturbed, two modes: 1 s in launch 1; 2 s in launch 2", " (perturbed, bimodal)"),
        ("two modes: 1 s in launch 1; 2 s in launch 2", " (bimodal)"),
    ],
)
def test_a_median_is_quoted_with_what_must_be_said_of_it(caution: str, words: str) -> None:
    one = Quantity(median=2.0, low=1.9, high=2.1, unit="s", launches=5, caution=caution)
    text = shorten(("{one}",), {"one": one})
    assert text == f"2.00 s ±5 %{words}"
    assert is_brief(text)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (9.9, 10.05, "±1 %"),
        (9.99, 10.02, "±0.2 %"),
        (9.9999, 10.0, "±0.1 %"),
        (10.0, 10.0, "±0 %"),
        (None, 10.0, ""),
        (float("nan"), 10.0, ""),
        (2.0, 30.0, "±200 %"),
    ],
)
def test_uncertainty_reaches_to_the_farther_end(low: float | None, high: float, words: str) -> None:
    assert format_uncertainty(10.0, low, high) == words
