"""Toolchains that differ from another one in a single thing: its flags, or the BLAS beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from heorot.model.machine.machine import Machine
from heorot.model.machine.software import BlasInstall
from heorot.model.machine.toolchain import Toolchain

# Instead of a toolchain's own flags; {processor} is what of these names the processor.
_FLAGS = {
    "O0": "-O0",
    "O2": "-O2 {processor}",
    "O3": "-O3",
    "Ofast": "-Ofast {processor}",
}
_OPTIMISATION = re.compile(r"-O\S*\s*")


def vary(toolchains: Sequence[Toolchain], machine: Machine) -> Iterator[Toolchain]:
    """The first toolchain of each compiler with other flags, and the very first with each BLAS.

    Args:
        toolchains: those found, the default first.
        machine: where they were found.
    """
    first_of = {toolchain.cxx: toolchain for toolchain in reversed(toolchains)}
    for toolchain in toolchains:
        if first_of[toolchain.cxx] is toolchain:
            yield from _with_other_flags(toolchain)
    for install in machine.blases if toolchains else ():
        yield _with_blas(toolchains[0], install)


def _with_other_flags(toolchain: Toolchain) -> Iterator[Toolchain]:
    processor = _OPTIMISATION.sub("", toolchain.flags)
    for name, template in _FLAGS.items():
        flags = template.format(processor=processor).strip()
        if flags != toolchain.flags:
            update = {"name": f"{toolchain.name}+{name}", "flags": flags}
            yield toolchain.model_copy(update=update)


def _with_blas(toolchain: Toolchain, install: BlasInstall) -> Toolchain:
    name = "-".join(filter(None, (install.name.lower(), install.version)))
    update = {
        "name": f"{toolchain.name}+{name}",
        "blas": f"{install.name} {install.version}".strip(),
        "blas_library": install.library,
    }
    return toolchain.model_copy(update=update)
