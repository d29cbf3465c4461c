"""Variants of toolchains: with other flags, another BLAS or another Fortran compiler."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from heorot.model.machine.machine import Machine
from heorot.model.machine.software import BlasInstall
from heorot.model.machine.toolchain import Compiler, Toolchain

_LEVELS = ("O0", "O2", "O3", "Ofast")
# Flags that optimise or select a processor.
_TUNING = re.compile(r"(?<!\S)-(?:O\S*|m(?:arch|cpu|tune)=\S+|x[A-Zh]\S+|tp[= ]\S+)(?!\S)")


def vary(toolchains: Sequence[Toolchain], machine: Machine) -> Iterator[Toolchain]:
    """First toolchain of each compiler at other levels; the default with other libraries, too."""
    first_of = {toolchain.cxx.command: toolchain for toolchain in reversed(toolchains)}
    for toolchain in toolchains:
        if first_of[toolchain.cxx.command] is toolchain:
            yield from _at_other_levels(toolchain)
    for toolchain in toolchains[:1]:
        for install in machine.blases:
            yield _with_blas(toolchain, install)
        yield from _with_fortran(toolchain, machine)


def _at_other_levels(toolchain: Toolchain) -> Iterator[Toolchain]:
    """The toolchain at other optimisation levels, without other flags; names state the level."""
    others = _TUNING.sub("", toolchain.cxx.flags).split()
    for level in _LEVELS:
        flags = " ".join((f"-{level}", *others))
        if flags != toolchain.cxx.flags:
            name = f"{toolchain.name}+{level}"
            yield toolchain.with_flags(flags).model_copy(update={"name": name})


def _with_fortran(toolchain: Toolchain, machine: Machine) -> Iterator[Toolchain]:
    """The toolchain with each other Fortran compiler, for programs with kernels in Fortran."""
    found = (each for one in machine.compilers for each in one.fortrans)
    own = toolchain.fortran.command if toolchain.fortran else None
    for command in dict.fromkeys(found):
        if command != own:
            other = toolchain.with_compiler(Compiler(language="fortran", command=command))
            yield other.model_copy(update={"name": f"{toolchain.name}+{command.name}"})


def _with_blas(toolchain: Toolchain, install: BlasInstall) -> Toolchain:
    name = "-".join(filter(None, (install.name.lower(), install.version)))
    update = {
        "name": f"{toolchain.name}+{name}",
        "blas": f"{install.name} {install.version}".strip(),
        "blas_library": install.library,
    }
    return toolchain.model_copy(update=update)
