"""Configures and compiles programs into a cache keyed by toolchain and sources."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from heorot import process
from heorot.errors import BuildError, SetupError
from heorot.model.machine.toolchain import Toolchain
from heorot.suggestion import suggest

_CONFIGURE_SECONDS = 300.0
_BUILD_SECONDS = 1800.0
# With less free than the smallest program takes, that is why it was not built.
_LEAST_FREE_BYTES = 1 << 16
# The toolchain alone decides how programs are compiled: the cache is keyed by it.
_FOREIGN_FLAGS = frozenset({"CXXFLAGS", "CPPFLAGS", "CXX"})
_ANOTHER_CACHE = "set XDG_CACHE_HOME to a directory you can write"
_PROGRESS = re.compile(r"^\[\d+/\d+\] ")
_ERROR = re.compile(r"\b(fatal )?error\b|undefined reference|cannot find -l", re.IGNORECASE)


@dataclass(frozen=True)
class Built:
    """What a build yielded.

    Attributes:
        programs: name -> program.
        failures: name -> the first error of its compilation.
        fresh: whether anything had to be compiled.
    """

    programs: dict[str, Path] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    fresh: bool = False


def cache_directory() -> Path:
    """Where builds are kept: $XDG_CACHE_HOME/heorot or ~/.cache/heorot.

    Raises:
        SetupError: it cannot be made, or there is no home.
    """
    chosen = os.environ.get("XDG_CACHE_HOME")
    directory = (Path(chosen) if chosen else _home() / ".cache") / "heorot"
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(
            f"cannot keep builds in {directory}: {error.strerror}",
            _ANOTHER_CACHE,
        ) from error
    return directory


def _home() -> Path:
    """The user's home; in a container there may be none, or the root directory stands for it."""
    try:
        home = Path.home()
    except RuntimeError:
        home = Path("/")
    if home == Path("/"):
        raise SetupError("there is no home directory to keep builds in", _ANOTHER_CACHE)
    return home


def build_directory(cache: Path, toolchain: Toolchain, digest: str, processor: str) -> Path:
    """The directory of one toolchain's build of one state of the sources.

    Args:
        cache: the cache directory.
        toolchain: compiler, flags and MPI.
        digest: of the sources.
        processor: name of the micro-architecture: `-march=native` means another thing on each.
    """
    identity = f"{toolchain.model_dump_json()}\0{digest}\0{processor}"
    key = hashlib.sha256(identity.encode()).hexdigest()[:12]
    return cache / "builds" / f"{toolchain.name}-{key}"


def build(
    native: Path,
    toolchain: Toolchain,
    names: Sequence[str],
    directory: Path,
    announce: Callable[[int], None] = lambda _: None,
) -> Built:
    """Compile what is not there yet; the programs that fail are told, not raised.

    Args:
        native: the native sources.
        toolchain: what to build with.
        names: the programs wanted, such as `memory/stream`.
        directory: the build directory (see `build_directory`).
        announce: told the number of programs before a build that has to compile.

    Raises:
        BuildError: the toolchain cannot be configured at all.
        SetupError: the directory cannot be written.
    """
    wanted = {name: directory / "bin" / name for name in names}
    if all(_is_built(directory, name) for name in names):
        return Built(programs=wanted)
    announce(len(names))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with _exclusive(directory / "lock"):
            return _compile(native, toolchain, names, directory)
    except OSError as error:
        raise SetupError(
            f"cannot build in {directory}: {error.strerror or error}",
            "free some disk space there, or set XDG_CACHE_HOME to another disk",
        ) from error


def _target(name: str) -> str:
    """The CMake target of a program."""
    return name.replace("/", "_")


def _is_built(directory: Path, name: str) -> bool:
    """Whether a program is there and whole: a killed linker leaves a part of one, but no stamp."""
    stamp, program = directory / "stamps" / _target(name), directory / "bin" / name
    return stamp.exists() and program.is_file()


