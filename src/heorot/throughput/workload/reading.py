"""The result of reading a workload, and access to lines of large files."""

from __future__ import annotations

import gzip
import math
import re
import zlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from heorot.errors import WorkloadError
from heorot.files import read_regular, why_not_read
from heorot.throughput.model.workload import Workload

MOST_BYTES = 1 << 31
"""Longer traces, unpacked, are refused [B]."""
LONGEST_SECONDS = 1e12
"""Longer times are refused: thirty thousand years [s]."""
HINT = "docs/workloads.md shows the formats with examples"
_GZIP = b"\x1f\x8b"
_PLAIN = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 500


@dataclass(frozen=True)
class Complaint:
    """An error or oddity of one line.

    Attributes:
        line: its number, from 1.
        lost: whether the line was left out; else it was kept as the text states.
    """

    line: int
    text: str
    lost: bool = True


@dataclass
class Odd:
    """Impossible values in a column of jobs that count nevertheless.

    Attributes:
        line: the first with such a field.
        text: the error there.
        n: number of such fields.
    """

    line: int
    text: str
    n: int = 0

    def complaint(self, column: str, taken: str = "") -> Complaint:
        """One complaint for all these lines, with the value assumed instead."""
        more = f" (`{column}` of {self.n} jobs, this the first)" if self.n > 1 else ""
        return Complaint(self.line, f"{self.text}{taken}{more}", lost=False)


@dataclass(frozen=True, eq=False)
class Reading:
    """A workload, and the unreadable parts of its file.

    Attributes:
        complaints: in the order of the lines.
    """

    workload: Workload
    complaints: tuple[Complaint, ...] = ()


def read_bytes(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """Content of a file, unpacked if it is gzip.

    Args:
        most_bytes: longer files are refused [B].

    Raises:
        WorkloadError: it cannot be read, is longer, or is packed and damaged.
    """
    try:
        content = read_regular(path, most_bytes + 1, follow=True)
    except (OSError, ValueError) as error:
        unnamed = "no file has such a name"
        reason = why_not_read(path, error) if isinstance(error, OSError) else unnamed
        raise WorkloadError(f"cannot be read: {reason}", file=path, hint=HINT) from None
    if content.startswith(_GZIP):
        content = _unpacked(content, path, most_bytes)
    if len(content) > most_bytes:
        raise WorkloadError(f"is longer than {most_bytes >> 10} KiB", file=path, hint=HINT)
    return content


def _unpacked(content: bytes, path: Path, most_bytes: int) -> bytes:
    """Content of all members, or one byte more than allowed."""
    try:
        with gzip.open(BytesIO(content)) as members:
            return members.read(most_bytes + 1)
    except (OSError, EOFError, zlib.error):
        hint = "unpack it by gunzip for details, or get it again"
        raise WorkloadError("is packed by gzip and damaged", file=path, hint=hint) from None


def finite(text: str) -> float | None:
    """A finite decimal number, None for any other text.

    Args:
        text: no `nan`, no `inf`, no digits in groups, no blanks.
    """
    if len(text) > _LONGEST_NUMBER or not _PLAIN.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def shown(text: str, longest: int = 40) -> str:
    """A piece of a foreign file for a message: short, on one line, printable."""
    text = text.strip()
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return "".join(letter if letter.isprintable() else "?" for letter in text)
