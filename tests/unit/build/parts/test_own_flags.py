"""Flags of single programs reach all parts of these programs unchanged."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from heorot.build.programs import Built, build
from tests.unit.build.conftest import GNU, PEAK, STREAM

pytestmark = pytest.mark.slow

KERNEL = """\
int {name}();
int {needs}();
int {name}() {{ return LEVEL + 10 * {needs}(); }}
"""
PROGRAM = """\
#include <cstdio>
#include "harness/record/own_flags.hpp"
int kernel();
int main() {{ std::printf("%d%s|%s", kernel(), heorot::own_flags(), heorot::own_fortran_flags()); }}
"""


@pytest.fixture
def parts(small: Path) -> Path:
    """The small sources with a kernel in a library that needs another one, below the harness."""
    for name in (STREAM, PEAK):
        (small / f"benchmarks/{name}.cpp").write_text(PROGRAM.format())
    (small / "harness/record").mkdir()
    own = Path(__file__).resolve().parents[4] / "native/harness/record/own_flags"
    for suffix in (".cpp", ".hpp"):
        (small / f"harness/record/own_flags{suffix}").write_text(
            own.with_suffix(suffix).read_text()
        )
    (small / "kernel.cpp").write_text(KERNEL.format(name="kernel", needs="deep"))
    (small / "deep.cpp").write_text("int deep();\nint deep() { return LEVEL; }\n")
    lists = (small / "CMakeLists.txt").read_text()
    libraries = (
        "target_sources(harness PRIVATE harness/record/own_flags.cpp)\n"
        "target_include_directories(harness PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
        "add_library(numerics STATIC deep.cpp)\n"
        "target_link_libraries(numerics PUBLIC harness PRIVATE ${CMAKE_DL_LIBS})\n"
        "add_library(parts STATIC kernel.cpp)\n"
        "target_link_libraries(parts PUBLIC numerics)\nforeach"
    )
    (small / "CMakeLists.txt").write_text(lists.replace("foreach", libraries, 1))
    for family, program in (("memory", "stream"), ("compute", "peak")):
        (small / f"benchmarks/{family}/CMakeLists.txt").write_text(
            f"add_benchmark({family}/{program} SOURCES {program}.cpp NUMERICS parts)\n"
        )
    return small


def said(built: Built, name: str) -> str:
    assert built.failures == {}
    return subprocess.run(built.programs[name], check=True, capture_output=True, text=True).stdout


def test_kernels_in_libraries_get_them_too(parts: Path, tmp_path: Path) -> None:
    chain = GNU.with_flags("-O0 -DLEVEL=1").model_copy(
        update={"program_flags": {"memory/stream": "-ULEVEL -DLEVEL=2"}}
    )
    built = build(parts, chain, (STREAM, PEAK), tmp_path / "b")
    assert said(built, STREAM) == "22 -ULEVEL -DLEVEL=2| "
    assert said(built, PEAK) == "11|"


def test_those_of_a_program_come_after_those_of_its_family(parts: Path, tmp_path: Path) -> None:
    own = {"memory/stream": "-ULEVEL -DLEVEL=3", "memory/*": "-ULEVEL -DLEVEL=2"}
    chain = GNU.with_flags("-O0 -DLEVEL=1").model_copy(update={"program_flags": own})
    built = build(parts, chain, (STREAM,), tmp_path / "b")
    assert said(built, STREAM) == f"33{chain.flags_of(STREAM).removeprefix(chain.cxx.flags)}| "


def test_words_that_come_twice_are_said_twice(parts: Path, tmp_path: Path) -> None:
    words = "--param max-unroll-times=2 --param max-peeled-insns=7 '-DLEVEL=(2>1)'"
    chain = GNU.model_copy(update={"program_flags": {"memory/*": words}})
    built = build(parts, chain, (STREAM,), tmp_path / "b")
    assert said(built, STREAM) == f"11 {words}| "
