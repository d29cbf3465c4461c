"""Sentences in brief for the verdict: few words, two numbers, uncertainty as a share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from heorot.analyse.templates.words import Words, as_value, fill, is_known, is_several, several
from heorot.model.analysis.claims import Claim, Quantity, format_uncertainty
from heorot.model.analysis.node_roofline.levels import MOST_SHARE
from heorot.units import format_quantity

MOST_WORDS = 25
MOST_NUMBERS = 2

_UNCERTAINTY = re.compile(r" ±[\d.]+ %")
# Counts of cores, nodes, ranks or threads are the setting of a measurement, not its value.
_NUMBER = re.compile(
    r"(?<![\w.,±+-])\d+(?:[.,]\d+)*(?![\w/]|[.,]\d|[ -](?:core|node|rank|thread|copies)s?\b)"
)


def count_words(text: str) -> int:
    """The words of a text; a unit is one, an uncertainty none."""
    return len(_UNCERTAINTY.sub("", text).split())


def count_numbers(text: str) -> int:
    """The numbers of a text except those of cores and nodes, and of names such as `L1`."""
    return len(_NUMBER.findall(_UNCERTAINTY.sub("", text)))


def is_brief(text: str) -> bool:
    """Whether a text is short enough for a verdict."""
    return count_words(text) <= MOST_WORDS and count_numbers(text) <= MOST_NUMBERS


def shorten(clauses: Sequence[str], keys: Mapping[str, Any]) -> str:
    """A sentence in brief; optional clauses are dropped from the last until it is short enough.

    Args:
        clauses: of the template; empty if it never appears in a verdict.
        keys: values of placeholders.

    Returns:
        The text; empty if even the required part is too long.
    """
    kept = list(clauses)
    while kept:
        text = "".join(fill(clause, keys, _BRIEFLY) for clause in kept)
        if is_brief(text):
            return text
        optional = [place for place, clause in enumerate(kept) if clause.startswith("[")]
        if not optional:
            break
        del kept[optional[-1]]
    return ""


class _Brief(Words):
    """Words values in brief: `15.0 GB/s ±2 %`, `1.9 ±3 % times one core`."""

    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ANN401
        one = as_value(value) if value is not None else value
        if isinstance(one, Quantity):
            return _word(one, format_spec) or super().format_field(value, format_spec)
        if isinstance(one, Claim):
            return one.short
        if is_several(one) and one:
            return several(
                [each.short if isinstance(each, Claim) else each for each in one], format_spec
            )
        return super().format_field(value, format_spec)


_BRIEFLY = _Brief()


def _word(one: Quantity, form: str) -> str:
    """A quantity with its uncertainty; empty for forms without a brief one."""
    how, _, rest = form.partition(" ")
    if how in {"times", "times2"}:
        if not is_known(one):
            return rest
        return f"{_value(one, 2 if how == 'times2' else 3)} times {rest}"
    if how == "efficiency":
        share = one.median <= MOST_SHARE
        return f"an efficiency of {_value(one)}" if share else "a linear speedup"
    if how and not how.isdigit():
        return ""
    caution = _CAUTIONS.get(one.caution.partition(":")[0], "")
    return _value(one, int(how or 3)) + caution


# Cautions to be repeated wherever a median is quoted; large uncertainties are visible as such.
_CAUTIONS = {
    "perturbed": " (perturbed)",
    "two modes": " (bimodal)",
    "perturbed, two modes": " (perturbed, bimodal)",
    "perturbed, wide range": " (perturbed)",
    "perturbed, imprecise": " (perturbed)",
}


def _value(one: Quantity, digits: int = 3) -> str:
    ends = format_uncertainty(one.median, one.low, one.high)
    return " ".join(filter(None, (format_quantity(one.median, one.unit, digits), ends)))
