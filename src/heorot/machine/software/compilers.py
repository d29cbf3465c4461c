"""The C++ compilers found, with the C and Fortran compilers that belong to them."""

from __future__ import annotations

import math
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from heorot.model.machine.machine import CompilerInstall, Family
from heorot.ownership.scratch import scratch_folder
from heorot.process import OUT_OF_TIME, Finished, run

_NAMES = re.compile(r"(?:g\+\+|clang\+\+)(?:-\d+)?|icpx|nvc\+\+|c\+\+")
_FLANG = re.compile(r"flang(?:-new)?(?:-\d+)?")
# Wrappers that call another compiler of the same name.
_CACHES = frozenset({"ccache", "sccache", "distcc", "icecc"})
_SIBLINGS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("clang++", "clang", ("flang", "flang-new")),
    ("nvc++", "nvc", ("nvfortran",)),
    ("icpx", "icx", ("ifx",)),
    ("g++", "gcc", ("gfortran",)),
    ("c++", "cc", ("gfortran",)),
)
# The linked C++ library may be that of another family.
_FORTRANS = ("gfortran", "flang", "flang-new", "ifx", "nvfortran")
_VERSIONS: tuple[tuple[Family, str], ...] = (
    ("intel", r"^Intel\(R\) oneAPI DPC\+\+/C\+\+ Compiler (\d[\d.]*)"),
    ("nvhpc", r"^nvc\+\+ (\d[\d.]*-\d+)"),
    ("aocc", r"^AMD clang version .*\(CLANG: AOCC_(\d[\d.]*)"),
    ("arm", r"^Arm C/C\+\+/Fortran Compiler version (\d[\d.]*)"),
    ("cray", r"^Cray clang version (\d[\d.]*)"),
    ("clang", r"clang version (\d[\d.]*)"),
    ("gnu", r"^\S*(?:g\+\+|c\+\+)\S* \(.*?\) (\d+\.\d+\.\d+)"),
)
_OPENMP_FLAGS = {"nvhpc": "-mp", "intel": "-qopenmp"}
_OPENMP_PROGRAM = """#include <omp.h>
int main() {
    int n_threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : n_threads)
    n_threads += omp_get_num_threads() > 0;
    return n_threads > 0 ? 0 : 1;
}
"""
_FORTRAN_LOOP = """subroutine twice(n, a)
    integer, value :: n
    real, intent(inout) :: a(n)
    integer :: i
    !$omp parallel do simd schedule(static)
    do i = 1, n
        a(i) = 2.0 * a(i)
    end do
end subroutine
"""
_PATIENCE_SECONDS = 30.0


def find_compilers(search: str | None = None) -> tuple[CompilerInstall, ...]:
    """The compilers found: usable ones first, of each family the newest first.

    Args:
        search: directories separated as in PATH; None takes PATH itself.
    """
    places = list_compilers(search)
    if not places:
        return ()
    with ThreadPoolExecutor(len(places)) as pool:
        found = list(pool.map(lambda place: describe_compiler(place, search), places))
    families = list(dict.fromkeys(("gnu", *(one.family for one in found))))
    return tuple(
        sorted(
            found,
            key=lambda one: (
                not one.usable,
                families.index(one.family),
                [-int(part) for part in re.findall(r"\d+", one.version)],
            ),
        )
    )


def list_compilers(search: str | None = None) -> list[Path]:
    """The compilers that exist, each file once, under its shortest name."""
    kept: dict[Path, Path] = {}
    for folder in folders_of(search):
        names = [name for name in _names_in(folder) if _NAMES.fullmatch(name)]
        # `c++` is a second name of another compiler, so it comes last.
        for name in sorted(names, key=lambda word: (word == "c++", len(word), word)):
            place = Path(folder) / name
            real = place.resolve()
            if os.access(place, os.X_OK) and real.name not in _CACHES:
                kept.setdefault(real, place)
    return list(kept.values())


