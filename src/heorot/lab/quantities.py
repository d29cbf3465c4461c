"""What people write of a lab: its name, choices, rates and latencies (`100mbit`, `200us`)."""

from __future__ import annotations

import re
from typing import Literal

MOST_NODES = 200

# Where Slurm keeps ended jobs: in a file, or in a database.
Accounting = Literal["file", "slurmdbd", "none"]

# Policies of Slurm: backfilling; the epilog after each job (none, one that cleans up, one that does
# nothing, one that fails); enforced limits of jobs.
Scheduler = Literal["backfill", "builtin"]
Epilogue = Literal["none", "clean", "broken", "failing"]
Limits = Literal["time", "all", "none"]

_NUMBER = r"(\d+(?:\.\d+)?)\s*"
_PREFIXES = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}
_RATE = re.compile(_NUMBER + r"([kmg]?)(bit|bits|bps|b/s|bit/s|bits/s)", re.IGNORECASE)
_BYTE_RATE = re.compile(_NUMBER + r"([kKMmGg]?)B/s")
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_LATENCY = re.compile(_NUMBER + r"(s|ms|us|µs|ns)", re.IGNORECASE)
_NONE = {"none", "off", "unlimited", "max"}
# Range of rates: what a shaper can keep, and what a virtual link exceeds.
_LEAST_BITS, _MOST_BITS = 1e5, 4e11
_LONGEST_SECONDS = 10.0
_LONGEST_TEXT = 40


def is_name(text: str) -> bool:
    """Whether a lab can have this name, which becomes that of a folder."""
    return re.fullmatch(r"[a-z][a-z0-9-]{0,30}", text) is not None


def parse_rate(text: str) -> float | None:
    """A rate, or None for `none` [bit/s].

    Raises:
        ValueError: it is no rate that a link can have.
    """
    word = text.strip()
    if word.lower() in _NONE:
        return None
    if len(word) > _LONGEST_TEXT:
        raise ValueError("not a rate: too long")
    of_bytes, of_bits = _BYTE_RATE.fullmatch(word), _RATE.fullmatch(word)
    found = of_bytes or of_bits
    if found is None:
        raise ValueError(f"not a rate: {text!r} (such as 100mbit, 1gbit, 12.5MB/s or none)")
    bits = float(found[1]) * _PREFIXES[found[2].lower()] * (8.0 if of_bytes else 1.0)
    if not _LEAST_BITS <= bits <= _MOST_BITS:
        raise ValueError(f"no link has {text} (from 100kbit to 400gbit, or none)")
    return bits


def parse_latency(text: str) -> float:
    """A latency, one way [s]; `0` and `none` for the lowest possible.

    Raises:
        ValueError: it is no latency that a link can have.
    """
    word = text.strip()
    if word == "0" or word.lower() in _NONE:
        return 0.0
    if len(word) > _LONGEST_TEXT:
        raise ValueError("not a latency: too long")
    found = _LATENCY.fullmatch(word)
    if found is None:
        raise ValueError(f"not a latency: {text!r} (such as 200us, 1ms or none)")
    seconds = float(found[1]) * _SECONDS[found[2].lower()]
    if seconds > _LONGEST_SECONDS:
        raise ValueError(f"no link is as long as {text} (at most 10s)")
    return seconds