def _compile(native: Path, toolchain: Toolchain, names: Sequence[str], directory: Path) -> Built:
    _configure(native, toolchain, directory)
    targets = [_target(name) for name in names]
    done = process.run(
        [_tool("cmake"), "--build", directory, "--target", *targets, "--", "-k", "0"],
        timeout_seconds=_BUILD_SECONDS,
        environment=_environment(toolchain),
    )
    output = done.out + done.err
    (directory / "build.log").write_text(output, encoding="utf-8")
    if not done.ok:
        _require_room(directory, output)
    stamps = directory / "stamps"
    stamps.mkdir(exist_ok=True)
    programs: dict[str, Path] = {}
    failures: dict[str, str] = {}
    for name in names:
        program = directory / "bin" / name
        complaint = "" if done.ok else _complaint_about(name, output)
        if program.is_file() and not complaint:
            programs[name] = program
            (stamps / _target(name)).touch()
        else:
            reason = complaint or _first_error(output)
            failures[name] = reason or f"see {directory / 'build.log'}"
    return Built(programs, failures, fresh=True)


def _configure(native: Path, toolchain: Toolchain, directory: Path) -> None:
    if (directory / "build.ninja").is_file():
        return
    _require(toolchain.cxx, toolchain)
    options = [
        f"-DCMAKE_CXX_COMPILER={toolchain.cxx}",
        f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}",
        f"-DHEOROT_FLAGS={toolchain.flags}",
        f"-DHEOROT_WITH_MPI={'ON' if toolchain.mpi else 'OFF'}",
        "-DHEOROT_TESTS=OFF",
    ]
    if toolchain.mpi:
        _require(toolchain.mpi.cxx, toolchain)
        options.append(f"-DMPI_CXX_COMPILER={toolchain.mpi.cxx}")
    done = process.run(
        [_tool("cmake"), "-S", native, "-B", directory, "-G", "Ninja", *options],
        timeout_seconds=_CONFIGURE_SECONDS,
        environment=_environment(toolchain),
    )
    output = done.out + done.err
    (directory / "configure.log").write_text(output, encoding="utf-8")
    if not done.ok:
        _require_room(directory, output)
        # What CMake remembers of a failure would outlive its cause.
        (directory / "build.ninja").unlink(missing_ok=True)
        (directory / "CMakeCache.txt").unlink(missing_ok=True)
        raise BuildError(
            f"toolchain {toolchain.name} cannot be used: "
            f"{_cmake_error(output) or _first_error(output) or f'cmake ended with {done.code}'}",
            f"read {directory / 'configure.log'}",
        )


def _require_room(directory: Path, output: str) -> None:
    """Tell a full disk from a program that does not compile; not every linker does.

    Raises:
        OSError: what failed did so for want of room.
    """
    for number in (errno.ENOSPC, errno.EDQUOT):
        if os.strerror(number) in output:
            raise OSError(number, os.strerror(number))
    if shutil.disk_usage(directory).free < _LEAST_FREE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _require(compiler: Path, toolchain: Toolchain) -> None:
    if shutil.which(compiler) is None:
        raise BuildError(
            f"toolchain {toolchain.name} cannot be used: there is no compiler {compiler}",
            f"{suggest('doctor')} shows what was found",
        )


def _environment(toolchain: Toolchain) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if name not in _FOREIGN_FLAGS}
    return {**ours, **toolchain.environment, "LC_ALL": "C"}


def _tool(name: str) -> Path:
    """A build tool: the one beside this Python, else the one on PATH."""
    beside = Path(sys.prefix) / "bin" / name
    if beside.is_file():
        return beside
    found = shutil.which(name)
    if found is None:
        raise SetupError(f"{name} is missing", f"pip install {name}")
    return Path(found)


def _complaint_about(name: str, output: str) -> str:
    """The first error in what ninja printed for the steps that failed for a program, or empty.

    A step that failed begins with `FAILED:` and what it should have made, and ends where ninja
    announces the next one.
    """
    own: list[str] = []
    inside = False
    for line in output.splitlines():
        if line.startswith("FAILED: "):
            inside = f"/{_target(name)}.dir/" in line or f"bin/{name}" in line
        elif _PROGRESS.match(line) or line.startswith("ninja: "):
            inside = False
        if inside:
            own.append(line)
    return (_first_error("\n".join(own)) or own[0]) if own else ""


def _first_error(output: str) -> str:
    """The first line in which a compiler or a linker complains, or empty."""
    lines = output.splitlines()
    return next((line.strip() for line in lines if _ERROR.search(line)), "")


def _cmake_error(output: str) -> str:
    """The text of CMake's first error on one line, or empty."""
    _, _, text = output.partition("CMake Error")
    paragraph: list[str] = []
    for line in text.splitlines()[1:]:
        if line.strip():
            paragraph.append(line.strip())
        elif paragraph:
            break
    return " ".join(paragraph)


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """Let one process at a time build in a directory."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
