"""Tests find the builds that are there, and make none where all of them should be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.build.work import target_of
from heorot.model.machine.machine import Machine, Node, Processor
from heorot.model.machine.toolchain import Toolchain
from tests import builds
from tests.builds import Release
from tests.toolchains import some_compilers

_NAMES = ("memory/stream", "npb/lu")


@pytest.fixture
def described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    """A release of which nothing is there, and may not be built."""
    machine = Machine(hostname="h", nodes=(Node(names=("h",), processor=Processor(isa="x86_64")),))
    toolchain = Toolchain(name="gnu", compilers=some_compilers("/usr/bin/g++", "GNU"), mpi=None)
    wanted = Release(machine, toolchain, tmp_path)
    monkeypatch.setattr(builds, "_describe_release", lambda: wanted)
    monkeypatch.setattr(builds, "_COUNTED_BUILD", tmp_path)
    monkeypatch.setattr(builds, "_NATIVE_BUILD", tmp_path)
    monkeypatch.setenv("HEOROT_TESTS_BUILT", "1")
    return wanted


def make(directory: Path, *names: str) -> None:
    """Write the files of a build."""
    for name in names:
        for file in (directory / "bin" / name, directory / "stamps" / target_of(name)):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()


@pytest.mark.usefixtures("described")
@pytest.mark.parametrize("name", ["release", "native-tests", "counted"])
def test_a_build_that_should_be_there_is_not_made(name: str) -> None:
    asked: dict[str, Callable[[], object]] = {
        "release": builds.release,
        "native-tests": lambda: builds.native_tests(mpi=True),
        "counted": lambda: builds.counted_programs("npb"),
    }
    with pytest.raises(AssertionError) as caught:
        asked[name]()
    assert str(caught.value) == (
        f"the build {name} is missing or of other sources: python -m tests.builds {name}"
    )


def test_programs_that_are_there_are_found(described: Release) -> None:
    make(described.directory, *_NAMES)
    found = builds.release(_NAMES)
    assert found.paths["npb/lu"] == described.directory / "bin/npb/lu"
    with pytest.raises(AssertionError, match="the build release is missing"):
        builds.release((*_NAMES, "npb/ep"))


def test_a_build_of_other_sources_is_not_used(
    described: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = described.directory / "tests-stamp"
    monkeypatch.setattr(builds, "_native_options", lambda: ("-DHEOROT_TESTS=ON",))
    monkeypatch.setattr(builds, "_digest", lambda: "new")
    stamp.write_text("new ('-DHEOROT_TESTS=ON',)")
    assert builds.native_tests(mpi=True) == described.directory
    stamp.write_text("old ('-DHEOROT_TESTS=ON',)")
    with pytest.raises(AssertionError, match="the build native-tests is missing"):
        builds.native_tests(mpi=True)
