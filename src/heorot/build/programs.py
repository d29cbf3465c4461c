"""Configures and compiles programs into a cache keyed by toolchain and sources, not by places."""

from __future__ import annotations

import errno
import fcntl
import functools
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from heorot import process
from heorot.build.relocation import forget_places, has_moved, identity, point_at_mpi
from heorot.build.work import (
    LOG_BYTES,
    STAGE_SECONDS,
    CarryOut,
    Ended,
    Work,
    carry_out_here,
    cmake_error,
    complaint_about,
    first_error,
    target_of,
)
from heorot.errors import BuildError, SetupError
from heorot.files import leads_nowhere, read_regular
from heorot.model.machine.toolchain import CXX, Toolchain
from heorot.ownership.paths import stranger_among
from heorot.writing import append, appending

# With less free space than the smallest program takes, a full disk is the cause of the failure.
_LEAST_FREE_BYTES = 1 << 16
# Message of the system for a program that dies of SIGXFSZ.
_TOO_LONG = "File size limit exceeded"
# Exit codes from here on mean a timeout or a signal.
_KILLED = 124
_PATIENCE_SECONDS = 10.0
# Build times on one core with optimisation: of the shared libraries, and of a program [s].
_CONFIGURE_SECONDS, _SHARED_SECONDS, _PROGRAM_SECONDS = 5.0, 60.0, 5.0
_ANOTHER_CACHE = "set XDG_CACHE_HOME to a directory you can write"


@dataclass(frozen=True)
class Built:
    """The result of a build.

    Attributes:
        programs: name -> program.
        failures: name -> the first error of its compilation.
        fresh: whether anything had to be compiled.
    """

    programs: dict[str, Path] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    fresh: bool = False


def cache_directory() -> Path:
    """The directory of all builds: $XDG_CACHE_HOME/heorot or ~/.cache/heorot.

    Raises:
        SetupError: it cannot be made, others can put programs there, none can run from it, or there
            is no home.
    """
    chosen = os.environ.get("XDG_CACHE_HOME")
    if chosen and not Path(chosen).is_absolute():
        raise SetupError(
            f"XDG_CACHE_HOME has to be an absolute path, and is {chosen}",
            f"XDG_CACHE_HOME={Path(chosen).absolute()}; or unset it for ~/.cache",
        )
    directory = (Path(chosen) if chosen else _home() / ".cache") / "heorot"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.statvfs(directory).f_flag
    except OSError as error:
        raise SetupError(
            f"cannot keep builds in {directory}: {leads_nowhere(directory) or error.strerror}",
            _ANOTHER_CACHE,
        ) from error
    if clause := stranger_among([directory]):
        raise SetupError(
            f"programs in {directory} may be another user's: {clause}",
            f"if all in it is yours: chmod -R go-w {directory}; or {_ANOTHER_CACHE}",
        )
    if flags & os.ST_NOEXEC:
        raise SetupError(
            f"programs cannot run from {directory}: its file system is mounted with noexec",
            "set XDG_CACHE_HOME to a directory from which programs can run",
        )
    return directory


def _home() -> Path:
    """The user's home; in a container there may be none, or the root directory stands for it."""
    try:
        home = Path.home()
    except RuntimeError:
        home = Path("/")
    if home == Path("/"):
        raise SetupError("there is no home directory to keep builds in", _ANOTHER_CACHE)
    if not home.is_absolute():
        raise SetupError(f"HOME has to be an absolute path, and is {home}", _ANOTHER_CACHE)
    return home


def build_directory(cache: Path, toolchain: Toolchain, digest: str, processor: str) -> Path:
    """The directory of a build of one state of the sources; several toolchains may share it.

    Args:
        processor: key of the processor for these flags (see `processor_key`).
    """
    known = f"{identity(toolchain)}\0{digest}\0{processor}\0{other_versions(toolchain)}"
    key = hashlib.sha256(known.encode()).hexdigest()[:12]
    compiler = re.sub(r"[^A-Za-z0-9_.-]+", "-", toolchain.cxx.display_name)
    return cache / "builds" / f"{compiler}-{key}"


def other_versions(toolchain: Toolchain) -> str:
    """Versions of the compilers besides that of C++, whose paths may stay the same in an update."""
    environment = tuple(toolchain.environment.items())
    others = (each for each in toolchain.compilers if each.kind != CXX)
    return "\0".join(_first_line_of(str(each.command), environment) for each in others)


