"""Compilers of invented toolchains."""

from __future__ import annotations

from pathlib import Path

from heorot.model.machine.toolchain import Compiler, Toolchain

FLAGS = "-O3 -march=native"


def some_compilers(
    command: str = "g++", version: str = "GNU 12.2.0", flags: str = FLAGS, fortran: str = ""
) -> tuple[Compiler, ...]:
    """A compiler of C++, and one of Fortran if it is named."""
    cxx = Compiler(language="c++", command=Path(command), version=version, flags=flags)
    return (cxx, *(Compiler(language="fortran", command=Path(one)) for one in [fortran] if one))


def with_fortran(toolchain: Toolchain, command: str | Path) -> Toolchain:
    """A toolchain with a compiler of Fortran."""
    return toolchain.with_compiler(Compiler(language="fortran", command=Path(command)))


def with_cxx(toolchain: Toolchain, command: str | Path) -> Toolchain:
    """A toolchain with another command for C++."""
    cxx = toolchain.cxx.model_copy(update={"command": Path(command)})
    return toolchain.with_compiler(cxx)
