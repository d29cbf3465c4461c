"""Finds the native sources, and computes a digest over all of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
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
    top = os.fspath(native)
    return _digest(top, tuple(sorted(_stamped(top), key=lambda each: each[0].split("/"))))


def _stamped(folder: str) -> Iterator[tuple[str, int, int, int]]:
    """The sources below a folder, each with its size, time of change and number."""
    with os.scandir(folder) as entries:
        for each in entries:
            if each.is_dir(follow_symlinks=False):
                yield from _stamped(each.path)
            elif os.path.splitext(each.name)[1] in _SUFFIXES and each.is_file():  # noqa: PTH122 - fast
                status = each.stat()
                yield each.path, status.st_size, status.st_mtime_ns, status.st_ino


@lru_cache(maxsize=4)
def _digest(native: str, stamped: tuple[tuple[str, int, int, int], ...]) -> str:
    """The digest, read once in a process as long as no file is written."""
    digest = hashlib.sha256()
    for path, *_ in stamped:
        content = Path(path).read_bytes()
        digest.update(f"{path[len(native) + 1 :]}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]