@functools.cache
def _first_line_of(compiler: str, environment: tuple[tuple[str, str], ...]) -> str:
    """The first line that a compiler prints about its version; empty if it is missing."""
    known = {**os.environ, **dict(environment), "LC_ALL": "C"}
    found = shutil.which(compiler, path=known.get("PATH"))
    if found is None:
        return ""
    shown = process.run([found, "--version"], timeout_seconds=_PATIENCE_SECONDS, environment=known)
    return (shown.out.splitlines() or [""])[0]


def build(
    native: Path,
    toolchain: Toolchain,
    names: Sequence[str],
    directory: Path,
    announce: Callable[[int], None] = lambda _: None,
    carry_out: CarryOut = carry_out_here,
) -> Built:
    """Compile the programs that are missing; failures are returned, not raised.

    Args:
        names: the programs wanted, such as `memory/stream`.
        directory: the build directory (see `build_directory`).
        announce: called with the number of programs before a build that has to compile.
        carry_out: runs the commands of a build, here or elsewhere.

    Raises:
        BuildError: the toolchain cannot be configured at all.
        SetupError: the directory cannot be written.
    """
    missing = tuple(name for name in names if not is_built(directory, name))
    there = {name: directory / "bin" / name for name in names if name not in missing}
    if missing:
        announce(len(missing))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        point_at_mpi(directory, toolchain)
        if not missing:
            return Built(programs=there)
        with exclusive(directory):
            if has_moved(directory, native, toolchain):
                forget_places(directory)
            built = _compile(Work(native, toolchain, missing, directory), carry_out)
            return replace(built, programs=there | built.programs)
    except OSError as error:
        hint = "free some disk space there, or set XDG_CACHE_HOME to another disk"
        if error.errno == errno.EFBIG:
            hint = "allow longer files: ulimit -f unlimited"
        raise SetupError(f"cannot build in {directory}: {error.strerror or error}", hint) from error


def build_seconds(n_programs: Iterable[int], n_cores: int) -> float:
    """Approximate time of consecutive builds with so many programs each [s].

    Args:
        n_programs: number of missing programs, build by build.
        n_cores: cores that compile at the same time.
    """
    return sum(
        _CONFIGURE_SECONDS + (_SHARED_SECONDS + n * _PROGRAM_SECONDS) / n_cores for n in n_programs
    )


def is_built(directory: Path, name: str) -> bool:
    """Whether a program is complete: a killed linker leaves a part of it, but no stamp."""
    stamp, program = directory / "stamps" / target_of(name), directory / "bin" / name
    return stamp.exists() and program.is_file()


def _compile(work: Work, carry_out: CarryOut) -> Built:
    directory = work.directory
    ended = carry_out(work)
    log = work.log(ended.stage)
    output = read_regular(log, 2 * LOG_BYTES).decode(errors="replace") if log.exists() else ""
    if ended.code:
        _require_room(directory, output)
    if ended.stage == "configure":
        # CMake would remember the failure after its cause is gone.
        (directory / "build.ninja").unlink(missing_ok=True)
        (directory / "CMakeCache.txt").unlink(missing_ok=True)
        message = cmake_error(output) or first_error(output) or f"cmake ended with {ended.code}"
        reason = _late(ended) or message
        raise BuildError(f"toolchain {work.toolchain.name} cannot be used: {reason}", f"read {log}")
    stamps = directory / "stamps"
    stamps.mkdir(exist_ok=True)
    programs: dict[str, Path] = {}
    failures: dict[str, str] = {}
    for name in work.names:
        program = directory / "bin" / name
        complaint = complaint_about(name, output) if ended.code else ""
        # A killed linker leaves incomplete programs.
        if program.is_file() and not complaint and ended.code < _KILLED:
            programs[name] = program
            append(stamps / target_of(name), "")
        else:
            failures[name] = complaint or _late(ended) or first_error(output) or f"see {log}"
    return Built(programs, failures, fresh=True)


def _late(ended: Ended) -> str:
    """A clause if a stage exceeded its time limit; programs built by then are kept."""
    if ended.code != process.OUT_OF_TIME:
        return ""
    minutes = STAGE_SECONDS[ended.stage] / 60.0
    return f"took longer than {minutes:.0f} min; try again: what was built by then stays"


def _require_room(directory: Path, output: str) -> None:
    """Distinguish a full disk from a program that does not compile; not every linker does.

    Raises:
        OSError: the disk is full.
    """
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        if os.strerror(number) in output:
            raise OSError(number, os.strerror(number))
    if _TOO_LONG in output:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    if shutil.disk_usage(directory).free < _LEAST_FREE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def exclusive(directory: Path) -> Iterator[None]:
    """Let one process at a time build in an existing directory."""
    with appending(directory / "lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
