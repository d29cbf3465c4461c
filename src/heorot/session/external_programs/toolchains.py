"""Toolchains for third-party programs, and reasons where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from heorot.model.machine.toolchain import Toolchain
from heorot.model.recipe import Recipe

_INSTALLED, _PREBUILT = "installed", "prebuilt"
_NOT_OURS = {_INSTALLED, _PREBUILT}
_MPI_PACKAGES = {"openmpi": "openmpi-bin", "mpich": "mpich", "intel": "intel-oneapi-mpi"}
_MPI_NAMES = {"openmpi": "Open MPI", "mpich": "MPICH", "intel": "Intel MPI"}


def toolchains_for(
    recipe: Recipe, chosen: Sequence[Toolchain], every: Sequence[Toolchain], *, has_source: bool
) -> tuple[tuple[Toolchain, ...], str]:
    """Toolchains to build or run a third-party program, and a reason if there is none."""
    missing = _missing(recipe, has_source=has_source)
    if missing:
        return (), missing
    origin = _INSTALLED if recipe.installed else "" if recipe.build else _PREBUILT
    if recipe.mpi == "none":
        bases = chosen[:1] if origin else chosen
        return tuple(_named(base, origin, mpi=False) for base in bases), ""
    if recipe.mpi == "toolchain":
        return tuple(_named(base, origin, mpi=True) for base in chosen), ""
    own = [base for base in every if base.mpi and base.mpi.flavour == recipe.mpi]
    own = [base for base in own if base.origin != "embedded"]
    if not own:
        package = _MPI_PACKAGES[recipe.mpi]
        return (), f"there is no installed {_MPI_NAMES[recipe.mpi]}: apt-get install {package}"
    return (_named(own[0], origin, mpi=True),), ""


def _missing(recipe: Recipe, *, has_source: bool) -> str:
    """Why there is no program: neither sources nor an installed one; or empty."""
    option = f"--source {recipe.name}=DIR"
    if recipe.installed is None:
        how = f"; {recipe.obtain}" if recipe.obtain else ""
        why = f"its sources are not given: {option} (they are: {recipe.source}){how}"
        return "" if has_source else why
    command, package = recipe.installed.command, recipe.installed.package
    if has_source:
        return f"its recipe builds nothing: leave {option} out, and have {command} on PATH"
    how = f"apt-get install {package}" if package else recipe.obtain
    why = f"{command} is not installed{f': {how}' if how else ''}"
    return "" if shutil.which(command) else why


def _named(base: Toolchain, origin: str, *, mpi: bool) -> Toolchain:
    """The toolchain itself, or a substitute with its MPI where nothing is compiled."""
    if not origin:
        return base
    name = origin
    if mpi and base.mpi:
        name += f"+{base.mpi.flavour}-{base.mpi.version}"
    update = {"name": name, "compiler": f"{origin}: not known", "flags": "", "blas": "unknown"}
    return base.model_copy(update=update if mpi else {**update, "mpi": None})


def compiles(chain: Toolchain) -> bool:
    """Whether a toolchain compiles, or only stands for installed software."""
    return chain.name.partition("+")[0] not in _NOT_OURS
