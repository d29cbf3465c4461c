"""Finds the native sources, and computes a digest over all of them."""

from __future__ import annotations

import hashlib
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
    digest = hashlib.sha256()
    for path in sorted(native.rglob("*")):
        if path.suffix in _SUFFIXES and path.is_file():
            content = path.read_bytes()
            digest.update(f"{path.relative_to(native)}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()[:16]
