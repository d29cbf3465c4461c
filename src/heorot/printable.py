"""Foreign text without line breaks and terminal sequences."""

from __future__ import annotations


def printable(text: str) -> str:
    """The printable characters of a text, and blanks."""
    return "".join(filter(str.isprintable, text))


def one_line(text: str) -> str:
    """A text without line breaks and control characters."""
    return " ".join(printable(" ".join(text.split())).split())
