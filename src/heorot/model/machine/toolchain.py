"""The compilers, libraries and environment of a program."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator

from heorot.model.base import FileName, Record, VariableName


def _program_pattern(text: str) -> str:
    if not re.fullmatch(r"[a-z_]+/([a-z0-9_]+|\*)", text):
        raise ValueError("must be family/program as in `heorot list`, or family/* for all of one")
    return text


ProgramPattern = Annotated[str, AfterValidator(_program_pattern)]
Flavour = Literal["openmpi", "mpich", "intel", "mvapich", "cray", "unknown", "none"]


Language = Literal["c++", "fortran"]
Target = Literal["host", "device"]
CompilerKind = tuple[Language, Target]
CXX: CompilerKind = ("c++", "host")
FORTRAN: CompilerKind = ("fortran", "host")


class Mpi(Record):
    """A message-passing library a program can be built and started with.

    Attributes:
        flavour: dialect of its launcher.
        cxx: its C++ compiler wrapper.
        launcher: starts the ranks: its own launcher, or the batch system's.
        launch_options: further words for the launcher, such as `--mpi=pmix`.
    """

    flavour: Flavour
    version: str
    cxx: Path
    mpiexec: Path
    launcher: Literal["mpiexec", "srun", "flux"] = "mpiexec"
    launch_options: tuple[str, ...] = ()


def _usual_flags(given: dict[str, Any]) -> str:
    if given.get("language") != "c++":
        return ""
    return "-O3 -march=native" if given.get("target", "host") == "host" else "-O3"


def word_compiler(kind: CompilerKind) -> str:
    """Name of a kind of compiler, such as `C++ compiler` or `C++ compiler for devices`."""
    language, target = kind
    return f"{language.capitalize()} compiler{' for devices' if target == 'device' else ''}"


class Compiler(Record):
    """A compiler: a language, and the target of its code.

    Attributes:
        target: the processor, or devices such as GPUs.
        version: family and version, such as `GNU 12.2.0`; empty if unknown.
        flags: optimisation flags; by default `-O3 -march=native` for C++, `-O3` for devices, and
            for Fortran those of C++ that it understands.
    """

    language: Language
    target: Target = "host"
    command: Path
    version: str = ""
    flags: str = Field(default_factory=_usual_flags)

    @property
    def kind(self) -> CompilerKind:
        """Its language and target."""
        return self.language, self.target

    @property
    def display_name(self) -> str:
        """Family and version, or the command if they are unknown."""
        return self.version or self.command.name


class Toolchain(Record):
    """Compilers with their flags + MPI + BLAS (+ modules to load); every result carries its name.

    Attributes:
        name: short and stable, such as `gnu-12+openmpi-5.0.11`; results and folders carry it.
        compilers: at most one of each language and target. That of C++ for the host always exists;
            without one of Fortran, or with an incompatible one, programs lack their Fortran
            kernels; without one for devices, programs that need it are left out.
        program_flags: further flags, which come last, for a program or for all of a family: by
            `memory/stream` or `memory/*`.
        mpi: None builds programs for one rank without MPI.
        blas: name and version of the BLAS, or `none`.
        blas_library: the file that programs open to measure a BLAS besides their own code, several
            with a colon between them; empty for none.
        modules: environment modules to load before building and running.
        environment: variables to set before building and running.
        origin: `embedded`, `system` or `site`.
        built_on: the processor of the nodes on which programs are built, if the compiler cannot be
            given it elsewhere; empty if they are built where Heorot runs.
    """

    name: FileName
    compilers: tuple[Compiler, ...]
    program_flags: dict[ProgramPattern, str] = Field(default_factory=dict)
    mpi: Mpi | None
    blas: str = "none"
    blas_library: str = ""
    modules: tuple[str, ...] = ()
    environment: dict[VariableName, str] = Field(default_factory=dict)
    origin: Literal["embedded", "system", "site"] = "system"
    built_on: str = ""

    @field_validator("compilers")
    @classmethod
    def _has_one_of_a_kind(cls, compilers: tuple[Compiler, ...]) -> tuple[Compiler, ...]:
        kinds = [each.kind for each in compilers]
        if CXX not in kinds:
            raise ValueError("needs one with `language: c++`")
        if ("fortran", "device") in kinds:
            raise ValueError("has one of Fortran for devices, which no program has kernels in")
        if len({*kinds}) < len(kinds):
            raise ValueError("has two of one language and target")
        return compilers

    def compiler_of(self, language: Language, target: Target = "host") -> Compiler | None:
        """The compiler of a language for a target; None if there is none."""
        return next((one for one in self.compilers if one.kind == (language, target)), None)

    @property
    def cxx(self) -> Compiler:
        """The compiler of C++, which every toolchain has."""
        return next(one for one in self.compilers if one.kind == CXX)

    @property
    def fortran(self) -> Compiler | None:
        """The compiler of Fortran; None builds programs without their Fortran kernels."""
        return self.compiler_of("fortran")

    @property
    def device(self) -> Compiler | None:
        """The compiler of device kernels; None leaves out programs that have any."""
        return self.compiler_of("c++", "device")

    def with_compiler(self, compiler: Compiler) -> Toolchain:
        """The toolchain with another compiler of a language and target."""
        others = [one for one in self.compilers if one.kind != compiler.kind]
        # That of C++ stays the first.
        compilers = (compiler, *others) if compiler.kind == CXX else (*others, compiler)
        return self.model_copy(update={"compilers": compilers})

    def with_only(self, kinds: Collection[CompilerKind] = ()) -> Toolchain:
        """The toolchain with its compilers of some kinds, and that of C++."""
        kept = (one for one in self.compilers if one.kind == CXX or one.kind in kinds)
        return self.model_copy(update={"compilers": tuple(kept)})

    def with_flags(self, flags: str) -> Toolchain:
        """The toolchain with other flags of C++."""
        return self.with_compiler(self.cxx.model_copy(update={"flags": flags}))

    @property
    def build(self) -> str:
        """Everything that determines the built programs: equal toolchains share one build."""
        return self.model_dump_json(exclude={"name", "blas", "blas_library", "origin"})

    def flags_of(self, program: str) -> str:
        """All flags that the C++ of a program is compiled with."""
        own = (self.program_flags.get(key) for key in (f"{program.partition('/')[0]}/*", program))
        return " ".join(filter(None, (self.cxx.flags, *own)))


def with_compilers(document: Any) -> Any:  # noqa: ANN401 -- JSON or YAML of any kind
    """A site file, or the facts of a run, of an earlier version in the present form.

    There compilers were described by keys of the toolchain.

    Args:
        document: its values; other types are returned unchanged.
    """
    if not isinstance(document, dict) or not isinstance(document.get("toolchains"), list):
        return document
    return document | {"toolchains": [_with_records(one) for one in document["toolchains"]]}


def _with_records(one: Any) -> Any:  # noqa: ANN401 -- JSON or YAML of any kind
    if not isinstance(one, dict) or "cxx" not in one or "compilers" in one:
        return one
    former = {key: one[key] for key in ("cxx", "compiler", "flags", "fortran") if key in one}
    names = {"cxx": "command", "compiler": "version", "flags": "flags"}
    cxx = {new: former[old] for old, new in names.items() if old in former}
    fortran = {"language": "fortran", "command": former.get("fortran")}
    compilers = [{"language": "c++"} | cxx, *([fortran] if former.get("fortran") else [])]
    rest = {key: value for key, value in one.items() if key not in former}
    return rest | {"compilers": compilers}
