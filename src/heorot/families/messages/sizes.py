"""The sizes of messages that the options of a case ask for, as `payload/sizes.cpp` reads them."""

from __future__ import annotations

from heorot.catalogue.asked import Asked

LARGEST = 4 << 20
"""What most programs go up to unless told otherwise [B]."""
DOUBLE = 8
"""What a number takes [B]."""

# More are not worth counting exactly.
_MOST_PER_OCTAVE = 1000


def message_sizes(asked: Asked) -> list[int]:
    """The sizes [B] that a program goes through: those of a list, or of a sweep.

    A list that makes no sense gives none; the program complains of it.

    Args:
        asked: the options `sizes`, or `min-bytes`, `max-bytes` and `points-per-octave`.
    """
    if asked.word("sizes"):
        return list(asked.numbers("sizes", least=0))
    first, last = _bound(asked, "min-bytes"), _bound(asked, "max-bytes")
    per_octave = min(_MOST_PER_OCTAVE, max(1, int(asked.number("points-per-octave"))))
    octaves = max(1, int(last)).bit_length()
    powers = {round(2.0 ** (i / per_octave)) for i in range(octaves * per_octave + 1)}
    return sorted(size for size in powers | {0} if first <= size <= last)


def sizes_of_doubles(asked: Asked) -> list[int]:
    """Those sizes [B] that hold a whole number of doubles, one at least; see `message_sizes`."""
    return [size for size in message_sizes(asked) if size and size % DOUBLE == 0]


def _bound(asked: Asked, name: str) -> float:
    """An end of the sweep [B]; unlike other numbers it may be 0."""
    return 0.0 if asked.word(name) == "0" else asked.number(name)
