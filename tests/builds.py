"""The builds of the tree that tests use: one for each set of flags, made before the tests begin.

    python -m tests.builds SET ...

`release` has all programs, in the directory in which `heorot evaluate` looks for them, which copies
of the tree share; `native-tests` the native tests with the same flags; `counted` the native tests
without MPI and, to count instructions, some programs. A test requests a build by the functions
below. With HEOROT_TESTS_BUILT=1 it has to exist; otherwise the first test that needs it
makes it. HEOROT_TESTS_DEVICE_COMPILER is a compiler for devices with its flags; without one,
programs that need it are neither built nor tested.
"""

from __future__ import annotations

import argparse
import functools
import os
import platform
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heorot.build.programs import build, exclusive, is_built
from heorot.build.sources import native_directory, source_digest
from heorot.build.toolchains import choose
from heorot.build.work import Run, Work, carry_out_here, find_tool
from heorot.families import BENCHMARKS
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Compiler, Toolchain
from heorot.monitoring.session.sampling import MONITOR
from heorot.process import Finished
from heorot.session.external_programs.launches import WATCH
from heorot.session.inspection import describe_machine, list_toolchains
from heorot.session.programs import places_of
from heorot.throughput.simulations.simulation import PROGRAM as SCHEDULE
from tests.ninja_progress import ProgressRun, must, write_line

ROOT = Path(__file__).resolve().parents[1]
TOOLS = Path(sys.prefix) / "bin"
# For any processor of the type, compiled in half the time; with AVX-512 vectors, which most lack,
# so that these are tested everywhere.
N_LANES = 8
_COUNTED_FLAGS = f"-O1 -DHEOROT_LANES={N_LANES}"
if platform.machine() == "x86_64":
    _COUNTED_FLAGS += " -march=x86-64"
_COUNTED_BUILD = ROOT / "build" / "counted"
_NATIVE_BUILD = ROOT / "build" / "native-tests"
_DEVICE = os.environ.get("HEOROT_TESTS_DEVICE_COMPILER", "")
TRIED = tuple(each for each in BENCHMARKS if _DEVICE or not each.compilers)
"""The programs that are built and tested."""

_PROGRAMS = (*(benchmark.name for benchmark in TRIED), WATCH, SCHEDULE, MONITOR)
_COUNTED_PROGRAMS = {
    "npb": ("ep", "cg", "mg", "ft", "lu", "sp", "bt", "bt_mz", "sp_mz", "lu_mz"),
    "algorithms": (
        *("linear_solver", "sparse_solve", "sparse_eigen", "dense_eigen"),
        *("fft", "wavelet"),
    ),
}
_CONFIGURE_SECONDS, _BUILD_SECONDS = 300.0, 1800.0
_NATIVE_TESTS = "native_tests"  # the CMake target of all of them


@dataclass(frozen=True)
class Release:
    """The programs as built for measurements.

    Attributes:
        machine: this one.
        toolchain: the default, with which `heorot evaluate` builds.
        directory: of the build.
    """

    machine: Machine
    toolchain: Toolchain
    directory: Path

    @property
    def paths(self) -> dict[str, Path]:
        """Every program by its name."""
        return {name: self.directory / "bin" / name for name in _PROGRAMS}


def release(names: Sequence[str] = _PROGRAMS) -> Release:
    """Programs in the build of `heorot evaluate`.

    Args:
        names: those that are needed.

    Raises:
        AssertionError: they are missing, and should exist; or they do not compile.
    """
    wanted = _describe_release()
    if not all(is_built(wanted.directory, name) for name in names):
        _require_permission("release")
        _build_release(wanted, names)
    return wanted


def native_tests(*, mpi: bool) -> Path:
    """The build directory of the native tests, for ctest.

    Raises:
        AssertionError: they are missing, and should exist; or they do not compile.
    """
    if not mpi:
        return _counted()
    if not _is_stamped(_NATIVE_BUILD, _native_stamp()):
        _require_permission("native-tests")
        _build_native()
    return _NATIVE_BUILD


def counted_programs(family: str) -> Path:
    """The folder of a family's programs that are built for counting instructions.

    Raises:
        AssertionError: they are missing, and should exist; or they do not compile.
    """
    return _counted() / "bin" / family


@functools.cache
def _describe_release() -> Release:
    machine = describe_machine(Path.cwd(), Site())
    toolchain = choose(list_toolchains(machine, Site()), ())[0]
    if _DEVICE:
        command, _, flags = _DEVICE.partition(" ")
        device = Compiler(language="c++", target="device", command=Path(command), flags=flags)
        toolchain = toolchain.with_compiler(device)
    (place,) = places_of((), [toolchain], machine)
    return Release(machine, toolchain, place.directory)


