"""Copies of a tree share what ccache keeps, wherever they lie and are built."""

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


def make_tree(root: Path) -> Path:
    """A tree with a source that includes a header of its own."""
    (root / "native/parts").mkdir(parents=True)
    (root / "native/parts/b.hpp").write_text("inline int b() { return 1; }\n")
    (root / "native/a.cpp").write_text('#include "parts/b.hpp"\nint a() { return b(); }\n')
    return root


def compile_in(build: Path, root: Path, cache: Path) -> None:
    """Compile as ninja does: in the folder of the build, by paths from the root."""
    (build / "made").mkdir(parents=True)
    words = f"-g1 -I{root}/native -I{build}/made -MD -MT made/a.o -MF made/a.o.d -o made/a.o"
    subprocess.run(
        [LAUNCHER, "g++", *words.split(), "-c", f"{root}/native/a.cpp"],
        cwd=build,
        env=dict(os.environ, CCACHE_DIR=str(cache)),
        check=True,
    )


def hits(cache: Path) -> tuple[int, int]:
    """How often a compilation was found and not found."""
    told = subprocess.run(
        ["ccache", "--print-stats"],
        env=dict(os.environ, CCACHE_DIR=str(cache)),
        capture_output=True,
        text=True,
        check=True,
    )
    counts = dict(line.split() for line in told.stdout.splitlines())
    return int(counts["direct_cache_hit"]), int(counts["cache_miss"])


def test_another_copy_compiles_nothing(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first, second = make_tree(tmp_path / "first"), make_tree(tmp_path / "deep/er/second")
    compile_in(tmp_path / "builds/first", first, cache)
    assert hits(cache) == (0, 1)
    compile_in(second / "build", second, cache)
    assert hits(cache) == (1, 1)
    made = [tmp_path / "builds/first/made/a.o", second / "build/made/a.o"]
    assert made[0].read_bytes() == made[1].read_bytes()
    (second / "native/parts/b.hpp").write_text("inline int b() { return 2; }\n")
    compile_in(second / "again", second, cache)
    assert hits(cache) == (1, 2)


def test_ninja_finds_what_was_included(tmp_path: Path) -> None:
    root = make_tree(tmp_path / "a tree")
    build = tmp_path / "b"
    (build / "made").mkdir(parents=True)
    words = "-MD -MT made/a.o -MF made/a.o.d -o made/a.o"
    subprocess.run(
        [LAUNCHER, "g++", f"-I{root}/native", *words.split(), "-c", f"{root}/native/a.cpp"],
        cwd=build,
        env=dict(os.environ, CCACHE_DIR=str(tmp_path / "cache")),
        check=True,
    )
    target, _, found = (build / "made/a.o.d").read_text().replace("\\\n", " ").partition(":")
    assert target == "made/a.o"
    included = {(build / name).resolve() for name in found.split()}
    assert {root / "native/a.cpp", root / "native/parts/b.hpp"} <= included
