"""What a program printed as plain text, whatever terminal, system or link it was printed for."""

from __future__ import annotations

import codecs
import re

# Colours, titles of windows, other character sets.
_STEERING = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b\\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)"
    "|\x1b[ -/]+[0-~]|\x1b[0-Z\\\\^-~]"
)
_BREAKS = re.compile("\r+\n|\r")
_MOSTLY = 0.9


def plain(content: bytes) -> str:
    """The text of an output: lines end with a line feed, and nothing steers a terminal.

    What stood behind a carriage return is a line of its own. A byte that is no text, such as NUL,
    becomes U+FFFD: two halves of a number with a hole between them are none.

    Args:
        content: UTF-8, or UTF-16 as some systems write files.
    """
    text = content.decode(_encoding(content), "replace").removeprefix("\ufeff")
    if "\x1b" in text or "\x9b" in text or "\x9d" in text:
        text = _STEERING.sub("", text)
    if "\r" in text:
        text = _BREAKS.sub("\n", text)
    if "\b" in text:
        text = _erased(text)
    return text.replace("\0", "\ufffd")


def _encoding(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in content:
        half = len(content) // 2 * _MOSTLY
        if content[1::2].count(0) > half:
            return "utf-16-le"
        if content[::2].count(0) > half:
            return "utf-16-be"
    return "utf-8"


def _erased(text: str) -> str:
    """The text as it stands on paper: a backspace takes the character before it."""
    kept: list[str] = []
    for letter in text:
        if letter != "\b":
            kept.append(letter)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept)
