"""Composes toolchains from the compilers and MPIs found, or from the site's own list."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib import metadata
from itertools import chain, count

from heorot import process
from heorot.build.packages import compiler_command
from heorot.errors import SetupError, UsageError
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site
from heorot.model.machine.software import CompilerInstall, MpiInstall
from heorot.model.machine.toolchain import Compiler, CompilerKind, Mpi, Toolchain
from heorot.suggestion import nearest

_FAMILY_NAMES = {
    "gnu": "GNU",
    "clang": "Clang",
    "intel": "Intel",
    "nvhpc": "NVHPC",
    "aocc": "AOCC",
    "arm": "Arm",
    "cray": "Cray",
}
# Optimises for the build host. The build adds the flag that keeps copy loops from becoming memcpy.
_FLAGS = {
    "gnu": "-O3 -march=native",
    "clang": "-O3 -march=native",
    "intel": "-O3 -march=native",
    "aocc": "-O3 -march=native",
    "arm": "-O3 -mcpu=native",
    "cray": "-O3 -march=native",
    "nvhpc": "-O3 -tp=native",
}
# Architectures on which GNU's compiler selects the processor by -mcpu instead of -march.
_CPU_OPTION_ISAS = frozenset({"ppc64", "ppc64le"})
_MODULE_SECONDS = 60.0
_EMBEDDED_BLAS = "libscipy_openblas.so"


def find_toolchains(machine: Machine, site: Site | None) -> tuple[Toolchain, ...]:
    """All toolchains, the default first: the site's, else each usable compiler with each MPI.

    The embedded Open MPI comes first because it yields the processor when ranks outnumber cores.
    """
    if site is not None and site.toolchains:
        return site.toolchains
    compilers = [compiler for compiler in machine.compilers if compiler.usable]
    # Without OpenMP no case with threads can run.
    compilers.sort(key=lambda compiler: compiler.openmp is False)
    mpis: list[MpiInstall | None] = [mpi for mpi in machine.mpis if mpi.mpiexec is not None]
    isa = machine.node.processor.isa
    return with_unique_names(
        [compose(compiler, mpi, isa) for compiler in compilers for mpi in mpis or [None]]
    )


def compose(
    compiler: CompilerInstall, install: MpiInstall | None, isa: str = "x86_64"
) -> Toolchain:
    """One compiler and one MPI as a toolchain.

    Args:
        install: the MPI; None for none.
        isa: instruction set by the kernel's name.
    """
    family = compiler.family
    name = f"{family}-{compiler.version.partition('.')[0]}"
    mpi = None
    if install is not None and install.mpiexec is not None:
        version = install.version or "unknown"
        name += f"+{install.flavour}-{version}"
        mpi = Mpi(
            flavour=install.flavour,
            version=version,
            cxx=install.cxx,
            mpiexec=install.mpiexec,
        )
    flags = _FLAGS.get(family, "-O3")
    if isa in _CPU_OPTION_ISAS:
        flags = flags.replace("-march=native", "-mcpu=native")
    version = f"{_FAMILY_NAMES.get(family, family)} {compiler.version}"
    cxx = Compiler(language="c++", command=compiler.cxx, version=version, flags=flags)
    fortran = [Compiler(language="fortran", command=each) for each in [compiler.fortran] if each]
    blas, library = _embedded_blas()
    return Toolchain(
        name=re.sub(r"[^A-Za-z0-9_.+-]", "-", name),  # such as `Update 4` in a version
        compilers=(cxx, *fortran),
        mpi=mpi,
        blas=blas,
        blas_library=library,
        origin="embedded" if install is not None and install.origin == "wheel" else "system",
    )


def with_unique_names(toolchains: Sequence[Toolchain]) -> tuple[Toolchain, ...]:
    """Toolchains with unique names, which identify results: duplicates get a number."""
    unique: dict[str, Toolchain] = {}
    for toolchain in toolchains:
        numbered = (f"{toolchain.name}#{n}" for n in count(2))
        name = next(each for each in chain((toolchain.name,), numbered) if each not in unique)
        unique[name] = toolchain.model_copy(update={"name": name})
    return tuple(unique.values())


def choose(toolchains: Sequence[Toolchain], wanted: Sequence[str]) -> tuple[Toolchain, ...]:
    """The toolchains whose names match any of the patterns; the default if there are none.

    Matches of the first pattern come first: other toolchains are compared with the first one.

    Raises:
        SetupError: there is no toolchain at all.
        UsageError: a pattern matches none.
    """
    if not toolchains:
        raise SetupError(
            "no usable C++20 compiler found (g++ >= 12 or clang++ >= 15)",
            compiler_command(),
        )
    if not wanted:
        return tuple(toolchains[:1])
    names = [toolchain.name for toolchain in toolchains]
    for pattern in wanted:
        if not any(fnmatchcase(name, pattern) for name in names):
            near = nearest(pattern, names)
            hint = f"did you mean {near}?" if near else ""
            raise UsageError(
                f"no toolchain matches '{pattern}'", hint or f"there are: {', '.join(names)}"
            )
    asked = (
        toolchain
        for pattern in wanted
        for toolchain in toolchains
        if fnmatchcase(toolchain.name, pattern)
    )
    return tuple({toolchain.name: toolchain for toolchain in asked}.values())


def distinct(
    toolchains: Sequence[Toolchain], *, blas: bool = False, compilers: Collection[CompilerKind] = ()
) -> tuple[Toolchain, ...]:
    """The toolchains without those that build the same program as an earlier one.

    Args:
        toolchains: of equivalent ones the first is kept.
        blas: whether the program measures a BLAS.
        compilers: kinds of compilers that build parts of it, besides C++.
    """

    def matters(each: Toolchain) -> tuple[str, ...]:
        return (each.with_only(compilers).build, *((each.blas, each.blas_library) if blas else ()))

    first = {matters(each): each for each in reversed(toolchains)}
    return tuple(each for each in toolchains if first[matters(each)] is each)


def load_modules(toolchain: Toolchain) -> Toolchain:
    """The toolchain with the environment that its modules set, so that no step loads them again.

    Raises:
        SetupError: a module does not load.
    """
    if not toolchain.modules:
        return toolchain
    script = 'module load "$@" && exec env -0'
    loaded = process.run(
        ["bash", "-lc", script, "bash", *toolchain.modules], timeout_seconds=_MODULE_SECONDS
    )
    if not loaded.ok:
        reason = (loaded.err.strip().splitlines() or ["no reason given"])[-1]
        raise SetupError(
            f"modules of toolchain {toolchain.name} do not load: {reason}",
            f"try: module load {shlex.join(toolchain.modules)}",
        )
    bare = process.run(["bash", "-lc", "exec env -0"], timeout_seconds=_MODULE_SECONDS)
    before, after = _variables(bare.out), _variables(loaded.out)
    changed = {name: value for name, value in after.items() if before.get(name) != value}
    return toolchain.model_copy(update={"environment": {**changed, **toolchain.environment}})


def load_all(
    toolchains: Sequence[Toolchain],
) -> tuple[tuple[Toolchain, ...], dict[str, str]]:
    """Toolchains with the environment of their modules, and errors of the others by name.

    Raises:
        SetupError: the modules of the only one do not load.
    """
    loaded: list[Toolchain] = []
    failures: dict[str, str] = {}
    for toolchain in toolchains:
        try:
            loaded.append(load_modules(toolchain))
        except SetupError as error:
            if not toolchains[1:]:
                raise
            failures[toolchain.name] = str(error)
    return tuple(loaded), failures


def _variables(text: str) -> dict[str, str]:
    pairs = (entry.partition("=") for entry in text.split("\0") if "=" in entry)
    # bash exports its functions as variables whose names no other program understands.
    return {
        name: value
        for name, _, value in pairs
        if name not in {"_", "SHLVL", "PWD"} and name.isidentifier() and name.isascii()
    }


@cache
def _embedded_blas() -> tuple[str, str]:
    """Name and file of the BLAS that Heorot brings."""
    try:
        distribution = metadata.distribution("scipy-openblas32")
    except metadata.PackageNotFoundError:
        return "none", ""
    files = (file for file in distribution.files or () if file.name == _EMBEDDED_BLAS)
    library = next((str(distribution.locate_file(file)) for file in files), "")
    return f"OpenBLAS {distribution.version}", library
