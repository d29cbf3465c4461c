"""The BLAS libraries that a system brings, which programs can open while they run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heorot.model.machine.software import BlasInstall

# Debian keeps several beside each other, in folders of their own; elsewhere they lie in the open.
_FOLDERS = ("usr/lib/*-linux-gnu*/*", "usr/lib64/*", "usr/lib64", "usr/lib/*-linux-gnu*", "usr/lib")
_FILES = ("libopenblas.so.[0-9]*", "libblis.so.[0-9]*", "libmkl_rt.so*", "libblas.so.3")
_MKL_ROOT = "MKLROOT"


@dataclass(frozen=True)
class _Kind:
    """A BLAS, known by the name of the file that a link leads to.

    Attributes:
        pattern: of the file; a group is the version. Others number their interface only.
        name: what it is called.
        whole: whether it has LAPACK itself.
    """

    pattern: str
    name: str
    whole: bool = True


_KINDS = (
    _Kind(r"libopenblas\w*-r([\d.]*\d)\.so", "OpenBLAS"),
    _Kind(r"libopenblas\w*\.so\..*", "OpenBLAS"),
    _Kind(r"libblis\w*\.so\..*", "BLIS", whole=False),
    _Kind(r"libmkl_rt\.so.*", "MKL"),
    _Kind(r"libblas\.so\.(\d+\.\d+\.\d+)", "reference", whole=False),
)


def find_blases(root: Path = Path("/"), mkl_root: str | None = None) -> tuple[BlasInstall, ...]:
    """The libraries found, one of each kind and version.

    Args:
        root: directory that holds `usr`.
        mkl_root: where Intel's library is; None takes MKLROOT.
    """
    found: dict[tuple[str, str], BlasInstall] = {}
    for file in _candidates(root, os.environ.get(_MKL_ROOT, "") if mkl_root is None else mkl_root):
        install = _recognise(file)
        if install is not None:
            found.setdefault((install.name, install.version), install)
    return tuple(found.values())


def _candidates(root: Path, mkl_root: str) -> Iterator[Path]:
    folders = [folder for pattern in _FOLDERS for folder in sorted(root.glob(pattern))]
    if mkl_root:
        folders += [Path(mkl_root) / "lib", Path(mkl_root) / "lib" / "intel64"]
    for folder in folders:
        if folder.is_dir() and os.access(folder, os.R_OK | os.X_OK):
            for pattern in _FILES:
                yield from sorted(folder.glob(pattern))


def _recognise(file: Path) -> BlasInstall | None:
    """What a file is; None if nobody knows, or it leads nowhere."""
    if not file.exists():
        return None
    target = file.resolve()
    for kind in _KINDS:
        match = re.fullmatch(kind.pattern, target.name)
        if match:
            files = [file] if kind.whole else [_by_usual_name(file), *_lapack_beside(file)]
            version = "".join(match.groups())
            return BlasInstall(name=kind.name, version=version, library=":".join(map(str, files)))
    return None


def _by_usual_name(blas: Path) -> Path:
    """The same library under the name by which LAPACK asks for it, if it has that too."""
    usual = blas.with_name("libblas.so.3")
    return usual if usual.exists() else blas


def _lapack_beside(blas: Path) -> list[Path]:
    """The reference LAPACK, which calls whichever BLAS of the usual name was opened before it."""
    beside = (blas.parent, blas.parent.parent / "lapack")
    return [file for folder in beside if (file := folder / "liblapack.so.3").exists()][:1]
