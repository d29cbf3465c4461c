"""The installed BLAS libraries that programs can load at run time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heorot.model.machine.software import BlasInstall

# Debian installs several in folders of their own; elsewhere they are in the library directory.
_FOLDERS = ("usr/lib/*-linux-gnu*/*", "usr/lib64/*", "usr/lib64", "usr/lib/*-linux-gnu*", "usr/lib")
# The name by which LAPACK links a BLAS.
_USUAL = "libblas.so.3"
# Names of libraries, and their suffixes: Fedora has OpenBLAS without threads, with its own and with
# OpenMP, AMD has BLIS without and with threads.
_FILES = {
    "libopenblas.so.[0-9]*": "",
    "libopenblasp.so.[0-9]*": "-pthreads",
    "libopenblaso.so.[0-9]*": "-openmp",
    "libblis.so.[0-9]*": "",
    "libblis-mt.so.[0-9]*": "-mt",
    "libmkl_rt.so*": "",
    _USUAL: "",
}
_MKL_ROOT = "MKLROOT"
_MODULES = "LD_LIBRARY_PATH"


@dataclass(frozen=True)
class _Kind:
    """A BLAS, identified by the name of the file behind a link.

    Attributes:
        pattern: of the file name; a group is the version. Others only number their interface.
        whole: whether it includes LAPACK.
    """

    pattern: str
    name: str
    whole: bool = True


_KINDS = (
    _Kind(r"libopenblas\w*-r([\d.]*\d)\.so", "OpenBLAS"),
    _Kind(r"libopenblas\w*\.so\..*", "OpenBLAS"),
    _Kind(r"libblis[\w-]*\.so\..*", "BLIS", whole=False),
    _Kind(r"libmkl_rt\.so.*", "MKL"),
    _Kind(r"libblas\.so\.(\d+\.\d+\.\d+)", "reference", whole=False),
)


def find_blases(
    root: Path = Path("/"), mkl_root: str | None = None, search: str | None = None
) -> tuple[BlasInstall, ...]:
    """The libraries found, one of each kind and version.

    Args:
        root: directory that contains `usr`.
        mkl_root: directory of Intel's library; None takes MKLROOT.
        search: library directories of modules, separated as in PATH; None takes LD_LIBRARY_PATH.
    """
    found: dict[tuple[str, str], BlasInstall] = {}
    mkl_root = os.environ.get(_MKL_ROOT, "") if mkl_root is None else mkl_root
    search = os.environ.get(_MODULES, "") if search is None else search
    loaded = [Path(folder) for folder in search.split(os.pathsep) if folder]
    for file, suffix in _candidates(root, mkl_root, loaded):
        install = _recognise(file, suffix)
        if install is not None:
            found.setdefault((install.name, install.version), install)
    return tuple(found.values())


def _candidates(root: Path, mkl_root: str, loaded: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    folders = [*loaded]
    folders += [folder for pattern in _FOLDERS for folder in sorted(root.glob(pattern))]
    if mkl_root:
        folders += [Path(mkl_root) / "lib", Path(mkl_root) / "lib" / "intel64"]
    for folder in folders:
        if folder.is_dir() and os.access(folder, os.R_OK | os.X_OK):
            for pattern, suffix in _FILES.items():
                yield from ((file, suffix) for file in sorted(folder.glob(pattern)))


def _recognise(file: Path, suffix: str) -> BlasInstall | None:
    """The library in a file; None if it is unknown, or a broken link."""
    kind, version = _kind_of(file)
    if kind is None:
        return None
    library = str(file) if kind.whole else ":".join(map(str, _with_lapack(file, kind)))
    return BlasInstall(name=kind.name + suffix, version=version, library=library)


def _kind_of(file: Path) -> tuple[_Kind | None, str]:
    """The library kind by the name of the file behind a link, with its version."""
    if file.exists():
        for kind in _KINDS:
            match = re.fullmatch(kind.pattern, file.resolve().name)
            if match:
                return kind, "".join(match.groups())
    return None, ""


def _with_lapack(blas: Path, kind: _Kind) -> list[Path]:
    """The library under its usual name, and LAPACK; else the library only.

    If another library has that name, LAPACK would call that one.
    """
    usual = blas.with_name(_USUAL)
    real = usual.resolve()
    own = real.name == _USUAL or _kind_of(usual)[0] == kind
    if not usual.exists() or not own or real.parent != blas.resolve().parent:
        return [blas]
    return [usual, *_reference_lapack(blas)]


def _reference_lapack(blas: Path) -> list[Path]:
    """The reference LAPACK, which calls the BLAS of the usual name that was loaded before."""
    beside = (blas.parent, blas.parent.parent / "lapack")
    return [file for folder in beside if (file := folder / "liblapack.so.3").exists()][:1]
