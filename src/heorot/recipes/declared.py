"""The expected values of a metric in a launch, as declared by its recipe."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from heorot.model.point import Scalar
from heorot.model.quantities import REGION, VALUE, Quantity, Series
from heorot.model.recipe import Recipe
from heorot.pattern import group_names
from heorot.recipes.expand import expand
from heorot.recipes.printed import read_name, read_scalar
from heorot.recipes.values import LAYOUT_NAMES, case_values
from heorot.template import fill, placeholders

_MOST = 2000
Where = tuple[tuple[str, Scalar], ...]
"""Values of the groups of a pattern: the region, if it is a group, and coordinates, by name."""


def declared_places(quantity: Quantity, values: Mapping[str, str]) -> tuple[Where, ...] | None:
    """The values that the groups of a metric's pattern take; None if not declared.

    Raises:
        ValueError: a placeholder does not stand for a number, or there are too many values.
    """
    if not isinstance(quantity.values, dict):
        return None
    several = [
        [(name, value) for value in _taken(name, each, values)]
        for name, each in sorted(quantity.values.items())
    ]
    n = 1
    for one in several:
        n *= len(one)
    if n > _MOST:
        raise ValueError(f"these are {n} values, more than {_MOST}")
    return tuple(dict.fromkeys(itertools.product(*several)))


def declared_number(quantity: Quantity, values: Mapping[str, str]) -> int | None:
    """The declared number of values of a metric in a launch; None if not declared.

    Raises:
        ValueError: a placeholder does not stand for a number of values.
    """
    if quantity.values is None:
        return None
    if isinstance(quantity.values, dict):
        return len(declared_places(quantity, values) or ())
    n = _whole(quantity.values, values)
    if not 1 <= n <= _MOST:
        raise ValueError(f"{n} is no number of values: 1 to {_MOST}")
    return n


def names_asked(quantity: Quantity) -> tuple[str, ...]:
    """The placeholders in the declaration of a metric's values."""
    if not isinstance(quantity.values, dict):
        return _asked(quantity.values)
    found: list[str] = []
    for each in quantity.values.values():
        inner = (each.first, each.last, each.steps) if isinstance(each, Series) else each
        found += [name for one in inner for name in _asked(one)]
    return tuple(found)


def wrong_values(recipe: Recipe, quantity: Quantity) -> Iterator[str]:
    """Declared values that disagree with the pattern or the cases."""
    groups = group_names(quantity.pattern) - {VALUE}
    if isinstance(quantity.values, dict):
        for name in sorted(groups ^ quantity.values.keys()):
            which = "the pattern has no group" if name not in groups else "no values are given for"
            yield f"{which} `{name}`"
            return
    elif quantity.values is not None and not groups:
        yield "a pattern without another group than `value` has one value"
        return
    for run in recipe.cases:
        if quantity.cases and run.name not in quantity.cases:
            continue
        for case in expand(run, 1):
            try:
                values = case_values(recipe, case.options, dict.fromkeys(LAYOUT_NAMES, "1"))
                declared_number(quantity, values)
            except ValueError as error:
                yield str(error)
                return


def _asked(value: Scalar | None) -> tuple[str, ...]:
    return placeholders(value) if isinstance(value, str) else ()


def _taken(
    name: str, each: Series | tuple[Scalar, ...], values: Mapping[str, str]
) -> tuple[Scalar, ...]:
    """The values of a group."""
    if isinstance(each, Series):
        return tuple(_numbers(each, values))
    texts = (fill(one, values) if isinstance(one, str) else str(one) for one in each)
    return tuple(read_name(text) if name == REGION else read_scalar(text) for text in texts)


def _numbers(series: Series, values: Mapping[str, str]) -> list[int]:
    first = _whole(series.first, values)
    if first < 1:
        raise ValueError(f"a series begins with {first}: such numbers do not increase")
    steps = None if series.steps is None else _whole(series.steps, values)
    last = None if series.last is None else _whole(series.last, values)
    found = [first]
    while len(found) <= _MOST and (
        len(found) <= steps if steps is not None else found[-1] * series.times <= (last or 0)
    ):
        found.append(found[-1] * series.times)
    if len(found) > _MOST or (last is not None and last < first):
        raise ValueError(f"the series from {first} is empty or too long")
    return found


def _whole(value: int | str, values: Mapping[str, str]) -> int:
    text = fill(value, values) if isinstance(value, str) else str(value)
    if not text.isascii() or not text.isdecimal() or len(text) > 18:  # noqa: PLR2004 (64 bits)
        raise ValueError(f"`{text[:40]}` is no whole number")
    return int(text)
