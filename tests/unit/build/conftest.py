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