def _require_permission(name: str) -> None:
    assert os.environ.get("HEOROT_TESTS_BUILT") != "1", (
        f"the build {name} is missing or of other sources: python -m tests.builds {name}"
    )


def _build_release(wanted: Release, names: Sequence[str]) -> None:
    built = build(
        native_directory(),
        wanted.toolchain,
        names,
        wanted.directory,
        carry_out=functools.partial(carry_out_here, run=_progress_run("release")),
    )
    assert not built.failures, built.failures


def _build_native() -> None:
    runner = _progress_run("native-tests")
    _NATIVE_BUILD.mkdir(parents=True, exist_ok=True)
    _configure(_NATIVE_BUILD, _native_options(), runner)
    _make(_NATIVE_BUILD, [_NATIVE_TESTS], runner, _native_stamp())


def _native_options() -> tuple[str, ...]:
    """Words by which `heorot evaluate` configures a build, and the native tests."""
    work = Work(native_directory(), _describe_release().toolchain, (), _NATIVE_BUILD)
    return (*work.words("configure"), "-DHEOROT_TESTS=ON")


def _counted() -> Path:
    if not _is_stamped(_COUNTED_BUILD, _counted_stamp()):
        _require_permission("counted")
        _build_counted()
    return _COUNTED_BUILD


def _build_counted() -> None:
    runner = _progress_run("counted")
    _COUNTED_BUILD.mkdir(parents=True, exist_ok=True)
    _configure(_COUNTED_BUILD, _counted_options(), runner)
    counted = [f"{family}_{name}" for family, names in _COUNTED_PROGRAMS.items() for name in names]
    _make(_COUNTED_BUILD, [_NATIVE_TESTS, *counted], runner, _counted_stamp())


def _counted_options() -> tuple[str, ...]:
    # What differs without MPI is in the harness.
    options = ("-DHEOROT_TESTS=ON", "-DHEOROT_WITH_MPI=OFF", f"-DHEOROT_FLAGS={_COUNTED_FLAGS}")
    return ("-S", str(native_directory()), "-B", str(_COUNTED_BUILD), "-G", "Ninja", *options)


def _configure(folder: Path, words: Sequence[str], runner: Run) -> None:
    ninja = f"-DCMAKE_MAKE_PROGRAM={find_tool('ninja')}"
    with exclusive(folder):
        done = runner(
            [find_tool("cmake"), *words, ninja],
            timeout_seconds=_CONFIGURE_SECONDS,
            environment=_environment(),
        )
    must(done)


def _make(folder: Path, targets: Sequence[str], runner: Run, stamp: str) -> None:
    """Build targets, unless another process just did."""
    with exclusive(folder):
        done = runner(
            [find_tool("cmake"), "--build", folder, "--target", *targets],
            timeout_seconds=_BUILD_SECONDS,
            environment=_environment(),
        )
        must(done)
        (folder / "tests-stamp").write_text(stamp, encoding="utf-8")


def _progress_run(label: str) -> Run:
    """A function that runs commands of a build and prints progress; compilers use ccache."""
    runner = ProgressRun(label)

    def run(
        argv: Sequence[str | os.PathLike[str]],
        *,
        timeout_seconds: float,
        environment: Mapping[str, str],
    ) -> Finished:
        cached = {**through_ccache(), **environment}
        return runner(argv, timeout_seconds=timeout_seconds, environment=cached)

    return run


def through_ccache() -> dict[str, str]:
    """Variables by which copies of the tree share compiled objects, if ccache is installed."""
    launcher = str(ROOT / "tools" / "cached-compiler")
    return {"CMAKE_CXX_COMPILER_LAUNCHER": launcher} if shutil.which("ccache") else {}


def _environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C"}


@functools.cache
def _digest() -> str:
    return source_digest(native_directory())


def _native_stamp() -> str:
    return f"{_digest()} {_native_options()}"


def _counted_stamp() -> str:
    return f"{_digest()} {_counted_options()} {_COUNTED_PROGRAMS}"


def _is_stamped(folder: Path, stamp: str) -> bool:
    file = folder / "tests-stamp"
    return file.is_file() and file.read_text(encoding="utf-8") == stamp


def _ensure(name: str) -> None:
    """Make a build unless it exists."""
    if name == "release":
        release()
    elif name == "native-tests":
        native_tests(mpi=True)
    else:
        _counted()


def main() -> int:
    """Make the named builds."""
    parser = argparse.ArgumentParser(prog="python -m tests.builds")
    parser.add_argument("sets", nargs="+", choices=("release", "native-tests", "counted"))
    wanted = parser.parse_args().sets
    os.environ.pop("HEOROT_TESTS_BUILT", None)
    for name in wanted:
        begin = time.monotonic()
        try:
            _ensure(name)
        except AssertionError as error:
            write_line(f"{name}: not built\n{error}")
            return 1
        write_line(f"{name}: built in {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
