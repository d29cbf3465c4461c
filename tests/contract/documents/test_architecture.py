"""docs/architecture.md is true: its tree, its layers, and the homes that it gives to facts."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
EXPLAINED = 12  # columns of a tree: further right the explanation continues
FACTS = TEXT.split("\n## Where a fact lives\n")[1].split("\n## ")[0]
HOMES = (ROOT, ROOT / "src/heorot")


def block(heading: str) -> str:
    """The first block of text below a heading."""
    return TEXT.split(f"\n## {heading}\n")[1].split("```text\n")[1].split("```")[0]


def paths_in(tree: str) -> list[str]:
    """The paths that an indented tree lists, two columns for each level."""
    found: list[str] = []
    above: list[str] = []
    for line in tree.splitlines():
        level = (len(line) - len(line.lstrip())) // 2
        first, *more = line.split()
        if 2 * level < EXPLAINED:
            for name in (first, *(each for each in more if each.endswith(".py"))):
                above[level:] = [name.rstrip("/")]
                found.append("/".join(above))
    return found


def defines(source: str, name: str) -> bool:
    """Whether a module has a function, method, class or constant of a name."""
    return bool(re.search(rf"^ *(?:def|class) {name}\b|^{name}\b.*=", source, re.MULTILINE))


def test_a_tree_is_read_by_its_indentation() -> None:
    tree = "a/   what\n  b/   is\n    d.py  e.py\n             f.py explains\ng   x\n"
    assert paths_in(tree) == ["a", "a/b", "a/b/d.py", "a/b/e.py", "g"]


def test_the_tree_lists_what_is_there() -> None:
    listed = paths_in(block("The tree"))
    assert [path for path in listed if not (ROOT / path).exists()] == []
    there = [*ROOT.glob("src/heorot/*"), *ROOT.glob("tools/*")]
    named = [path for path in there if path.suffix in {"", ".py"} and path.name[0] not in "._"]
    assert len(named) > 30
    assert {str(path.relative_to(ROOT)) for path in named} <= set(listed)


def test_the_layers_are_those_that_are_enforced() -> None:
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    first = rules["tool"]["importlinter"]["contracts"][0]
    parts = r"\w+|[>|]"
    assert re.findall(parts, block("Layers")) == re.findall(parts, " > ".join(first["layers"]))


def test_facts_have_the_homes_that_are_stated() -> None:
    stated = re.findall(r"`([\w.*/]+/[\w.*]*)`", FACTS)
    paths = [path for path in stated if "family" not in path and path != "memory/stream"]
    assert len(paths) > 60
    assert [path for path in paths if not any([*home.glob(path)] for home in HOMES)] == []


@pytest.mark.parametrize(
    ("name", "path"), re.findall(r"`(\w+)`(?:, [\w ]+,)? in `([\w/]+\.py)`", FACTS)
)
def test_what_decides_is_where_it_is_said_to_be(name: str, path: str) -> None:
    source = next(home / path for home in HOMES if (home / path).exists())
    assert defines(source.read_text(encoding="utf-8"), name)


def test_what_is_elsewhere_is_not_found() -> None:
    source = "class Known:\n    def known(self): ...\n\n\nMOST = 3\nx = other(least=1)\n"
    assert [defines(source, name) for name in ("Known", "known", "MOST")] == [True] * 3
    assert [defines(source, name) for name in ("Know", "least", "other", "ll")] == [False] * 4
