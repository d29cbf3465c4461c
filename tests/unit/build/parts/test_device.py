"""Kernels for devices are built by a compiler of their own, and only if there is one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from heorot.build.programs import Built, build, build_directory
from heorot.build.sources import native_directory
from heorot.build.toolchains import distinct
from heorot.errors import BuildError
from heorot.model.machine.toolchain import Compiler, Toolchain
from tests.unit.build.conftest import GNU, PEAK, STREAM

pytestmark = pytest.mark.slow

PROGRAM = """\
#include <cstdio>
#include "harness/record/device_compiler.hpp"
extern "C" int kernel();
int main() { std::printf("%d %s", kernel(), heorot::device_compiler.data()); }
"""
KERNEL = """\
#include "benchmarks/compute/answer.hpp"
extern "C" int kernel() { return ON_DEVICE + answer; }
"""
# In place of a compiler for devices: knows a macro that the host's does not.
COMPILER = """\
#!/bin/sh
[ "$1" != --version ] || { echo "device compiler 1.0"; exit; }
exec g++ -DON_DEVICE=2 "$@"
"""


@pytest.fixture
def device(tmp_path: Path) -> Compiler:
    """A compiler for devices."""
    command = tmp_path / "some tools" / "devcc"
    command.parent.mkdir()
    command.write_text(COMPILER)
    command.chmod(0o755)
    return Compiler(language="c++", target="device", command=command, flags="-O1 -DTWO='1 + 1'")


@pytest.fixture
def sources(small: Path) -> Path:
    """The small sources, in which one program has a kernel for devices."""
    folder = small / "benchmarks/compute"
    (folder / "peak.cpp").write_text(PROGRAM)
    (folder / "kernel.cpp").write_text(KERNEL)
    (folder / "answer.hpp").write_text("constexpr int answer = 20 * (TWO);\n")
    named = Path("harness/record/device_compiler.hpp.in")
    (small / named).parent.mkdir()
    (small / named).write_text((native_directory() / named).read_text())
    text = f"add_benchmark({PEAK} SOURCES peak.cpp DEVICE kernel.cpp)\n"
    (folder / "CMakeLists.txt").write_text(text)
    return small


def made(sources: Path, toolchain: Toolchain, folder: Path) -> Built:
    return build(sources, toolchain, (STREAM, PEAK), folder / "b")


def said(built: Built) -> str:
    return subprocess.run(built.programs[PEAK], check=True, capture_output=True, text=True).stdout


def test_the_compiler_for_devices_makes_the_kernels(
    sources: Path, device: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = made(sources, GNU.with_compiler(device), tmp_path)
    assert built.failures == {}
    monkeypatch.chdir("/")  # its kernels are found from anywhere
    assert said(built) == f"42 {device.command} {device.flags}"
    # What has changed is made anew, headers of kernels included.
    (sources / "benchmarks/compute/answer.hpp").write_text("constexpr int answer = 5 * (TWO);\n")
    (tmp_path / "b/stamps/compute_peak").unlink()
    assert said(made(sources, GNU.with_compiler(device), tmp_path)).startswith("12 ")


def test_kernels_that_do_not_compile_fail_their_program_alone(
    sources: Path, device: Compiler, tmp_path: Path
) -> None:
    (sources / "benchmarks/compute/kernel.cpp").write_text("#error no such device\n")
    built = made(sources, GNU.with_compiler(device), tmp_path)
    assert set(built.programs) == {STREAM}
    assert "kernel.cpp" in built.failures[PEAK]
    assert "error" in built.failures[PEAK]
    assert "no such device" in built.failures[PEAK]


def test_nvidias_compiler_is_told_in_its_own_words(
    sources: Path, device: Compiler, tmp_path: Path
) -> None:
    nvcc = device.command.with_name("nvcc")
    nvcc.write_text(
        '#!/bin/sh\nfor word; do [ "$word" != -fPIC ] || exit 9; done\n'
        'for word; do shift; set -- "$@" "${word#-Xcompiler=}"; done\n'
        'exec g++ -DON_DEVICE=3 "$@"\n'
    )
    nvcc.chmod(0o755)
    chain = GNU.with_compiler(device.model_copy(update={"command": nvcc}))
    assert said(made(sources, chain, tmp_path)).startswith("43 ")


def test_without_such_a_compiler_other_programs_are_built(sources: Path, tmp_path: Path) -> None:
    built = build(sources, GNU, (STREAM,), tmp_path / "b")
    assert set(built.programs) == {STREAM}
    assert PEAK.replace("/", "_") not in (tmp_path / "b/build.ninja").read_text()


def test_a_compiler_that_is_not_there_is_named(
    sources: Path, device: Compiler, tmp_path: Path
) -> None:
    gone = GNU.with_compiler(device.model_copy(update={"command": Path("devcc")}))
    with pytest.raises(BuildError, match="there is no compiler devcc"):
        made(sources, gone, tmp_path)
    # It is looked for where the toolchain's modules have it.
    path = {"PATH": f"{device.command.parent}:/usr/bin:/bin"}
    found = gone.model_copy(update={"environment": path})
    assert said(made(sources, found, tmp_path)).startswith("42 devcc ")


def test_it_shapes_the_build_and_matters_to_programs_with_such_kernels(
    device: Compiler, tmp_path: Path
) -> None:
    both = GNU.with_compiler(device)
    places = {build_directory(tmp_path, each, "d", "p") for each in (GNU, both)}
    assert len(places) == 2
    assert distinct((GNU, both)) == (GNU,)
    assert distinct((GNU, both), compilers=[device.kind]) == (GNU, both)
