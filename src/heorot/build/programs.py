"""Configures and compiles programs into a cache keyed by toolchain and sources."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from heorot import process
from heorot.errors import BuildError, SetupError
from heorot.model.benchmark import Benchmark
from heorot.model.toolchain import Toolchain

_CONFIGURE_SECONDS = 300.0
_BUILD_SECONDS = 1800.0


@dataclass(frozen=True)
class Built:
    """What a build yielded.

    Attributes:
        programs: benchmark name -> program.
        failures: benchmark name -> the first error of its compilation.
        fresh: whether anything had to be compiled.
    """

    programs: dict[str, Path] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    fresh: bool = False


def cache_directory() -> Path:
    """Where builds are kept: $XDG_CACHE_HOME/heorot or ~/.cache/heorot.

    Raises:
        SetupError: it cannot be made.
    """
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    directory = Path(home) / "heorot"
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(
            f"cannot keep builds in {directory}: {error.strerror}",
            "set XDG_CACHE_HOME to a directory you can write",
        ) from error
    return directory


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
    benchmarks: Sequence[Benchmark],
    directory: Path,
) -> Built:
    """Compile what is not there yet; the programs that fail are told, not raised.

    Args:
        native: the native sources.
        toolchain: what to build with.
        benchmarks: the programs wanted.
        directory: the build directory (see `build_directory`).

    Raises:
        BuildError: the toolchain cannot be configured at all.
        SetupError: the directory cannot be written.
    """
    wanted = {benchmark.name: directory / "bin" / benchmark.name for benchmark in benchmarks}
    if all((directory / "stamps" / benchmark.target).exists() for benchmark in benchmarks):
        return Built(programs=wanted)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with _exclusive(directory / "lock"):
            return _compile(native, toolchain, benchmarks, directory)
    except OSError as error:
        raise SetupError(
            f"cannot build in {directory}: {error.strerror or error}",
            "free some disk space, or set XDG_CACHE_HOME to another disk",
        ) from error


def _compile(
    native: Path, toolchain: Toolchain, benchmarks: Sequence[Benchmark], directory: Path
) -> Built:
    _configure(native, toolchain, directory)
    targets = [benchmark.target for benchmark in benchmarks]
    done = process.run(
        [_tool("cmake"), "--build", directory, "--target", *targets, "--", "-k", "0"],
        timeout_seconds=_BUILD_SECONDS,
        environment=_environment(toolchain),
    )
    (directory / "build.log").write_text(done.out + done.err, encoding="utf-8")
    stamps = directory / "stamps"
    stamps.mkdir(exist_ok=True)
    programs: dict[str, Path] = {}
    failures: dict[str, str] = {}
    for benchmark in benchmarks:
        program = directory / "bin" / benchmark.name
        if program.is_file() and (done.ok or f"bin/{benchmark.name}" not in _failed(done.out)):
            programs[benchmark.name] = program
            (stamps / benchmark.target).touch()
        else:
            failures[benchmark.name] = _first_error(done.out + done.err, directory)
    return Built(programs, failures, fresh=True)


def _configure(native: Path, toolchain: Toolchain, directory: Path) -> None:
    if (directory / "build.ninja").is_file():
        return
    options = [
        f"-DCMAKE_CXX_COMPILER={toolchain.cxx}",
        f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}",
        f"-DHEOROT_FLAGS={toolchain.flags}",
        f"-DHEOROT_WITH_MPI={'ON' if toolchain.mpi else 'OFF'}",
        "-DHEOROT_TESTS=OFF",
    ]
    if toolchain.mpi:
        options.append(f"-DMPI_CXX_COMPILER={toolchain.mpi.cxx}")
    done = process.run(
        [_tool("cmake"), "-S", native, "-B", directory, "-G", "Ninja", *options],
        timeout_seconds=_CONFIGURE_SECONDS,
        environment=_environment(toolchain),
    )
    (directory / "configure.log").write_text(done.out + done.err, encoding="utf-8")
    if not done.ok:
        (directory / "build.ninja").unlink(missing_ok=True)
        raise BuildError(
            f"toolchain {toolchain.name} does not configure: "
            f"{_first_error(done.err + done.out, directory)}",
            f"read {directory / 'configure.log'}",
        )


def _environment(toolchain: Toolchain) -> dict[str, str]:
    return dict(os.environ, LC_ALL="C", **toolchain.environment)


def _tool(name: str) -> Path:
    """A build tool: the one beside this Python, else the one on PATH."""
    beside = Path(sys.prefix) / "bin" / name
    if beside.is_file():
        return beside
    found = shutil.which(name)
    if found is None:
        raise SetupError(f"{name} is missing", f"pip install {name}")
    return Path(found)


def _failed(output: str) -> str:
    return "\n".join(line for line in output.splitlines() if line.startswith("FAILED:"))


def _first_error(output: str, directory: Path) -> str:
    for line in output.splitlines():
        if "error" in line.lower():
            return line.strip()
    return f"see {directory / 'build.log'}"


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """Let one process at a time build in a directory."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
