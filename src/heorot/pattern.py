"""Patterns that strangers write: matched in linear time, however they and the text are made.

The syntax is RE2's: that of Python but for what would need backtracking (look-around, references
back). `^` and `$` stand for the ends of lines, and `.` matches no line feed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import re2

_LONGEST = 1000
# What a number would have behind it or before it that is no more than a piece.
_GOES_ON = re.compile("[0-9\ufffd]|[.,'][0-9]|[eEdD][+-]?[0-9]")
_BEGAN = re.compile(r"[0-9.,\ufffd]\Z|(^|[\s=:(])[-+]\Z")
_MEMORY_BYTES = 8 << 20
_NAMED = re.compile(r"(?<!\\)(?:\\\\)*\(\?P?<(\w+)>")
# What has nothing in common: a pattern that finds something in each of them tells nothing.
_PROBES = ("a", "7", "#")


@dataclass(frozen=True)
class Match:
    """Where a pattern matched.

    Attributes:
        line: counted from 1.
        text: what matched.
        groups: what the named groups matched; those that took no part are left out.
        cut: which of these are a piece of a number that goes on before or behind them.
    """

    line: int
    text: str
    groups: dict[str, str]
    cut: frozenset[str] = frozenset()


def compile_pattern(text: str) -> Any:  # noqa: ANN401 (the library has no types)
    """A pattern ready for `find_all`.

    Raises:
        ValueError: it is no pattern, or matches whatever there is.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"a pattern of more than {_LONGEST} characters")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY_BYTES
    try:
        compiled = re2.compile(f"(?m){text}", options)
    except re2.error as error:
        said = error.args[0]
        reason = said.decode(errors="replace") if isinstance(said, bytes) else str(said)
        raise ValueError(f"no pattern: {reason}") from None
    names = _NAMED.findall(text)
    if len(set(names)) < len(names):  # the library would look at the first one only
        raise ValueError("no pattern: two groups have the same name")
    if all(compiled.search(probe) for probe in _PROBES):
        raise ValueError("a pattern that matches any text tells nothing")
    return compiled


def group_names(text: str) -> frozenset[str]:
    """The names of a pattern's groups.

    Raises:
        ValueError: it is no pattern, or matches whatever there is.
    """
    return frozenset(_text(name) for name in compile_pattern(text).groupindex)


def find_all(text: str, within: str, most: int) -> Iterator[Match]:
    """The matches of a pattern, no more than `most`, in their order."""
    line, seen = 1, 0
    for number, match in enumerate(compile_pattern(text).finditer(within)):
        if number == most:
            return
        line += within.count("\n", seen, match.start())
        seen = match.start()
        groups = {
            _text(name): found for name, found in match.groupdict().items() if found is not None
        }
        places = {_text(name): place for name, place in match.re.groupindex.items()}
        spans = {name: match.span(places[name]) for name in groups}
        cut = frozenset(name for name, span in spans.items() if _is_cut(within, *span))
        yield Match(line, match.group(0), groups, cut)


def _is_cut(within: str, start: int, end: int) -> bool:
    """Whether a number goes on around a piece of a text, or something unreadable is in it."""
    inside, before = within[start:end], within[max(0, start - 2) : start]
    if not any(letter.isdecimal() for letter in inside):
        return False
    return bool(_GOES_ON.match(within, end) or _BEGAN.search(before))


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name
