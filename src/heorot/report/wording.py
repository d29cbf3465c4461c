"""How the report words names, coordinates and layouts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from markupsafe import Markup

from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.result import Result
from heorot.model.catalogue.labels import LABELS
from heorot.model.point import Scalar
from heorot.units import NOTHING, format_binary, format_interval, format_quantity, noun_for

_TRAILING_ZEROS = re.compile(r"(\d)\.0+(?=\D|$)|(\.\d*?[1-9])0+(?=\D|$)")
_LAUNCHES = re.compile(r"(?:; | in )\d+ launches\]$")
_UNCERTAINTY = re.compile(r"(?<= )±[\d.]+ %")
_DIGITS = (3, 2)  # of quantities in sentences
_NUMBER_AND_UNIT = re.compile(r"(?<=\d) (?=(?:%|[pnµmkMGTP]?i?(?:B|s|flop|op|element|Hz)\b))")


def word_name(name: str) -> str:
    """The display name of an identifier: `working_set_bytes` becomes `working set`."""
    if name in LABELS:
        return LABELS[name]
    if name == "bytes":
        return "size"
    bare = name.removesuffix("_bytes").removesuffix("_seconds") if "_" in name else name
    return bare.replace("_", " ").strip() or name


def is_bytes(name: str) -> bool:
    """Whether a coordinate of that name is a size [B]."""
    return name == "bytes" or name.endswith("_bytes")


@lru_cache(maxsize=8192, typed=True)
def format_coordinate(name: str, value: Scalar | bool) -> str:
    """Prints one coordinate, sizes with their unit; whether it is a size follows from the name."""
    if isinstance(value, str | bool):
        return str(value)
    if is_bytes(name):
        return format_size(value)
    if name.endswith("_seconds"):
        return format_tick(float(value), "s")
    return group_digits(value) if isinstance(value, int) else f"{value:g}"


def format_size(n_bytes: float, digits: int = 3) -> str:
    """Prints a size [B] in powers of 1024 if it is a round one, else in powers of 1000."""
    text = format_binary(n_bytes, digits)
    whole = float(n_bytes).is_integer() and n_bytes % 1024 == 0
    return text if whole or n_bytes < 1024 else format_quantity(n_bytes, "B", digits)  # noqa: PLR2004


def format_tick(value: float, unit: str, digits: int = 3) -> str:
    """Prints a round value without the zeros behind the point: `10 GB/s`, `2.5 µs`."""
    if value == 0:
        return "0"
    return _TRAILING_ZEROS.sub(lambda m: m[1] or m[2], format_quantity(value, unit, digits))


def split_interval(
    median: float, low: float | None, high: float | None, unit: str, launches: int | None
) -> tuple[str, str]:
    """Prints a value with its unit, and its interval or range of launches on the same scale."""
    centre, _, ends = format_interval(median, low, high, unit, launches=launches).partition(" [")
    return centre, f"[{ends}" if ends else NOTHING


def split_result(row: Result) -> tuple[str, str]:
    """The value of a row, and its interval."""
    return split_interval(row.median, row.ci_low, row.ci_high, row.unit, row.n_launches)


def split_beside(
    median: float, low: float, high: float, unit: str, launches: int
) -> tuple[str, str]:
    """The same without launches, for tables with a column of launches."""
    value, ends = split_interval(median, low, high, unit, launches)
    return value, _LAUNCHES.sub("]", ends)


def split_row(row: Result) -> tuple[str, str]:
    """The same for a row."""
    return split_beside(row.median, row.ci_low, row.ci_high, row.unit, row.n_launches)


def word_point(point: Mapping[str, Scalar]) -> str:
    """Prints coordinates: `access strided, working set 16 KiB`."""
    return ", ".join(
        f"{word_name(name)} {format_coordinate(name, value)}" for name, value in point.items()
    )


def word_layout(ranks: int, threads: int, nodes: int = 1) -> str:
    """Prints a layout: `2 ranks × 4 threads`, with the nodes if there are several."""
    text = f"{ranks} rank{'s' * (ranks != 1)} × {threads} thread{'s' * (threads != 1)}"
    return f"{nodes} nodes: {text}" if nodes > 1 else text


def word_row_layout(row: Result) -> str:
    """Prints how a row was laid out: `2 copies` if every rank ran a serial copy of its own."""
    if row.is_star:
        return count(row.ranks, "copy")
    return word_layout(row.ranks, row.threads, row.nodes)


def word_result(row: Result) -> str:
    """Names a row for a reader: program, region, coordinates and layout."""
    point = f" ({word_point(row.point)})" if row.point else ""
    layout = word_row_layout(row)
    return f"{row.benchmark} {word_name(row.region)}{point}, {word_name(row.metric)}, {layout}"


def bind_units(text: str) -> str:
    """Keeps numbers and their units on one line: `4.88 kB`, `60 %`."""
    return _NUMBER_AND_UNIT.sub("\N{NO-BREAK SPACE}", text)


def mark_uncertainty(claim: Claim) -> Markup:
    """A claim in brief: uncertainty is muted, the exact interval is shown under the pointer."""
    text, parts, end = claim.short, Markup(), 0
    known = list(_quoted(claim))
    for match in _UNCERTAINTY.finditer(text):
        before = text[: match.start() - 1]
        exact = next((ends for value, ends in known if before.endswith(value)), "")
        shown = Markup('<span class="pm" title="{}">{}</span>').format(exact, bind_units(match[0]))
        parts += bind_units(text[end : match.start()]) + shown
        end = match.end()
    return parts + bind_units(text[end:])


def _quoted(claim: Claim) -> Iterator[tuple[str, str]]:
    """The quantities of a claim and of those in it, as sentences have them, with intervals."""
    for value in claim.values.values():
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Claim):
                yield from _quoted(one)
            elif isinstance(one, Quantity):
                for digits in _DIGITS:
                    centre, _, ends = format_interval(
                        one.median, one.low, one.high, one.unit, digits, launches=one.launches
                    ).partition(" [")
                    yield centre, f"[{ends}"


def count(number: int, noun: str) -> str:
    """Prints a number, in groups of digits, with its noun: `1 step`, `2 291 steps`."""
    return f"{group_digits(number)} {noun_for(number, noun)}"


def group_digits(number: int) -> str:
    """Prints a whole number in groups of three digits: `2 291`."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
