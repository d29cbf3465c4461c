"""Reads the numbers out of sentences and looks for each among the rows that the sentence names.

It shares no code with the wording: numbers are read as by a reader, with their units and prefixes,
and a number holds if it is that of a row, of its interval, of its share or of its coordinates, or
the ratio of two rows, as exactly as it is printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

from heorot.model.analysis.result import Result

_PREFIXES = {"": 0, "n": -9, "µ": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15}
_BINARY = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_QUOTE = re.compile(
    rf"(?<![\w.+/-])(?P<value>{_NUMBER})(?P<unit> ?(?:[A-Za-zµ%][\w/%]*))?"
    rf"(?: \[(?P<low>{_NUMBER})(?:, |…)(?P<high>{_NUMBER})"
    r"(?:(?:;| in) \d+ launch(?:es)?)?\])?"
)
_ENDS = rf"\[(?P<low>{_NUMBER})(?:, |…)(?P<high>{_NUMBER})[^]]*\]"
# A ratio, with the caution of its row.
_RATIO = re.compile(rf"{_NUMBER} {_ENDS}(?: \([^)]*\))? times")
_SHARE = re.compile(rf"(?P<value>{_NUMBER}) %(?: {_ENDS})?")
# A share from here on shows that its bound is wrong [%].
_MOST = 105.0
Numbers = float | tuple[float, ...]
# Units after a prefix; other words after a number are no units.
_UNITS = "s|B|Hz|J|W|(?:[A-Za-z]+|B)/(?:s|B|cycle)"
_PREFIXED = re.compile(rf"(?P<prefix>[nµmkMGTP]?)(?P<unit>{_UNITS})")


@dataclass(frozen=True)
class Quote:
    """A number in a text.

    Attributes:
        text: as it stands there, with unit and interval.
        values: the number, and the ends of its interval if it has one, in base units.
        resolution: half of the last digit, in base units.
        is_plain: whether it has neither unit nor interval nor decimals, and is small: a count. So
            is a width in bits, as it is known of a processor.
    """

    text: str
    values: tuple[float, ...]
    resolution: float
    is_plain: bool


def quotes(text: str) -> Iterator[Quote]:
    """The numbers of a text, in their order."""
    for found in _QUOTE.finditer(text):
        printed = [found[name] for name in ("value", "low", "high") if found[name]]
        unit = (found["unit"] or "").strip()
        scale = _scale(unit)
        decimals = len(printed[0].partition(".")[2])
        yield Quote(
            text=found[0].strip(),
            values=tuple(float(each) * (scale or 1.0) for each in printed),
            resolution=0.5001 * 10.0**-decimals * (scale or 1.0),
            is_plain=scale is None and (unit == "bits" or _is_small(printed)),
        )


def _is_small(printed: list[str]) -> bool:
    return len(printed) == 1 and re.fullmatch(r"\d\d?", printed[0]) is not None


def _scale(unit: str) -> float | None:
    """What a unit multiplies a number by; None if it is none."""
    if unit == "%":
        return 0.01
    if unit in _BINARY:
        return float(_BINARY[unit])
    found = _PREFIXED.fullmatch(unit)
    return 10.0 ** _PREFIXES[found["prefix"]] if found else None


def unfounded(text: str) -> list[str]:
    """Claims of a text whose interval contains the opposite, or that exceed the possible.

    Ratios that may be one; shares that may be more or less than nothing; more than all of anything.
    """
    found = [each[0] for each in _RATIO.finditer(text) if _contains(each, 1.0)]
    found += [each[0] for each in _SHARE.finditer(text) if each["low"] and _contains(each, 0.0)]
    return found + [each[0] for each in _SHARE.finditer(text) if float(each["value"]) > _MOST]


def _contains(found: re.Match[str], value: float) -> bool:
    return float(found["low"]) < value < float(found["high"])


def astray(
    text: str, rows: Iterable[Result], *, ratios: bool = True, beside: Iterable[Numbers] = ()
) -> list[str]:
    """The numbers of a text that none of the rows, nor two of them, has.

    Args:
        text: a sentence or a caption.
        rows: that it names.
        ratios: whether it may quote ratios of two of them.
        beside: other numbers of a table, or these with their intervals.
    """
    named = list(rows)
    tables = (each if isinstance(each, tuple) else (each,) for each in beside)
    known = [*_single(named), *(_pairs(named) if ratios else ()), *tables]
    return [
        quote.text
        for quote in quotes(text)
        if not quote.is_plain and not any(_is_of(quote, each) for each in known)
    ]


def whole_quotes(text: str, rows: Iterable[Result]) -> Iterator[tuple[str, str]]:
    """The rows whose own value a text quotes with its interval, by key, and how it does."""
    named = list(rows)
    for quote in quotes(text):
        if len(quote.values) == 3:
            of = [r for r in named if _is_of(quote, (r.median, r.ci_low, r.ci_high))]
            if len(of) == 1:
                yield of[0].id, quote.text


def _is_of(quote: Quote, known: tuple[float, ...]) -> bool:
    """Whether a number, and its ends, are those of something known."""
    near = (
        abs(value - each) <= quote.resolution
        for value, each in zip(quote.values, known, strict=False)
    )
    return len(known) >= len(quote.values) and all(near)


def _single(rows: Iterable[Result]) -> Iterator[tuple[float, ...]]:
    """The numbers of a row itself: its value, ends, share, modes and coordinates."""
    for row in rows:
        yield row.median, row.ci_low, row.ci_high
        if row.unit == "B":  # what ends between two sizes
            yield (row.ci_low,)
            yield (row.ci_high,)
        for mode in row.modes:
            yield (mode.median,)
            yield (mode.share,)
        if row.share_of_ceiling is not None and row.median:
            part = row.share_of_ceiling / row.median
            yield part * row.median, part * row.ci_low, part * row.ci_high
        for value in row.point.values():
            if not isinstance(value, str):
                yield (float(value),)


def _pairs(rows: Iterable[Result]) -> Iterator[tuple[float, ...]]:
    """The ratios of two rows, of all cores and by core, with what encloses both intervals."""
    for above, below in permutations(rows, 2):
        if below.median and below.ci_low and below.ci_high:
            ratio = (
                above.median / below.median,
                above.ci_low / below.ci_high,
                above.ci_high / below.ci_low,
            )
            yield ratio
            yield tuple(each * below.cores / above.cores for each in ratio)


def held(
    sentences: Mapping[str, Iterable[Result]], beside: Mapping[str, Iterable[Numbers]] | None = None
) -> list[str]:
    """What is wrong with quotes: numbers that no row has, and rows that are quoted in two ways.

    Args:
        sentences: with the rows that each names.
        beside: other numbers of tables, for what some of them name.
    """
    wrong, seen = [], dict[str, str]()
    for text, rows in sentences.items():
        named = list(rows)
        known = (beside or {}).get(text, ())
        wrong += [f"{number} in: {text}" for number in astray(text, named, beside=known)]
        for key, quote in whole_quotes(text, named):
            if seen.setdefault(key, quote) != quote:
                wrong.append(f"{key} is quoted as {seen[key]} and as {quote}")
    return wrong
