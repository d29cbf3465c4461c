"""Toolchains made of others: with other flags, another BLAS or another Fortran compiler."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from heorot.model.machine.machine import Machine
from heorot.model.machine.software import BlasInstall
from heorot.model.machine.toolchain import Toolchain

_LEVELS = ("O0", "O2", "O3", "Ofast")
# Words of flags by which compilers optimise, and are told of a processor.
_TUNING = re.compile(r"(?<!\S)-(?:O\S*|m(?:arch|cpu|tune)=\S+|x[A-Zh]\S+|tp[= ]\S+)(?!\S)")


def vary(toolchains: Sequence[Toolchain], machine: Machine) -> Iterator[Toolchain]:
    """The first toolchain of each compiler at other levels, the very first with other libraries.

    Args:
        toolchains: those found, the default first.
        machine: where they were found.
    """
    first_of = {toolchain.cxx: toolchain for toolchain in reversed(toolchains)}
    for toolchain in toolchains:
        if first_of[toolchain.cxx] is toolchain:
            yield from _at_other_levels(toolchain)
    for toolchain in toolchains[:1]:
        for install in machine.blases:
            yield _with_blas(toolchain, install)
        yield from _with_fortran(toolchain, machine)


def _at_other_levels(toolchain: Toolchain) -> Iterator[Toolchain]:
    """With nothing but a level in the place of what optimises: names say what flags are."""
    others = _TUNING.sub("", toolchain.flags).split()
    for level in _LEVELS:
        flags = " ".join((f"-{level}", *others))
        if flags != toolchain.flags:
            update = {"name": f"{toolchain.name}+{level}", "flags": flags}
            yield toolchain.model_copy(update=update)


def _with_fortran(toolchain: Toolchain, machine: Machine) -> Iterator[Toolchain]:
    """With every other Fortran compiler of the machine, for programs with kernels in Fortran."""
    found = (each for one in machine.compilers for each in one.fortrans)
    for fortran in dict.fromkeys(found):
        if fortran != toolchain.fortran:
            update = {"name": f"{toolchain.name}+{fortran.name}", "fortran": fortran}
            yield toolchain.model_copy(update=update)


def _with_blas(toolchain: Toolchain, install: BlasInstall) -> Toolchain:
    name = "-".join(filter(None, (install.name.lower(), install.version)))
    update = {
        "name": f"{toolchain.name}+{name}",
        "blas": f"{install.name} {install.version}".strip(),
        "blas_library": install.library,
    }
    return toolchain.model_copy(update=update)
