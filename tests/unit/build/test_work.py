"""The commands of a build run here or elsewhere, with the same evaluation of their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.build.programs import build
from heorot.build.work import Ended, Work, carry_out_here, find_tool
from heorot.errors import SetupError
from tests.toolchains import with_fortran
from tests.unit.build.conftest import GNU, STREAM


@pytest.mark.slow
def test_a_build_may_be_carried_out_elsewhere(small: Path, tmp_path: Path) -> None:
    asked: list[Work] = []

    def elsewhere(work: Work) -> Ended:
        asked.append(work)
        return carry_out_here(work)

    built = build(small, GNU, [STREAM], tmp_path / "b", carry_out=elsewhere)
    assert set(built.programs) == {STREAM}
    assert [work.names for work in asked] == [(STREAM,)]
    assert asked[0].stages == ("build",)  # it is configured by now
    build(small, GNU, [STREAM], tmp_path / "b", carry_out=elsewhere)
    assert len(asked) == 1


@pytest.mark.parametrize(("code", "whole"), [(1, True), (124, False), (137, False)])
def test_what_a_killed_linker_left_is_no_program(
    small: Path, tmp_path: Path, code: int, *, whole: bool
) -> None:
    def killed(work: Work) -> Ended:
        program = work.directory / "bin" / STREAM
        program.parent.mkdir(parents=True)
        program.write_bytes(b"\x7fELF")
        return Ended("build", code)

    built = build(small, GNU, [STREAM], tmp_path / "b", carry_out=killed)
    assert (STREAM in built.programs) == whole
    assert (STREAM in built.failures) == (not whole)


@pytest.mark.parametrize(
    ("fortran", "word"),
    [
        (None, "-DHEOROT_FORTRAN=OFF"),
        (Path("/opt/a b/gfortran"), "-DCMAKE_Fortran_COMPILER=/opt/a b/gfortran"),
    ],
)
def test_only_the_fortran_compiler_of_the_toolchain_is_used(
    tmp_path: Path, fortran: Path | None, word: str
) -> None:
    toolchain = with_fortran(GNU, fortran) if fortran else GNU
    words = Work(tmp_path, toolchain, (STREAM,), tmp_path).words("configure")
    assert [each for each in words if each.startswith("-D") and "FORTRAN" in each.upper()] == [word]


def test_a_fortran_compiler_that_did_not_work_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "build.ninja").touch()
    wanted = with_fortran(GNU, "gfortran")
    assert Work(tmp_path, GNU, (STREAM,), tmp_path).stages == ("build",)
    assert Work(tmp_path, wanted, (STREAM,), tmp_path).stages == ("configure", "build")
    (tmp_path / "fortran").mkdir()
    (tmp_path / "fortran" / "found.cmake").touch()
    assert Work(tmp_path, wanted, (STREAM,), tmp_path).stages == ("build",)


def test_cmake_is_the_program_itself() -> None:
    """A node without Python cannot run the script that the wheel installs next to it."""
    for name in ("cmake", "ninja"):
        assert find_tool(name).read_bytes()[:4] == b"\x7fELF"


def test_a_tool_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SetupError, match="meson is missing"):
        find_tool("meson")
