"""Parses printed text: plain text, numbers, coordinates, names of regions."""

from __future__ import annotations

import codecs
import re

from heorot.model.point import Scalar
from heorot.printable import printable

# Escape sequences: colours, window titles, character sets.
_STEERING = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b\\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)"
    "|\x1b[ -/]+[0-~]|\x1b[0-Z\\\\^-~]"
)
_BREAKS = re.compile("\r+\n|\r")
_MOSTLY = 0.9
# Numbers of C and Fortran, with or without commas between thousands.
_NUMBER = re.compile(
    r"[+-]?(?:(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:[ed][+-]?\d+)?"
    r"|[+-]?(?:inf|nan)\w*",
    re.ASCII | re.IGNORECASE,
)
# One thousand, or in many European locales a fraction.
_AMBIGUOUS = re.compile(r"[+-]?\d{1,3},\d{3}", re.ASCII)
_LONGEST = 100


def plain(content: bytes) -> str:
    """The text of an output, with line feeds and without terminal sequences.

    Text after a carriage return is a line of its own. Bytes that are not text, such as NUL, become
    U+FFFD: two halves of a number with a gap are not a number.

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
    """The text as displayed: a backspace removes the character before it."""
    kept: list[str] = []
    for letter in text:
        if letter != "\b":
            kept.append(letter)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept)


def read_number(text: str) -> float:
    """A printed number, possibly not finite.

    Raises:
        ValueError: it is no number.
    """
    if not _NUMBER.fullmatch(text) or _AMBIGUOUS.fullmatch(text):
        raise ValueError(f"no number: {text[:_LONGEST]!r}")
    return float(re.sub("[dD]", "e", text.replace(",", "")))


def read_scalar(text: str) -> Scalar:
    """A coordinate: a number if it looks like one."""
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if abs(number) < 2**63:  # neither NaN nor infinite
            return number
    return shown(text, _LONGEST)


def read_name(text: str) -> str:
    """The name of a region."""
    return shown("_".join(text.lower().split()), _LONGEST) or "program"


def shown(text: str, longest: int = 40) -> str:
    """The beginning of a text as part of a line, without terminal sequences."""
    return printable(text[:longest])
