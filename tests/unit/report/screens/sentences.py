"""The limits of sentences of verdicts: 25 words, and two numbers with their uncertainty."""

from __future__ import annotations

import re

MOST_WORDS, MOST_NUMBERS = 25, 2

_INTERVAL = re.compile(r" \[[^\]]*\]")
_DURATION = re.compile(r"(\d+ (?:d|h|min)) \d+ (?:h|min|s)\b")
# Sizes of machines are no results, and names such as `adf7` hold no number.
_NUMBER = re.compile(r"(?<![\w.-])\d[\d.,]*(?![\w/]| (?:core|node|rank|thread)s?\b)")


def excess(text: str) -> str:
    """The part of a sentence beyond the limits; empty if there is none."""
    plain = _DURATION.sub(r"\1", _INTERVAL.sub("", text))
    n_words, numbers = len(plain.split()), _NUMBER.findall(plain)
    too_long = f"{n_words} words: {text}" if n_words > MOST_WORDS else ""
    return too_long or (f"{numbers}: {text}" if len(numbers) > MOST_NUMBERS else "")
