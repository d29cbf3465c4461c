"""The native tests, built as a user's machine builds programs: one report covers all tests."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TOOLS = Path(sys.prefix) / "bin"
BUILD = ROOT / "build" / "native-tests"
# For any processor of the kind, compiled in half the time; with the vectors of AVX-512, which most
# do not have, so that these are tested everywhere.
N_LANES = 8
PLAIN_FLAGS = f"-O1 -DHEOROT_LANES={N_LANES}"
if platform.machine() == "x86_64":
    PLAIN_FLAGS += " -march=x86-64"


def call(*argv: str | os.PathLike[str], timeout_seconds: float) -> subprocess.CompletedProcess[str]:
    """Run a build tool of our own environment."""
    environment = dict(os.environ, LC_ALL="C", CTEST_OUTPUT_ON_FAILURE="1")
    environment["PATH"] = f"{TOOLS}:{environment['PATH']}"
    return subprocess.run(
        [os.fspath(word) for word in argv],
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout_seconds,
        check=False,
    )


def must(done: subprocess.CompletedProcess[str]) -> str:
    """Return what a command said, or fail with it."""
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-8000:]
    return said


def build(folder: Path, *options: str, targets: Sequence[str] = ("all",)) -> None:
    """Configure and build the native sources in a folder of their own."""
    cmake = TOOLS / "cmake"
    ninja = f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}"
    places = ("-S", ROOT / "native", "-B", folder, "-G", "Ninja")
    must(call(cmake, *places, ninja, *options, timeout_seconds=120))
    must(call(cmake, "--build", folder, "--target", *targets, timeout_seconds=600))


def options_of(mpi: str) -> list[str]:
    """How the native tests are configured with or without MPI."""
    options = ["-DHEOROT_TESTS=ON", "-DHEOROT_SANITIZE=OFF"]
    if mpi == "with_mpi":
        options += ["-DHEOROT_WITH_MPI=ON", f"-DMPI_CXX_COMPILER={TOOLS / 'mpicxx'}"]
    else:
        # What differs without MPI is in the harness; above, kernels are as fast as they get.
        options += ["-DHEOROT_WITH_MPI=OFF", f"-DHEOROT_FLAGS={PLAIN_FLAGS}"]
    if os.environ.get("CI"):  # a user's compiler may be newer, and know warnings that we do not
        options += ["-DHEOROT_WERROR=ON"]
    return options


@pytest.mark.slow
@pytest.mark.parametrize("mpi", ["with_mpi", "without_mpi"])
def test_native_tests_pass(mpi: str) -> None:
    folder = BUILD / mpi
    build(folder, *options_of(mpi), "-DHEOROT_BENCHMARKS=OFF")
    said = must(
        call(TOOLS / "ctest", "--test-dir", folder, "--no-tests=error", "-j2", timeout_seconds=600)
    )
    assert "100% tests passed" in said
