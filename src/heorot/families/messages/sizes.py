"""The sizes of messages that the options of a case ask for, as `payload/sizes.cpp` reads them."""

from __future__ import annotations

from heorot.catalogue.settings import number, word
from heorot.model.catalogue.benchmark import Case

LARGEST = 4 << 20
"""What most programs go up to unless told otherwise [B]."""
DOUBLE = 8
"""What a number takes [B]."""

# More are not worth counting exactly.
_MOST_PER_OCTAVE = 1000


def message_sizes(case: Case, *, smallest: int = 0, largest: int = LARGEST) -> list[int]:
    """The sizes [B] that a program goes through: those of a list, or of a sweep.

    A list that makes no sense gives none; the program complains of it.

    Args:
        case: with the options `sizes`, or `min-bytes`, `max-bytes` and `points-per-octave`.
        smallest: where the program's sweep begins unless told otherwise [B].
        largest: where it ends [B].
    """
    listed = word(case, "sizes", "")
    if listed:
        return [int(size) for size in listed.split(",") if size.isdecimal()]
    first, last = _bound(case, "min-bytes", smallest), _bound(case, "max-bytes", largest)
    per_octave = min(_MOST_PER_OCTAVE, max(1, int(number(case, "points-per-octave", 1))))
    octaves = max(1, int(last)).bit_length()
    powers = {round(2.0 ** (i / per_octave)) for i in range(octaves * per_octave + 1)}
    return sorted(size for size in powers | {0} if first <= size <= last)


def sizes_of_doubles(case: Case, *, smallest: int = DOUBLE, largest: int = LARGEST) -> list[int]:
    """Those sizes [B] that hold a whole number of doubles, one at least; see `message_sizes`."""
    every = message_sizes(case, smallest=smallest, largest=largest)
    return [size for size in every if size and size % DOUBLE == 0]


def _bound(case: Case, name: str, default: int) -> float:
    """An end of the sweep [B]; unlike other numbers it may be 0."""
    return 0.0 if word(case, name, "") == "0" else number(case, name, default)
