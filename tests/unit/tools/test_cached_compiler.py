"""Copies of a tree share the cache of ccache, in any folders and builds."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).resolve().parents[3] / "tools" / "cached-compiler"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("ccache"), reason="apt-get install ccache"),
]


def make_tree(root: Path, venv: Path) -> Path:
    """A tree with a source that includes a header of its own and one of a set-up."""
    (venv / "include").mkdir(parents=True, exist_ok=True)
    (venv / "include/c.hpp").write_text("inline int c() { return 3; }\n")
    (root / "native/parts").mkdir(parents=True)
    (root / "native/parts/b.hpp").write_text("inline int b() { return 1; }\n")
    (root / "native/a.cpp").write_text(
        '#include "parts/b.hpp"\n#include <c.hpp>\nint a() { return b() + c(); }\n'
    )
    return root


def compile_in(build: Path, root: Path, venv: Path, cache: Path, *more: str) -> None:
    """Compile as ninja does: in the folder of the build, by paths from the root."""
    (build / "made").mkdir(parents=True)
    words = f"-g1 -I{root}/native -I{build}/made -MD -MT made/a.o -MF made/a.o.d -o made/a.o"
    system = ("-isystem", f"{venv}/include")
    subprocess.run(
        [LAUNCHER, "g++", *words.split(), *system, *more, "-c", f"{root}/native/a.cpp"],
        cwd=build,
        env=dict(os.environ, CCACHE_DIR=str(cache)),
        check=True,
    )


def hits(cache: Path) -> tuple[int, int]:
    """How often a compilation was found and not found."""
    shown = subprocess.run(
        ["ccache", "--print-stats"],
        env=dict(os.environ, CCACHE_DIR=str(cache)),
        capture_output=True,
        text=True,
        check=True,
    )
    counts = dict(line.split() for line in shown.stdout.splitlines())
    return int(counts["direct_cache_hit"]), int(counts["cache_miss"])


@pytest.mark.parametrize("venvs", [("one/.venv", "one/.venv"), ("one/.venv", "two/x/.venv")])
def test_another_copy_compiles_nothing(tmp_path: Path, venvs: tuple[str, str]) -> None:
    """Be it with the set-up of the first or with its own."""
    cache = tmp_path / "cache"
    own, other = (tmp_path / venv for venv in venvs)
    first, second = make_tree(tmp_path / "one", own), make_tree(tmp_path / "two/x", other)
    compile_in(tmp_path / "builds/first", first, own, cache)
    assert hits(cache) == (0, 1)
    compile_in(second / "build", second, other, cache)
    assert hits(cache) == (1, 1)
    made = [tmp_path / "builds/first/made/a.o", second / "build/made/a.o"]
    assert made[0].read_bytes() == made[1].read_bytes()
    (second / "native/parts/b.hpp").write_text("inline int b() { return 2; }\n")
    compile_in(second / "again", second, other, cache)
    assert hits(cache) == (1, 2)


def test_ninja_finds_what_was_included(tmp_path: Path) -> None:
    root, venv, build = tmp_path / "a-tree", tmp_path / "a-tree/.venv", tmp_path / "b"
    compile_in(build, make_tree(root, venv), venv, tmp_path / "cache")
    target, _, found = (build / "made/a.o.d").read_text().replace("\\\n", " ").partition(":")
    assert target == "made/a.o"
    included = {(build / name).resolve() for name in found.split()}
    sources = {root / "native/a.cpp", root / "native/parts/b.hpp", venv / "include/c.hpp"}
    assert sources <= included


def test_a_path_that_a_program_opens_is_compiled_as_it_is(tmp_path: Path) -> None:
    root, venv, build = tmp_path / "a-tree", tmp_path / "a-tree/.venv", tmp_path / "b"
    make_tree(root, venv)
    (root / "native/a.cpp").write_text(
        "extern const char* const place;\nconst char* const place = PLACE;\n"
    )
    compile_in(build, root, venv, tmp_path / "cache", f'-DPLACE="{build}/lib.so"')
    assert f"{build}/lib.so".encode() in (build / "made/a.o").read_bytes()
