"""Texts of strangers, without what breaks lines or steers a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """The characters of a text that show something, and blanks."""
    return "".join(filter(str.isprintable, text))


def one_line(text: str) -> str:
    """A text without line breaks and control characters."""
    return " ".join(printable(" ".join(text.split())).split())
