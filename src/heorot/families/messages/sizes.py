"""The sizes of messages that the options of a case ask for, as `payload/sizes.cpp` reads them."""

from __future__ import annotations

from heorot.catalogue.settings import number, word
from heorot.model.catalogue.benchmark import Case

LARGEST = 4 << 20
"""What programs go up to unless told otherwise [B]."""

# More are not worth counting exactly.
_MOST_PER_OCTAVE = 1000


def message_sizes(case: Case) -> list[int]:
    """The sizes [B] that a program goes through: those of a list, or of a sweep.

    A list that makes no sense gives none; the program complains of it.

    Args:
        case: with the options `sizes`, or `min-bytes`, `max-bytes` and `points-per-octave`.
    """
    listed = word(case, "sizes", "")
    if listed:
        return [int(size) for size in listed.split(",") if size.isdecimal()]
    smallest, largest = number(case, "min-bytes", 0), number(case, "max-bytes", LARGEST)
    per_octave = min(_MOST_PER_OCTAVE, max(1, int(number(case, "points-per-octave", 1))))
    octaves = max(1, int(largest)).bit_length()
    powers = {round(2.0 ** (i / per_octave)) for i in range(octaves * per_octave + 1)}
    # An option of 0 is the default here as well as there.
    return sorted(size for size in powers | {0} if smallest <= size <= largest)
