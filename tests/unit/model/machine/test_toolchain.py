"""A toolchain holds compilers by language and target, that of C++ first."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from heorot.model.machine.toolchain import FORTRAN, Compiler, Toolchain, word_compiler
from tests.toolchains import some_compilers, with_cxx, with_fortran

GNU = Toolchain(name="gnu", compilers=some_compilers(fortran="gfortran"), mpi=None)


def test_compilers_are_found_by_language() -> None:
    assert GNU.cxx.command == Path("g++")
    assert GNU.fortran is not None
    assert GNU.fortran.command == Path("gfortran")
    assert GNU.with_only().fortran is None
    assert GNU.with_only().compiler_of("c++") == GNU.cxx
    assert GNU.with_only([FORTRAN]) == GNU


def test_a_compiler_for_devices_is_another_than_that_for_the_host() -> None:
    device = Compiler(language="c++", target="device", command=Path("nvcc"))
    both = GNU.with_compiler(device)
    assert (both.cxx, both.device, GNU.device) == (GNU.cxx, device, None)
    assert device.flags == "-O3"
    assert both.with_only([device.kind]) == GNU.with_only().with_compiler(device)
    assert both.build != GNU.build
    words = [word_compiler(each.kind) for each in both.compilers]
    assert words == ["C++ compiler", "Fortran compiler", "C++ compiler for devices"]


def test_one_takes_the_place_of_that_of_its_language() -> None:
    assert [each.command.name for each in with_cxx(GNU, "clang++").compilers] == [
        "clang++",
        "gfortran",
    ]
    assert [each.command.name for each in with_fortran(GNU, "flang").compilers] == ["g++", "flang"]
    other = GNU.with_flags("-O0")
    assert (other.cxx.flags, other.fortran) == ("-O0", GNU.fortran)


def test_only_of_cxx_flags_are_known_by_themselves() -> None:
    cxx, fortran = (
        Compiler.model_validate({"language": language, "command": "x"})
        for language in ("c++", "fortran")
    )
    assert (cxx.flags, fortran.flags) == ("-O3 -march=native", "")
    assert (cxx.display_name, GNU.cxx.display_name) == ("x", "GNU 12.2.0")


@pytest.mark.parametrize(
    ("compilers", "complaint"),
    [
        (some_compilers(fortran="f")[1:], "needs one with `language: c\\+\\+`"),
        (some_compilers() * 2, "has two of one language and target"),
        ((), "needs one"),
        (
            (*some_compilers(), Compiler(language="fortran", target="device", command=Path("f"))),
            "has one of Fortran for devices",
        ),
    ],
)
def test_others_are_refused(compilers: tuple[Compiler, ...], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        Toolchain(name="x", compilers=compilers, mpi=None)
