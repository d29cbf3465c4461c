"""What programs said, made fit to be read."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.files import open_regular
from heorot.printable import printable

_LAST_BYTES = 2048
_LAST_LINES = 20
_WIDTH = 200
_TERMINAL_SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|.)")


def last_output(path: Path) -> str:
    """The last lines of a program's output without control characters.

    Args:
        path: the output; empty if it is missing.
    """
    try:
        with open_regular(path) as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _LAST_BYTES))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    text = _TERMINAL_SEQUENCE.sub("", text.replace("\t", "    "))
    lines = [printable(line)[:_WIDTH].rstrip() for line in text.split("\n")]
    return "\n".join([line for line in lines if line][-_LAST_LINES:])


def one_line(text: str) -> str:
    """A text without line breaks and control characters."""
    return printable(" ".join(text.split()))
