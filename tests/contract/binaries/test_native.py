"""The native tests, built as a user's machine builds programs: one report covers all tests."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from tests import builds
from tests.ledger.native import ROOT, Build
from tests.ledger.sanitized import native_tests_in


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
    """Return the output of a command, or fail with it."""
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


@pytest.mark.slow
def test_what_sanitizers_leave_out_is_known_by_all_that_it_is_made_of() -> None:
    build = Build(builds.native_tests(mpi=True), builds.TOOLS)
    shown = call(
        builds.TOOLS / "ctest",
        "--show-only=json-v1",
        f"--test-dir={build.folder}",
        timeout_seconds=60,
    )
    every = {one["name"] for one in json.loads(must(shown))["tests"]}
    known = {run for runs in native_tests_in(build).values() for run in runs}
    assert known == every
    commands, sources = build.made_of("bin/memory/latency")
    parts = {"benchmarks/memory/latency/latency.cpp", "benchmarks/memory/chains/cycle.cpp"}
    parts |= {"numerics/random.cpp", "harness/program.cpp"}
    assert {ROOT / "native" / part for part in parts} <= sources
    assert len(commands) == len(sources)
    assert not any(str(ROOT) in command for command in commands)
