"""The native tests, built as a user's machine builds programs: one report covers all tests."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests import builds


def call(*argv: str | os.PathLike[str], timeout_seconds: float) -> subprocess.CompletedProcess[str]:
    """Run a build tool of our own environment."""
    environment = dict(os.environ, LC_ALL="C", CTEST_OUTPUT_ON_FAILURE="1")
    environment["PATH"] = f"{builds.TOOLS}:{environment['PATH']}"
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


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("mpi", [True, False], ids=["with_mpi", "without_mpi"])
def test_native_tests_pass(*, mpi: bool) -> None:
    folder = builds.native_tests(mpi=mpi)
    tests = (builds.TOOLS / "ctest", "--test-dir", folder, "--no-tests=error", "-j2")
    said = must(call(*tests, timeout_seconds=600))
    assert "100% tests passed" in said
