"""A toolchain holds compilers by language and target, that of C++ first."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from heorot.model.machine.toolchain import Compiler, Toolchain
from tests.toolchains import some_compilers, with_cxx, with_fortran

GNU = Toolchain(name="gnu", compilers=some_compilers(fortran="gfortran"), mpi=None)


def test_compilers_are_found_by_language() -> None:
    assert GNU.cxx.command == Path("g++")
    assert GNU.fortran is not None
    assert GNU.fortran.command == Path("gfortran")
    assert GNU.without_compiler("fortran").fortran is None
    assert GNU.without_compiler("fortran").compiler_of("c++") == GNU.cxx


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
    assert (cxx.spoken, GNU.cxx.spoken) == ("x", "GNU 12.2.0")


@pytest.mark.parametrize(
    ("compilers", "complaint"),
    [
        (some_compilers(fortran="f")[1:], "needs one with `language: c\\+\\+`"),
        (some_compilers() * 2, "has two of one language and target"),
        ((), "needs one"),
    ],
)
def test_others_are_refused(compilers: tuple[Compiler, ...], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        Toolchain(name="x", compilers=compilers, mpi=None)
