"""The guide's examples, done to a copy of the tree: four files a program, one folder a family."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.builds import through_ccache

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests" / "samples" / "example"
CONTRACTS = (
    "tests/contract/test_programs.py",
    "tests/contract/test_repository.py",
    "tests/contract/test_rooms.py",
    "tests/unit/families/test_families.py",
)


@dataclass(frozen=True)
class Example:
    """An example of the guide.

    Attributes:
        name: of the program.
        folder: its new files, as they lie in the tree.
        edits: file, text in it, and what stands in the place of that text.
    """

    name: str
    folder: str
    edits: tuple[tuple[str, str, str], ...]


PROGRAM = Example(
    name="memory/walk",
    folder="program",
    edits=(
        (
            "native/benchmarks/memory/CMakeLists.txt",
            "add_benchmark(memory/stream",
            "add_benchmark(memory/walk SOURCES walk.cpp NUMERICS)\nadd_benchmark(memory/stream",
        ),
        (
            "src/heorot/families/memory/__init__.py",
            "from heorot.families.memory.stream",
            "from heorot.families.memory.walk import WALK\nfrom heorot.families.memory.stream",
        ),
        (
            "src/heorot/families/memory/__init__.py",
            "benchmarks=(STREAM,",
            "benchmarks=(STREAM, WALK,",
        ),
    ),
)
FAMILY = Example(
    name="integers/sieve",
    folder="family",
    edits=(
        (
            "src/heorot/families/__init__.py",
            "compute, memory",
            "compute, integers, memory",
        ),
        (
            "src/heorot/families/__init__.py",
            "compute.FAMILY,",
            "compute.FAMILY, integers.FAMILY,",
        ),
    ),
)


def copy_tree(to: Path) -> None:
    """Copy the files under version control, and new ones that are not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def apply(example: Example, tree: Path) -> set[str]:
    """Follow the guide; return the files that are added or changed."""
    source = EXAMPLES / example.folder
    new = [path.relative_to(source) for path in source.rglob("*") if path.is_file()]
    for path in new:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / path, tree / path)
    for name, old, text in example.edits:
        file = tree / name
        content = file.read_text(encoding="utf-8")
        assert content.count(old) == 1, f"{name}: {old}"
        file.write_text(content.replace(old, text), encoding="utf-8")
    return {*map(str, new), *(name for name, _, _ in example.edits)}


def environment_in(tree: Path) -> dict[str, str]:
    """What a copy finds around it: it builds by itself, but compiles nothing that this tree has."""
    own = {"PYTHONPATH": str(tree / "src"), "CI": "", "HEOROT_TESTS_BUILT": ""}
    return {**through_ccache(), **os.environ, **own}


def contracts(tree: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run the contract tests of the copy: those of the new program, and those of all as one."""
    generic = "not [ and not example"
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header"),
            *("-k", f"{program} or ({generic})"),
            *CONTRACTS,
        ],
        cwd=tree,
        env=environment_in(tree),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


def folders(touched: Iterable[str]) -> set[str]:
    """The folders of families, Python and native, in which files were added or changed."""
    return {str(Path(name).parent) for name in touched}


@pytest.mark.slow
@pytest.mark.mpi
@pytest.mark.timeout(900)
@pytest.mark.parametrize("example", [PROGRAM, FAMILY], ids=["program", "family"])
def test_the_guide_is_all_there_is_to_do(tmp_path: Path, example: Example) -> None:
    copy_tree(tmp_path)
    touched = apply(example, tmp_path)
    if example is PROGRAM:
        assert len(touched) == 4
    else:
        outside = {name for name in touched if "/integers/" not in name}
        assert outside == {"src/heorot/families/__init__.py"}
    done = contracts(tmp_path, example.name)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert example.name in done.stdout or "passed" in done.stdout


@pytest.mark.slow
def test_a_forgotten_line_is_noticed(tmp_path: Path) -> None:
    copy_tree(tmp_path)
    apply(PROGRAM, tmp_path)
    lists = tmp_path / "native/benchmarks/memory/CMakeLists.txt"
    lists.write_text(lists.read_text().replace("add_benchmark(memory/walk", "# "))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", CONTRACTS[1]],
        cwd=tmp_path,
        env=environment_in(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "test_sources_cmake_and_catalogue_name_the_same_programs" in done.stdout
