"""Words of a program's output as numbers, as coordinates and as names of regions."""

from __future__ import annotations

import re

from heorot.model.point import Scalar
from heorot.printable import printable

# As C and Fortran print numbers, with commas between thousands or without.
_NUMBER = re.compile(
    r"[+-]?(?:(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:[ed][+-]?\d+)?"
    r"|[+-]?(?:inf|nan)\w*",
    re.ASCII | re.IGNORECASE,
)
# Either a thousand or, as in half of Europe, a little more than one.
_AMBIGUOUS = re.compile(r"[+-]?\d{1,3},\d{3}", re.ASCII)
_LONGEST = 100


def read_number(text: str) -> float:
    """A number as programs print it; it may be none that is finite.

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
        if abs(number) < 2**63:  # neither nan nor inf
            return number
    return shown(text, _LONGEST)


def read_name(text: str) -> str:
    """The name of a region."""
    return shown("_".join(text.lower().split()), _LONGEST) or "program"


def shown(text: str, longest: int = 40) -> str:
    """Its beginning as it can stand in a line, without what steers a terminal."""
    return printable(text[:longest])
