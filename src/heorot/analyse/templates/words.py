"""Words values of claims by the format specification of their placeholder.

| what stands there | specification | example |
|---|---|---|
| a quantity | none, or digits | `15.0 GB/s [14.8, 15.2; 5 launches]` |
| | `%`, `% 2`; `value`, `value 2`; `.2f`, `[.2f]`; `.0%` | `15 GB/s`; `0.25`, with ends; `25 %` |
| | `binary`; `ends` | `48 KiB`; `32 KiB and 48 KiB` |
| | `duration`; `durations` | `4 min 10 s`; `42 s [40 s to 1 min 5 s]` |
| | `percent`; `change` | `2.5 %`, `25 %`; `+2.5 %` |
| | `times as fast` | `2.0 [1.9, 2.1] times as fast`; if alike `as fast (no ...)` |
| | `efficiency` | `an efficiency of 80 % [...]`, or that it is linear or more |
| a count | none; a noun; `,`; `, launch` | `3`; `3 launches`; `1,200`; `1,200 launches` |
| | `one core|cores`; `=is|are` | `8 cores`; `are` |
| yes or no | `if so|if not` | `if so` |
| several names or claims | `and`, `or`, `;` or `,`; `and 3` names three | `a, b and c` |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Formatter
from typing import Any

from heorot.analyse.templates.quantities import exactly, is_difference, quantity
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.node_roofline.levels import MOST_SHARE
from heorot.model.analysis.result import Result
from heorot.units import (
    format_binary,
    format_duration,
    format_interval,
    format_quantity,
    noun_for,
    plural,
)

_NO_CHANGE = 5e-4
_UNITS = {"duration": "s", "%": "%", "percent": "%", "change": "%", "binary": "B"}
_SEVERAL = re.compile(r"(and|or|;|,|)( \d+)?")
_ENDS = {"and": " and ", "or": " or ", ";": "; ", ",": ", ", "": ", "}


class Words(Formatter):
    """Words values by their types."""

    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ANN401
        one = as_value("unknown" if _is_missing(value) else value)
        if isinstance(one, bool):
            return format_spec.partition("|")[0 if one else 2]
        if isinstance(one, int):
            return _count(one, format_spec)
        if isinstance(one, Quantity):
            return _quantity(one, format_spec)
        if is_several(one):
            return several([_text(each) for each in one], format_spec)
        return _text(one)


def _text(one: str | Claim) -> str:
    return one if isinstance(one, str) else one.text


def is_value(one: object) -> bool:
    """Whether something is a value of a claim, and not a record with such values."""
    return isinstance(one, str | int | Quantity | Claim) or is_several(one)


def is_several(one: object) -> bool:
    """Whether it is an enumeration, and not a named tuple."""
    return isinstance(one, list) or type(one) is tuple


def as_value(one: Any, form: str = "") -> Any:  # noqa: ANN401
    """The value that a claim keeps: a row's quantity; the name of any unknown object.

    Args:
        form: its specification, with the unit of a bare number.
    """
    if isinstance(one, Result):
        return quantity(one)
    if isinstance(one, float):
        return exactly(one, _UNITS.get(form.partition(" ")[0], ""))
    return one if is_value(one) else str(one)


def label(name: str) -> str:
    """The name of a field in a claim: `slow_cores` of `slow.cores`, `slow_n` of `slow.point[n]`.

    Fields of the subject of a claim, `one` or `row`, have their own names: `cores`, `n`.
    """
    path = re.sub(r"^(?:one|row)\b(?=\W)", "", name.replace(".point[", "["))
    return re.sub(r"\W+", "_", path).strip("_")


_WORDS = Words()


def fill(clause: str, keys: Mapping[str, Any], words: Words = _WORDS) -> str:
    """A clause with its placeholders replaced; in brackets, empty if a named value is missing.

    Elsewhere a missing value is worded as unknown: a required sentence is never left out.

    Args:
        clause: a format string, possibly in brackets.
        keys: by name; None, or an empty text or list, is a missing value.
        words: how values are worded.

    Raises:
        KeyError: it names an unknown key.
    """
    if clause.startswith("["):
        if any(_is_missing(find(name, keys)) for name, _ in placeholders(clause)):
            return ""
        clause = clause[1:-1]
    return words.vformat(clause, (), keys)


def find(name: str, keys: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """The value of a placeholder; None if it, or the object that it is a field of, is missing.

    Args:
        name: of a key, or of a field of one, such as `row.cores` or `row.point[n]`.
    """
    first = keys[re.split(r"[.\[]", name, maxsplit=1)[0]]
    return None if first is None else _WORDS.get_field(name, (), keys)[0]


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, str | list | tuple) and not value)


def word(row: Result) -> str:
    """A row's value with its interval and caution, for a table cell."""
    return _quantity(quantity(row), "")


