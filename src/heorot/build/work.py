"""Commands of a build with CMake, the same on every host, and their execution on this one."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Final, Literal, Protocol

from heorot import process
from heorot.build.relocation import own_mpi
from heorot.errors import BuildError, SetupError
from heorot.model.machine.toolchain import FORTRAN, Toolchain
from heorot.suggestion import suggest
from heorot.writing import write

Stage = Literal["configure", "build"]

STAGE_SECONDS: Final[dict[Stage, float]] = {"configure": 300.0, "build": 1800.0}
"""Time limits of stages, after which they are killed [s]."""

LOG_BYTES = 16 * process.OUTPUT_BYTES
"""Largest log of a stage, which may compile a hundred programs at once [B]."""

NODE_SCRIPT = Path(__file__).with_name("node.sh").read_text(encoding="utf-8")
"""Runs a stage on a compute node, which has no Python."""

# The toolchain alone decides how programs are compiled: the cache is keyed by it.
_FOREIGN_FLAGS = frozenset({"CXXFLAGS", "CPPFLAGS", "CXX", "FFLAGS", "FC"})


@dataclass(frozen=True)
class Work:
    """A build to be carried out.

    Attributes:
        names: the programs wanted, such as `memory/stream`.
        directory: the build directory, which exists.
    """

    native: Path
    toolchain: Toolchain
    names: tuple[str, ...]
    directory: Path

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The remaining stages in order; a successful configuration is not repeated."""
        lacking = self.toolchain.fortran is not None and not self._has_fortran
        done = (self.directory / "build.ninja").is_file() and not lacking
        return ("build",) if done else ("configure", "build")

    @property
    def _has_fortran(self) -> bool:
        """Whether CMake found the Fortran compiler compatible with the others."""
        return (self.directory / "fortran" / "found.cmake").is_file()

    def log(self, stage: Stage) -> Path:
        """The file with the output of a stage."""
        return self.directory / f"{stage}.log"

    def words(self, stage: Stage) -> tuple[str, ...]:
        """Arguments of CMake without the path of ninja."""
        if stage == "build":
            targets = map(target_of, self.names)
            return ("--build", str(self.directory), "--target", *targets, "--", "-k", "0")
        mpi = self.toolchain.mpi
        options = (
            f"-DCMAKE_CXX_COMPILER={self.toolchain.cxx.command}",
            f"-DHEOROT_FLAGS={self.toolchain.cxx.flags}",
            f"-DHEOROT_WITH_MPI={'ON' if mpi else 'OFF'}",
            f"-DHEOROT_MPI_LINKED={'ON' if own_mpi(self.toolchain) else 'OFF'}",
            *_program_flags(self.toolchain),
            *_fortran(self.toolchain),
            *_device(self.toolchain),
            "-DHEOROT_TESTS=OFF",
            *((f"-DMPI_CXX_COMPILER={mpi.cxx}",) if mpi else ()),
        )
        return ("-S", str(self.native), "-B", str(self.directory), "-G", "Ninja", *options)


def _program_flags(toolchain: Toolchain) -> tuple[str, ...]:
    # Flags of a family come first, since later ones win, as in `Toolchain.flags_of`.
    own = sorted(toolchain.program_flags.items(), key=lambda each: not each[0].endswith("/*"))
    entries = (f"{program}={flags}" for program, flags in own)
    return (f"-DHEOROT_PROGRAM_FLAGS={';'.join(entries)}",) if own else ()


def _fortran(toolchain: Toolchain) -> tuple[str, ...]:
    # No other Fortran compiler is used: the record names the one of the toolchain.
    if toolchain.fortran is None:
        return ("-DHEOROT_FORTRAN=OFF",)
    flags = toolchain.fortran.flags
    return (
        f"-DCMAKE_Fortran_COMPILER={toolchain.fortran.command}",
        *([f"-DHEOROT_FORTRAN_FLAGS={flags}"] if flags else []),
    )


def _device(toolchain: Toolchain) -> tuple[str, ...]:
    device = toolchain.device
    if device is None:
        return ()
    return (f"-DHEOROT_DEVICE_COMPILER={device.command}", f"-DHEOROT_DEVICE_FLAGS={device.flags}")


@dataclass(frozen=True)
class Ended:
    """How a build ended.

    Attributes:
        stage: the last stage; `configure` if that failed.
        code: its exit code, 0 for success.
    """

    stage: Stage
    code: int


