"""Rules for the repository as a whole: first lines, sizes, words, and one list of programs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from heorot.families import BENCHMARKS

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("src", "native", "tests", "tools", ".ci", "docs")
CODE = {".py", ".cpp", ".hpp", ".cmake", ".js", ".css", ".html", ".j2", ".sh"}
SCRIPTS = tuple(
    ROOT / name
    for name in ("heorot", "tools/check", "tools/clang", "tools/fuzz", "tools/variants", ".ci/run")
)

LONGEST_FILE = 300  # lines
VAGUE = {"data", "info", "manager", "utils", "util", "helper", "helpers", "common", "misc"}
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
SOMEBODYS_PATH = re.compile(r"(?<![\w.~$}])/(?:home|root|work|scratch|Users)/[\w.]")
DOCSTRING = re.compile(r'(?:#.*\n)*"""(.*?)"""', re.DOTALL)
DEFINITION = re.compile(r"^ *(?:async )?(?:def|class) (\w+)", re.MULTILINE)
SENTENCE_END = re.compile(r"[.?:!](?:\s|$)")


@cache
def files() -> tuple[Path, ...]:
    """Every file of the project except captured samples, pictures and files of tools."""
    return tuple(_files())


def _files() -> Iterator[Path]:
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*")):
            parts = path.relative_to(ROOT).parts
            if (
                path.is_file()
                and not {"__pycache__", "samples", "images", "build"} & set(parts)
                and not path.name.startswith(".")
            ):
                yield path
    yield from (
        path for path in ROOT.iterdir() if path.is_file() and path.suffix in {".md", ".toml"}
    )
    yield ROOT / "heorot"


def code() -> Iterator[Path]:
    """Yield the files with code."""
    yield from (path for path in files() if path.suffix in CODE)
    yield from SCRIPTS


def comment_head(text: str, mark: str) -> str:
    """Return the first paragraph of the comment a file begins with, without its marks."""
    words = []
    for line in text.splitlines():
        content = line.removeprefix(mark).strip()
        if line.startswith("#!"):
            continue
        if not line.startswith(mark) or not content:
            break
        words.append(content)
    return " ".join(words)


def first_sentence(path: Path) -> str:
    """Return how a file introduces itself."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        docstring = DOCSTRING.match(text)
        return docstring[1].partition("\n\n")[0].replace("\n", " ") if docstring else ""
    return comment_head(text, "//" if path.suffix in {".cpp", ".hpp"} else "#")


def introduces_itself(path: Path) -> bool:
    """Return whether the file begins with a sentence of at least three words."""
    sentence = first_sentence(path)
    return bool(SENTENCE_END.search(sentence)) and len(sentence.split()) >= 3


def named(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_every_file_says_first_what_it_is() -> None:
    speaking = {".py", ".cpp", ".hpp", ".cmake", ""}
    mute = [
        path
        for path in [*code(), *ROOT.glob("native/**/CMakeLists.txt")]
        if path.suffix in speaking | {".txt"} and not introduces_itself(path)
    ]
    assert named(mute) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "import os\n"),
        ("a.py", '"""Clock."""\n'),
        ("a.py", '"""The clock of a rank"""\n'),
        ("a.cpp", "#include <vector>\n"),
        ("a.hpp", "// clock\n#pragma once\n"),
        ("a", "#!/bin/sh\nset -eu\n"),
    ],
)
def test_a_file_without_a_first_sentence_is_found(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert not introduces_itself(tmp_path / name)


def test_no_file_is_longer_than_its_reader_can_hold() -> None:
    def is_too_long(path: Path) -> bool:
        lines = path.read_text(encoding="utf-8").splitlines()
        # A longer file gives the reason in a comment at its top that names the limit.
        excused = any(f"{LONGEST_FILE} lines" in line for line in lines[:20])
        return len(lines) > LONGEST_FILE and not excused

    assert named([path for path in code() if is_too_long(path)]) == []


@pytest.mark.slow
def test_nothing_is_left_unfinished_or_tied_to_one_machine() -> None:
    found = []
    for path in files():
        text = path.read_text(encoding="utf-8")
        in_tests = path.relative_to(ROOT).parts[0] == "tests"  # which may invent paths
        for pattern in (UNFINISHED,) if in_tests else (UNFINISHED, SOMEBODYS_PATH):
            found += [f"{path.relative_to(ROOT)}: {word}" for word in pattern.findall(text)]
    assert found == []


def test_no_module_class_or_function_has_a_name_that_says_nothing() -> None:
    vague = [path for path in code() if path.stem in VAGUE]
    assert named(vague) == []
    for path in code():
        if path.suffix == ".py":
            names = DEFINITION.findall(path.read_text(encoding="utf-8"))
            assert not VAGUE & {name.lower() for name in names}, path


def programs_in_cmake() -> list[str]:
    """List the programs that CMake builds."""
    line = re.compile(r"^\s*add_benchmark\(\s*([\w/]+)", re.MULTILINE)
    lists = sorted(ROOT.glob("native/benchmarks/**/CMakeLists.txt"))
    return sorted(name for path in lists for name in line.findall(path.read_text(encoding="utf-8")))


def programs_in_sources() -> list[str]:
    """List the programs there are sources for: family/name.cpp or family/name/name.cpp.

    A folder without such a file, such as npb/flow/, holds parts of several programs.
    """
    benchmarks = ROOT / "native/benchmarks"
    single = [path.with_suffix("") for path in benchmarks.glob("*/*.cpp")]
    folders = [
        path.parent for path in benchmarks.glob("*/*/*.cpp") if path.stem == path.parent.name
    ]
    return sorted(str(path.relative_to(benchmarks)) for path in [*single, *folders])


def test_sources_cmake_and_catalogue_name_the_same_programs() -> None:
    catalogue = sorted(benchmark.name for benchmark in BENCHMARKS)
    assert len(catalogue) == len(set(catalogue))
    assert programs_in_cmake() == catalogue
    assert programs_in_sources() == catalogue


@pytest.mark.slow
@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_a_skipped_test_is_told_and_fails_on_the_build_server(
    tmp_path: Path, ci: str, code: int
) -> None:
    shutil.copy(ROOT / "tests/conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(
        "import pytest\ndef test_this(): pytest.skip('no browser here')\ndef test_that(): pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env=dict(os.environ, CI=ci),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "1 skipped: no browser here" in done.stdout
    assert ("CI is set" in done.stdout) == bool(ci)


@pytest.mark.slow
def test_every_mutation_finds_its_line() -> None:
    command = [sys.executable, str(ROOT / "tools" / "mutate"), "--list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, [line for line in done.stdout.splitlines() if "to replace" in line]