def describe_compiler(cxx: Path, search: str | None = None) -> CompilerInstall:
    """One compiler with its version, siblings and, if it is usable, whether OpenMP works.

    Args:
        search: search path of a Fortran compiler if none belongs to it, as for PATH.
    """
    answer = run([cxx, "--version"], timeout_seconds=_PATIENCE_SECONDS)
    family, version = parse_compiler_version(answer.out)
    cc, fortran = find_siblings(cxx)
    if fortran is None or not try_fortran(fortran):
        fortran = find_fortran(cxx, search) or fortran
    fortrans = tuple(dict.fromkeys(filter(None, (fortran, find_flang(search)))))
    compiler = CompilerInstall(
        family=family, version=version, cxx=cxx, cc=cc, fortran=fortran, fortrans=fortrans
    )
    if not compiler.usable:
        return compiler
    return compiler.model_copy(update={"openmp": try_openmp(cxx, family)})


def parse_compiler_version(text: str) -> tuple[Family, str]:
    """Family and version in the output of `c++ --version`; unknown and empty if there is none."""
    for family, pattern in _VERSIONS:
        match = re.search(pattern, text, re.MULTILINE)
        if match:
            return family, match[1]
    return "unknown", ""


def find_siblings(cxx: Path) -> tuple[Path | None, Path | None]:
    """The C and the Fortran compiler of the same release in the same directory."""
    for plus, c, fortrans in _SIBLINGS:
        if cxx.name == plus or cxx.name.startswith(f"{plus}-"):
            suffix = cxx.name.removeprefix(plus)
            cc = _existing(cxx.parent / f"{c}{suffix}")
            names = (cxx.parent / f"{fortran}{suffix}" for fortran in fortrans)
            return cc, next(filter(None, map(_existing, names)), None)
    return None, None


def find_fortran(cxx: Path, search: str | None = None) -> Path | None:
    """A Fortran compiler of the family of a C++ compiler, else of any."""
    own = (names for plus, _, names in _SIBLINGS if cxx.name.startswith(plus))
    names = dict.fromkeys((*next(own, ()), *_FORTRANS))
    found = (shutil.which(name, path=search) for name in names)
    return next((Path(place) for place in found if place), None)


def find_flang(search: str | None = None) -> Path | None:
    """The newest working flang; packages may name it by its release only."""
    found = [
        Path(folder) / name
        for folder in folders_of(search)
        for name in _names_in(folder)
        if _FLANG.fullmatch(name) and os.access(Path(folder) / name, os.X_OK)
    ]
    found.sort(key=lambda place: -_release(place.name))
    return next(filter(try_fortran, found), None)


def try_fortran(fortran: Path) -> bool:
    """Whether a flang compiles our kind of loops; other compilers and timeouts count as yes."""
    if not _FLANG.fullmatch(fortran.name):
        return True
    try:
        with scratch_folder() as folder:
            source = folder / "loop.f90"
            source.write_text(_FORTRAN_LOOP)
            words = [str(fortran), "-fopenmp", "-c", str(source), "-o", f"{source}.o"]
            tried = run(words, timeout_seconds=_PATIENCE_SECONDS)
            return tried.ok or tried.code == OUT_OF_TIME
    except OSError:
        return True


def _release(name: str) -> float:
    """The number at the end of a name; a name without one is the site's default."""
    number = name.rpartition("-")[2]
    return float(number) if number.isdigit() else math.inf


def folders_of(search: str | None) -> list[str]:
    """The directories of a search path, each once.

    Args:
        search: separated as in PATH; None takes PATH itself.
    """
    path = search if search is not None else os.environ.get("PATH", os.defpath)
    return list(dict.fromkeys(filter(None, path.split(os.pathsep))))


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []


def try_openmp(cxx: Path, family: Family) -> bool | None:
    """Whether an OpenMP program compiles, links and runs; None if it takes too long."""
    flag = _OPENMP_FLAGS.get(family, "-fopenmp")
    try:
        with scratch_folder() as folder:
            source, program = folder / "openmp.cpp", folder / "openmp"
            source.write_text(_OPENMP_PROGRAM)
            built = run([cxx, flag, source, "-o", program], timeout_seconds=_PATIENCE_SECONDS)
            tried = run([program], timeout_seconds=_PATIENCE_SECONDS) if built.ok else built
            return None if tried.code == OUT_OF_TIME else built.ok and _ran(tried)
    except OSError:
        return None


def _ran(finished: Finished) -> bool:
    # If /tmp forbids execution, successful linking has to suffice.
    return finished.ok or "[Errno 13]" in finished.err


def _existing(path: Path) -> Path | None:
    return path if os.access(path, os.X_OK) else None
