"""Lists of host names in the short form of batch systems, `n[1-3,7]`, and in full."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

# Maximum number of entries in a shortened list.
_NAMED = 4
_MOST_HOSTS = 10_000
_MOST_BRACKETS = 8


def shorten_hosts(hosts: Sequence[str]) -> str:
    """Shorten host names as batch systems do: `n[1-3,7]`; empty if there are none.

    Args:
        hosts: names; those that differ only in their numbers are joined.
    """
    if len(hosts) <= 2:  # noqa: PLR2004 (a range of two is no shorter)
        return ", ".join(hosts)
    split = [re.fullmatch(r"(.*?)(\d{1,9})(\D*)", host, re.ASCII) for host in hosts]
    # Numbers as long as one with a leading zero are padded, too: 09, 10.
    padded = {(m[1], len(m[2]), m[3]) for m in split if m and m[2].startswith("0")}
    families: dict[tuple[str, int, str], list[int]] = {}
    for host, match in zip(hosts, split, strict=True):
        key = (match[1], len(match[2]), match[3]) if match else (host, -1, "")
        key = key if key in padded or not match else (match[1], 0, match[3])
        families.setdefault(key, []).append(int(match[2]) if match else 0)
    words = [_family(*key, sorted(set(numbers))) for key, numbers in families.items()]
    more = [f"and {len(words) - _NAMED} more"] if len(words) > _NAMED + 1 else []
    return ", ".join([*(words[:_NAMED] if more else words), *more])


def _family(front: str, width: int, back: str, numbers: Sequence[int]) -> str:
    """Hosts that differ in their numbers only, as one entry."""
    if width < 0:
        return front
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    parts = [f"{a:0{width}d}" if a == b else f"{a:0{width}d}-{b:0{width}d}" for a, b in runs]
    inner = ",".join(parts)
    return f"{front}{inner}{back}" if len(numbers) == 1 else f"{front}[{inner}]{back}"


def expand_hosts(text: str) -> tuple[str, ...]:
    """The names in a list such as `n[1-3,07],login`; other text stays."""
    hosts: list[str] = []
    for part in re.findall(r"(?:[^,\[\]]|\[[^\]]*\])+", text)[:_MOST_HOSTS]:
        hosts += islice(_expand(part), _MOST_HOSTS - len(hosts))
    return tuple(hosts)


def _expand(part: str) -> list[str]:
    """The names of one entry of a list; brackets are expanded from the left."""
    names = [""]
    for _ in range(_MOST_BRACKETS):
        match = re.fullmatch(r"([^\[\]]*)\[([\d,-]*)\](.*)", part, re.ASCII | re.DOTALL)
        if match is None:
            break
        before, numbers, part = match.groups()
        found = list(islice(_numbers(numbers), _MOST_HOSTS))
        every = (f"{name}{before}{number}" for name in names for number in found)
        names = list(islice(every, _MOST_HOSTS))
    return [name + part for name in names]


def _numbers(text: str) -> Iterator[str]:
    """The numbers of `1-3,07`, padded to the length of the first of their range."""
    for span in text.split(","):
        if match := re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", span, re.ASCII):
            first, last = match[1], match[2] or match[1]
            yield from (f"{n:0{len(first)}d}" for n in range(int(first), int(last) + 1))
