"""The software found on a machine: batch systems, modules, message passing, compilers."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from heorot.model.base import Record
from heorot.model.machine.toolchain import Flavour

Family = Literal["gnu", "clang", "intel", "nvhpc", "aocc", "arm", "cray", "unknown"]

# The oldest release of each family that compiles the C++20 of the programs; the clang-based vendor
# compilers are the first ones built on LLVM 15 or later.
MINIMUM_VERSIONS: dict[str, tuple[int, ...]] = {
    "gnu": (12,),
    "clang": (15,),
    "intel": (2023,),
    "nvhpc": (23,),
    "aocc": (4, 1),
    "arm": (23,),
    "cray": (15,),
}


class BatchSystem(Record):
    """A batch system whose commands are installed.

    Attributes:
        command: the command by which it was recognised.
    """

    name: Literal["slurm", "pbs", "lsf", "flux", "sge"]
    command: Path
    version: str | None = None


class ModulesSystem(Record):
    """The environment modules of a site.

    Attributes:
        name: Lua or Tcl modules.
        search_paths: MODULEPATH.
        loaded: modules loaded in the calling shell, in that order.
    """

    name: Literal["lmod", "tcl"]
    version: str | None = None
    search_paths: tuple[str, ...] = ()
    loaded: tuple[str, ...] = ()


class MpiInstall(Record):
    """A message-passing library found.

    Attributes:
        origin: `wheel` from PyPI, `system` from a package in its usual place, `path` from PATH.
        cxx: C++ compiler wrapper.
        mpiexec: launcher, None if only the batch system starts programs.
    """

    flavour: Flavour
    version: str | None = None
    origin: Literal["wheel", "system", "path"]
    cxx: Path
    mpiexec: Path | None = None
    prefix: Path
    library_dir: Path | None = None


class BlasInstall(Record):
    """A BLAS found.

    Attributes:
        name: `OpenBLAS`, `BLIS`, `MKL` or `reference`.
        version: from its file name; empty if that has none.
        library: file that a program opens: several with a colon between them, LAPACK after a BLAS
            without it.
    """

    name: str
    version: str = ""
    library: str


class CompilerInstall(Record):
    """A family of compilers found.

    Attributes:
        family: of compilers.
        fortran: its own Fortran compiler; else one of its family, or any.
        fortrans: all compatible ones: that one, and flang if it is another.
        openmp: whether an OpenMP program compiles, links and runs; None if not tested.
    """

    family: Family
    version: str
    cxx: Path
    cc: Path | None = None
    fortran: Path | None = None
    fortrans: tuple[Path, ...] = ()
    openmp: bool | None = None

    @property
    def reason(self) -> str:
        """Why it cannot build the programs; empty if it can."""
        least = MINIMUM_VERSIONS.get(self.family)
        if least is None:
            return f"{self.cxx.name} is of no family that Heorot knows"
        if not self.version:
            return f"{self.cxx.name} does not report its version"
        digits = (part for part in self.version.replace("-", ".").split("."))
        found = tuple(int(part) for part in digits if part.isdigit())
        if found >= least:
            return ""
        wanted = ".".join(map(str, least))
        return f"{self.cxx.name} is {self.family} {self.version}; C++20 needs {wanted} or later"

    @property
    def usable(self) -> bool:
        """Whether it can build the programs."""
        return not self.reason


class Software(Record):
    """All of it; the attributes are those of `Machine`."""

    batch_systems: tuple[BatchSystem, ...] = ()
    modules: ModulesSystem | None = None
    mpis: tuple[MpiInstall, ...] = ()
    compilers: tuple[CompilerInstall, ...] = ()
    blases: tuple[BlasInstall, ...] = ()
