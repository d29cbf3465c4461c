"""Templates: a number of a sentence is in its claim, and kinds are named after their package."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Formatter

import pytest
from pydantic import ConfigDict

from heorot.analyse.templates.template import Template
from heorot.analyse.templates.words import fill, label
from heorot.model.analysis.claims import Quantity

SRC = Path(__file__).resolve().parents[3] / "src"
# A number, and not a part of a name or of a fraction.
NUMBER = re.compile(r"(?<![\w/.-])\d")
ROOMS = [
    *(SRC / "heorot/analyse/templates").glob("*.py"),
    *(SRC / "heorot").rglob("templates.py"),
]


def templates() -> Iterator[tuple[str, Template]]:
    """Every template with its module and name."""
    for path in sorted(ROOMS):
        module = importlib.import_module(".".join(path.relative_to(SRC).with_suffix("").parts))
        for name, found in vars(module).items():
            several = found.values() if isinstance(found, dict) else [found]
            yield from (
                (f"{module.__name__}.{name} {each.kind}", each)
                for each in several
                if isinstance(each, Template)
            )


KNOWN = dict(templates())


def literals(text: str) -> Iterator[str]:
    """The literals of a format string, in choices, too; without the digits of specifications."""
    for literal, name, form, _ in Formatter().parse(text):
        yield literal
        if name is not None and form:
            choice = "|" in form or form.startswith("times")
            yield from literals(form) if choice else ()


def fields(text: str) -> Iterator[str]:
    """The names in a format string."""
    for _, name, form, _ in Formatter().parse(text):
        if name is not None:
            yield name
            yield from fields(form or "")


def numbers(texts: Iterable[str]) -> list[str]:
    """The literals with a number of their own."""
    every = (literal for text in texts for literal in literals(text))
    return [literal for literal in every if NUMBER.search(literal.replace("times2 ", ""))]


@pytest.mark.parametrize("name", KNOWN)
def test_every_number_of_a_sentence_is_a_value_of_its_claim(name: str) -> None:
    assert numbers(KNOWN[name].texts) == []
    every = [field for text in KNOWN[name].texts for field in fields(text)]
    assert all(re.fullmatch(r"\w+(\.\w+)*(\[\w+\])?", field) for field in every)


def test_a_number_of_its_own_is_found() -> None:
    assert numbers(["{n} of 5 nodes"]) == [" of 5 nodes"]
    assert numbers(["{n:all 5 of them|none}"]) == ["all 5 of them|none"]
    assert numbers(["{gain:times as fast as 2 of {n}}"]) == ["times as fast as 2 of "]
    assert numbers(["{names:, 3} in {rate:value 2}, {share:.0%} of pi/2"]) == []


def test_a_kind_stands_in_one_place_under_the_name_of_its_family() -> None:
    places: dict[str, set[str]] = {}
    for name, each in KNOWN.items():
        module = name.partition(" ")[0].rpartition(".")[0]
        assert re.fullmatch(r"[a-z]+(/[a-z ]+)?", each.kind)
        if ".families." in module:
            assert each.kind.startswith(module.split(".")[2] + "/")
        places.setdefault(each.kind, set()).add(module)
    assert [kind for kind, modules in places.items() if len(modules) > 1] == []


def sample(forms: set[str]) -> object:
    """A value that may stand in placeholders with these specifications."""
    choices = {form for form in forms if "|" in form and not form.startswith("times")}
    counts = {form.strip(", ") for form in forms - choices} - LISTS
    measures = any(form.startswith((*MEASURES, ".", "[", "+")) or form.isdigit() for form in counts)
    if measures and not any(form.startswith(",") for form in forms):
        return Quantity(median=2.0, low=1.9, high=2.1, launches=5)
    if choices:
        return 3 if counts or any(form.startswith("=") for form in choices) else True
    if any(form[:1].isalpha() or "{" in form for form in counts):
        return 3
    return ["a", "b", "c", "d", "e"] if forms - {""} else "a name"


class Record(Quantity):
    """A row or another record, with any fields that a template names."""

    model_config = ConfigDict(frozen=False, extra="allow")

    def add(self, path: list[str], value: object) -> None:
        """Give it a field, in a record within it if the path is longer."""
        if not path:
            return
        name, bracket, index = path[0].rstrip("]").partition("[")
        known = getattr(self, name, None)
        if bracket:
            setattr(self, name, {**(known or {}), index: value})
        elif len(path) == 1:
            setattr(self, name, value)
        else:
            inner = known or Record(median=2.0)
            setattr(self, name, inner)
            inner.add(path[1:], value)


MEASURES = ("value", "binary", "ends", "duration", "percent", "change", "times", "efficiency", "%")
LISTS = {"", "and", "or", ";"}


@pytest.mark.parametrize("name", KNOWN)
def test_all_clauses_of_a_template_are_worded(name: str) -> None:
    forms: dict[str, set[str]] = {}

    def gather(text: str) -> None:
        for _, field, form, _ in Formatter().parse(text):
            if field is not None:
                forms.setdefault(field, set()).add(form or "")
                gather(form or "")

    for text in KNOWN[name].texts:
        gather(text)
    values = {field: sample(found) for field, found in forms.items() if field.isidentifier()}
    for field in forms.keys() - values.keys():
        values[field.split(".")[0]] = Record(median=2.0, low=1.9, high=2.1, launches=5)
    for field, found in forms.items():
        one = values[field.split(".")[0]]
        if isinstance(one, Record):
            one.add(field.split(".")[1:], sample(found))
    for text in KNOWN[name].texts:
        worded = fill(text, values)
        assert bool(worded) == bool(text)
        assert "{" not in worded


@pytest.mark.parametrize("name", KNOWN)
def test_what_a_claim_holds_has_names_of_its_own(name: str) -> None:
    every = {field for text in KNOWN[name].texts for field in fields(text)}
    assert len({label(field) for field in every}) == len(every)
