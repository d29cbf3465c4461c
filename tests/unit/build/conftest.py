"""Native sources that compile in a moment, and a toolchain for them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from heorot.build.sources import native_directory
from heorot.model.machine.toolchain import Toolchain
from tests.toolchains import some_compilers

STREAM, PINGPONG, PEAK = "memory/stream", "messages/pingpong", "compute/peak"
GNU = Toolchain(name="gnu", compilers=some_compilers("/usr/bin/g++", "GNU", "-O0"), mpi=None)
PROGRAM = """\
#include <cstdio>
int main() {{ std::puts("{name}"); }}
"""

# Prints whether it was built with MPI, whose library it is linked with.
_OF_MPI = """\
#include <cstdio>
#if HEOROT_WITH_MPI
#include <mpi.h>
int main() {
    int is_started = 1;
    std::printf(MPI_Initialized(&is_started) == MPI_SUCCESS && !is_started ? "with MPI" : "?");
}
#else
int main() { std::printf("alone"); }
#endif
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Native sources that compile in a moment: our CMake files, tiny programs, a tiny harness."""
    native = tmp_path / "native"
    for name in (STREAM, PINGPONG, PEAK):
        source = native / "benchmarks" / f"{name}.cpp"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(PROGRAM.format(name=name))
        with (source.parent / "CMakeLists.txt").open("a") as lists:
            lists.write(f"add_benchmark({name} SOURCES {source.name})\n")
    shutil.copytree(native_directory() / "cmake", native / "cmake")
    (native / "harness").mkdir()
    (native / "harness" / "harness.cpp").write_text("void nothing() {}\n")
    (native / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\n"
        "project(small CXX)\n"
        'list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_SOURCE_DIR}/cmake")\n'
        "include(HeorotOptions)\n"
        "include(HeorotFlags)\n"
        "include(HeorotMpi)\n"
        "include(AddBenchmark)\n"
        "add_library(harness STATIC harness/harness.cpp)\n"
        "foreach(family IN ITEMS compute memory messages)\n"
        "    add_subdirectory(benchmarks/${family})\n"
        "endforeach()\n"
    )
    return native


def use_mpi(small: Path) -> None:
    """Let the small programs link MPI where there is one; STREAM prints whether there is."""
    lists = small / "CMakeLists.txt"
    linked = (
        "add_library(harness STATIC harness/harness.cpp)\n"
        "if(HEOROT_WITH_MPI)\n    target_link_libraries(harness PUBLIC MPI::MPI_CXX)\nendif()\n"
        "target_compile_definitions(harness PUBLIC HEOROT_WITH_MPI=$<BOOL:${HEOROT_WITH_MPI}>)\n"
    )
    text = lists.read_text()
    assert linked.partition("\n")[0] in text
    lists.write_text(text.replace(linked.partition("\n")[0] + "\n", linked))
    (small / "benchmarks/memory/stream.cpp").write_text(_OF_MPI)
