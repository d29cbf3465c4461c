"""Finds the native sources, and computes a digest over all of them."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

import heorot
from heorot.errors import SetupError

_SUFFIXES = {".cpp", ".hpp", ".f90", ".cu", ".hip", ".in", ".txt", ".cmake", ".json"}


def native_directory() -> Path:
    """The native sources: inside the installed package, or next to it in a checkout.

    Raises:
        SetupError: they are in neither place.
    """
    package = Path(heorot.__file__).resolve().parent
    for candidate in (package / "native", package.parent.parent / "native"):
        if (candidate / "CMakeLists.txt").is_file():
            return candidate
    raise SetupError("the native sources are missing", "reinstall heorot: pip install heorot")


def source_digest(native: Path) -> str:
    """Sixteen hexadecimal digits over names and contents of all native sources."""
    paths = sorted(path for path in native.rglob("*") if path.suffix in _SUFFIXES)
    return _digest(native, tuple((path, *_stamp(path)) for path in paths if path.is_file()))


def _stamp(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ino


@lru_cache(maxsize=4)
def _digest(native: Path, stamped: tuple[tuple[Path, int, int, int], ...]) -> str:
    """The digest, read once in a process as long as no file is written."""
    digest = hashlib.sha256()
    for path, *_ in stamped:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(native)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]
