"""Patterns written by users: matched in linear time, whatever pattern and text.

The syntax is RE2's: Python's without look-around and back-references, which need backtracking. `^`
and `$` match at the ends of lines, and `.` matches no line feed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import re2

_LONGEST = 1000
# Characters next to a match that make it a part of a longer number.
_GOES_ON = re.compile("[0-9\ufffd]|[.,'][0-9]|[eEdD][+-]?[0-9]")
_BEGAN = re.compile(r"[0-9.,\ufffd]\Z|(^|[\s=:(])[-+]\Z")
_MEMORY_BYTES = 8 << 20
_NAMED = re.compile(r"(?<!\\)(?:\\\\)*\(\?P?<(\w+)>")
# Texts without anything in common: a pattern that matches all of them is useless.
_PROBES = ("a", "7", "#")


@dataclass(frozen=True)
class Match:
    """A match of a pattern.

    Attributes:
        line: counted from 1.
        text: what matched.
        groups: texts of the named groups; groups that took no part are left out.
        cut: names of groups that are a part of a longer number.
    """

    line: int
    text: str
    groups: dict[str, str]
    cut: frozenset[str] = frozenset()


def compile_pattern(text: str) -> Any:  # noqa: ANN401 (the library has no types)
    """A compiled pattern for `find_all`.

    Raises:
        ValueError: it is not a pattern, or matches any text.
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
        raise ValueError(f"not a pattern: {reason}") from None
    names = _NAMED.findall(text)
    if len(set(names)) < len(names):  # the library would use the first one only
        raise ValueError("not a pattern: two groups have the same name")
    if all(compiled.search(probe) for probe in _PROBES):
        raise ValueError("a pattern that matches any text is useless")
    return compiled


def group_names(text: str) -> frozenset[str]:
    """The names of a pattern's groups.

    Raises:
        ValueError: it is not a pattern, or matches any text.
    """
    return frozenset(_text(name) for name in compile_pattern(text).groupindex)


def find_all(text: str, within: str, most: int) -> Iterator[Match]:
    """The matches of a pattern in order, at most `most`."""
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
    """Whether a piece of text is a part of a longer number, or contains unreadable characters."""
    inside, before = within[start:end], within[max(0, start - 2) : start]
    if not any(letter.isdecimal() for letter in inside):
        return False
    return bool(_GOES_ON.match(within, end) or _BEGAN.search(before))


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name