def split_clauses(text: str) -> tuple[str, ...]:
    """The clauses of a text: the parts in brackets, with them, and the parts between.

    Args:
        text: format string; brackets within a placeholder are its own.

    Raises:
        ValueError: a bracket is not closed, or stands within others.
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if letter in "[]" and depth == 0:
            if (letter == "[") != (len(parts) % 2 == 1):
                raise ValueError(f"brackets within brackets, or not closed: {text}")
            parts.append("")
        else:
            parts[-1] += letter
    if len(parts) % 2 == 0:
        raise ValueError(f"brackets within brackets, or not closed: {text}")
    needed = (f"[{part}]" if i % 2 else part for i, part in enumerate(parts))
    return tuple(filter(None, needed))


def placeholders(clause: str) -> Iterable[tuple[str, str]]:
    """The names in a format string with their specifications, which may have names, too."""
    for _, name, form, _ in _WORDS.parse(clause):
        if name is not None:
            yield name, form or ""
            yield from placeholders(form or "")


def _count(number: int, form: str) -> str:
    one, several, many = form.partition("|")
    if several:
        verb = one.startswith("=")
        return (
            one.removeprefix("=") if number == 1 else many if verb else f"{number} {many}".rstrip()
        )
    if form.startswith(","):
        noun = form[1:].strip()
        return f"{number:,} {noun_for(number, noun)}" if noun else f"{number:,}"
    return plural(number, form) if form else str(number)


def _quantity(one: Quantity, form: str) -> str:
    how, _, rest = form.partition(" ")
    worded: dict[str, Callable[[], str]] = {
        "%": lambda: format_quantity(one.median, "%", int(rest or 3)),
        "value": lambda: format_quantity(one.median, one.unit, int(rest or 3)),
        "binary": lambda: format_binary(one.median),
        "ends": lambda: f" {rest or 'and'} ".join(map(format_binary, (one.low, one.high))),
        "duration": lambda: format_duration(one.median),
        "durations": lambda: _durations(one),
        "percent": lambda: _percent(one.median),
        "change": lambda: _change(one.median),
        "times": lambda: _times(one, rest),
        "times2": lambda: _times(one, rest, 2),
        "efficiency": lambda: _efficiency(one),
    }
    if how in worded:
        return worded[how]()
    if how.startswith("["):
        ends = [
            f"{each:{how[1:-1]}}" for each in (one.median, one.low, one.high) if each is not None
        ]
        return f"{ends[0]} [{', '.join(ends[1:])}]" if ends[1:] else ends[0]
    if how.endswith("%"):
        return f"{100.0 * one.median:{how[:-1]}f} %"
    if how[:1] in {".", "+"}:
        return f"{one.median:{form}}"
    text = _interval(one, int(how or 3))
    return f"{text} ({one.caution})" if one.caution else text


def _durations(one: Quantity) -> str:
    low, high = (format_duration(each) for each in (one.low, one.high))
    return f"{format_duration(one.median)} [{low} to {high}]"


def _percent(share: float) -> str:
    """A share [1] in per cent, with a decimal where it is small."""
    value = 100.0 * share
    return f"{value:.0f} %" if abs(value) >= 10 or value == 0 else f"{value:.1f} %"  # noqa: PLR2004


def _change(share: float) -> str:
    """A relative change [1] with its sign, if it is not zero."""
    if abs(share) < _NO_CHANGE:
        return _percent(0.0)
    return f"{'+' if share >= 0 else '−'}{_percent(abs(share))}"


def _interval(one: Quantity, digits: int = 3) -> str:
    ends = (one.median, one.low, one.high)
    return format_interval(*ends, one.unit, digits, launches=one.launches)


def is_known(one: Quantity) -> bool:
    """Whether its launches show that a ratio differs from 1."""
    return one.low is not None and one.high is not None and is_difference(one.low, one.high)


def no_difference(launches: int | None) -> str:
    """A remark on a ratio of that many launches that may be 1."""
    return f"no difference that {plural(launches or 0, 'launch')} can show"


def _times(one: Quantity, words: str, digits: int = 3) -> str:
    """If the launches show no difference, no ratio is given."""
    if not is_known(one):
        return f"{words} ({no_difference(one.launches)})"
    return f"{_interval(one, digits)} times {words}"


def _efficiency(one: Quantity) -> str:
    """The efficiency of n times the cores or nodes; if superlinear, the factor."""
    if one.median <= MOST_SHARE:
        return f"an efficiency of {_interval(one)}"
    return _times(one.model_copy(update={"unit": ""}), "a linear speedup")


def several(words: Sequence[str], form: str) -> str:
    """An enumeration, by its specification."""
    match = _SEVERAL.fullmatch(form)
    if match is None:
        raise ValueError(f"`{form}` is no specification for several values")
    end, most = _ENDS[match[1]], int(match[2] or len(words))
    comma = end if match[1] == ";" else ", "
    if len(words) > most:
        more = f"{';' if match[1] == ';' else ''} and {len(words) - most} more"
        return f"{comma.join(words[:most])}{more}"
    *most_of, last = words
    return f"{comma.join(most_of)}{end}{last}" if most_of else last
