"""Reads small files of /proc and /sys below a root; unreadable values are None."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path("/")
"""The directory with `proc`, `sys` and `etc`; another one is a copy of a node."""

# Signed integers of the kernel have 64 bits; longer numbers are invalid.
_WORD = 2**63
# Patterns of valid numbers.
_NUMBER = r"[0-9]{1,9}"
INTEGER = r"\d{1,15}"
DECIMAL = r"\d{1,9}(?:\.\d{0,9})?"


def read_text(path: Path) -> str | None:
    """The stripped contents of a small file, or None if it is missing or unreadable."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except (OSError, ValueError):
        return None


def read_integer(path: Path) -> int | None:
    """The decimal number in a file, or None."""
    return parse_integer(read_text(path))


def read_count(path: Path) -> int | None:
    """The decimal number in a file, or None if there is none or it is negative."""
    number = read_integer(path)
    return number if number is not None and number >= 0 else None


def parse_integer(text: str | None) -> int | None:
    """A decimal number, or None if the text is something else."""
    try:
        number = int(text) if text is not None else None
    except ValueError:
        return None
    return number if number is not None and abs(number) < _WORD else None


def list_names(path: Path) -> list[str]:
    """The sorted names in a directory; none if it is missing or unreadable."""
    try:
        return sorted(entry.name for entry in path.iterdir())
    except (OSError, ValueError):
        return []


def numbered(path: Path, stem: str) -> list[tuple[int, Path]]:
    """The entries `stem0`, `stem1`... of a directory with their numbers, in order of these."""
    tails = [(name.removeprefix(stem), name) for name in list_names(path) if name.startswith(stem)]
    return sorted((int(tail), path / name) for tail, name in tails if re.fullmatch(_NUMBER, tail))


def parse_fields(text: str) -> dict[str, str]:
    """The `key : value` lines of a text; the first line of a key counts."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip(), value.strip())
    return fields
