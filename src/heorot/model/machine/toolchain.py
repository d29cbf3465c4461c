"""What a program is built with and run under."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from heorot.model.base import FileName, Record, VariableName


def _program_pattern(text: str) -> str:
    if not re.fullmatch(r"[a-z_]+/([a-z0-9_]+|\*)", text):
        raise ValueError("must be family/program as in `heorot list`, or family/* for all of one")
    return text


ProgramPattern = Annotated[str, AfterValidator(_program_pattern)]
Flavour = Literal["openmpi", "mpich", "intel", "mvapich", "cray", "unknown", "none"]


class Mpi(Record):
    """A message-passing library a program can be built and started with.

    Attributes:
        flavour: which dialect its launcher speaks.
        version: as it calls itself.
        cxx: its C++ compiler wrapper.
        mpiexec: its launcher.
        launcher: who starts the ranks: its own launcher, or the batch system's.
        launch_options: further words for the launcher, such as `--mpi=pmix`.
    """

    flavour: Flavour
    version: str
    cxx: Path
    mpiexec: Path
    launcher: Literal["mpiexec", "srun", "flux"] = "mpiexec"
    launch_options: tuple[str, ...] = ()


class Toolchain(Record):
    """Compiler + flags + MPI + BLAS (+ modules to load); every result carries its name.

    Attributes:
        name: short and stable, such as `gnu-12+openmpi-5.0.11`; results and folders carry it.
        cxx: the C++ compiler.
        compiler: family and version, such as `GNU 12.2.0`.
        flags: optimisation flags, part of the build's identity.
        program_flags: further flags, which come last, for a program or for all of a family: by
            `memory/stream` or `memory/*`.
        fortran: the Fortran compiler of those kernels that there are in Fortran; None builds
            programs without them, and so does one that does not go with the C++ compiler.
        mpi: None builds programs for one rank without MPI.
        blas: name and version of the BLAS, or `none`.
        blas_library: the file that programs open to measure a BLAS beside their own code, several
            with a colon between them; empty for none.
        modules: environment modules to load before building and running.
        environment: variables to set before building and running.
        origin: where it comes from: `embedded`, `system`, `site`.
        built_on: the processor of the nodes on which programs are built, as the compiler cannot be
            told of it elsewhere; empty if they are built where Heorot runs.
    """

    name: FileName
    cxx: Path
    compiler: str
    flags: str = "-O3 -march=native"
    program_flags: dict[ProgramPattern, str] = Field(default_factory=dict)
    fortran: Path | None = None
    mpi: Mpi | None
    blas: str = "none"
    blas_library: str = ""
    modules: tuple[str, ...] = ()
    environment: dict[VariableName, str] = Field(default_factory=dict)
    origin: Literal["embedded", "system", "site"] = "system"
    built_on: str = ""

    @property
    def build(self) -> str:
        """What of it shapes the programs: with the same they are built once."""
        return self.model_dump_json(exclude={"name", "blas", "blas_library", "origin"})

    def flags_of(self, program: str) -> str:
        """All flags that a program is compiled with.

        Args:
            program: its name, such as `memory/stream`.
        """
        own = (self.program_flags.get(key) for key in (f"{program.partition('/')[0]}/*", program))
        return " ".join(filter(None, (self.flags, *own)))