class Run(Protocol):
    """Runs a command to its end and returns its output, as `process.run` does."""

    def __call__(
        self,
        argv: Sequence[str | os.PathLike[str]],
        *,
        timeout_seconds: float,
        environment: Mapping[str, str],
    ) -> process.Finished: ...


CarryOut = Callable[[Work], Ended]
"""Runs the remaining stages of a build up to the first failure, and writes their logs."""


def target_of(name: str) -> str:
    """The CMake target of a program."""
    return name.replace("/", "_")


def carry_out_here(work: Work, run: Run | None = None) -> Ended:
    """Build on this machine.

    Args:
        run: runs the commands; None for one that reports no progress.

    Raises:
        BuildError: a compiler of the toolchain is not here.
        SetupError: CMake or ninja is not here.
    """
    for stage in work.stages:
        if stage == "configure":
            _require_compilers(work.toolchain)
        more = (f"-DCMAKE_MAKE_PROGRAM={find_tool('ninja')}",) if stage == "configure" else ()
        done = (run or partial(process.run, most_bytes=LOG_BYTES))(
            [str(find_tool("cmake")), *work.words(stage), *more],
            timeout_seconds=STAGE_SECONDS[stage],
            environment=_environment(work.toolchain),
        )
        write(work.log(stage), done.out + done.err, sync=False)
        if not done.ok:
            return Ended(stage, done.code)
    return Ended("build", 0)


def _require_compilers(toolchain: Toolchain) -> None:
    # Without a Fortran compiler, programs are built without their Fortran kernels.
    needed = [each.command for each in toolchain.compilers if each.kind != FORTRAN]
    search = toolchain.environment.get("PATH")
    for compiler in (*needed, *([toolchain.mpi.cxx] if toolchain.mpi else [])):
        if shutil.which(compiler, path=search) is None:
            raise BuildError(
                f"toolchain {toolchain.name} cannot be used: there is no compiler {compiler}",
                f"{suggest('doctor')} shows what was found",
            )


def _environment(toolchain: Toolchain) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if name not in _FOREIGN_FLAGS}
    return {**ours, **toolchain.environment, "LC_ALL": "C"}


def find_tool(name: str) -> Path:
    """A build tool: the program itself in its wheel, else the one on PATH.

    The command that a wheel installs may be a script, which a node without Python cannot run.

    Args:
        name: `cmake` or `ninja`.

    Raises:
        SetupError: it is missing.
    """
    beside = Path(sys.prefix) / "bin" / name
    found = shutil.which(name)
    for file in (*_of_wheel(name), beside, *([Path(found)] if found else [])):
        if file.is_file():
            return file
    raise SetupError(f"{name} is missing", f"pip install {name}")


def _of_wheel(name: str) -> Sequence[Path]:
    try:
        files = metadata.files(name) or []
    except metadata.PackageNotFoundError:
        return ()
    found = [Path(str(file.locate())).resolve() for file in files if file.name == name]
    return [file for file in found if file.is_file() and _is_binary(file)]


def _is_binary(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(4) == b"\x7fELF"


_PROGRESS = re.compile(r"^\[\d+/\d+\] ")
_ERROR = re.compile(r"\b(fatal )?error\b|undefined reference|cannot find -l", re.IGNORECASE)


def complaint_about(name: str, output: str) -> str:
    """The first error in the output of a program's failed steps, or empty.

    The output of a failed step begins with `FAILED:` and its targets, and ends where ninja
    announces the next step.
    """
    own: list[str] = []
    inside = False
    for line in output.splitlines():
        if line.startswith("FAILED: "):
            inside = f"/{target_of(name)}.dir/" in line or f"bin/{name}" in line
        elif _PROGRESS.match(line) or line.startswith("ninja: "):
            inside = False
        if inside:
            own.append(line)
    return (first_error("\n".join(own)) or own[0]) if own else ""


def first_error(output: str) -> str:
    """The first line in which a compiler or a linker complains, or empty."""
    lines = output.splitlines()
    return next((line.strip() for line in lines if _ERROR.search(line)), "")


def cmake_error(output: str) -> str:
    """The text of CMake's first error on one line, or empty."""
    _, _, text = output.partition("CMake Error")
    paragraph: list[str] = []
    for line in text.splitlines()[1:]:
        if line.strip():
            paragraph.append(line.strip())
        elif paragraph:
            break
    return " ".join(paragraph)
