"""The numbers that a launch printed, by region and point, and the missing ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from heorot.model.point import Point, Scalar
from heorot.model.quantities import REGION, VALUE, Quantity
from heorot.model.recipe import Recipe
from heorot.model.run.plan import Step
from heorot.model.run.records import CheckLine
from heorot.pattern import Match, group_names
from heorot.recipes.catalogue import WHOLE_RUN
from heorot.recipes.declared import declared_number, declared_places
from heorot.recipes.expand import entry_of, is_of
from heorot.recipes.output import UnreadableError, layout_of, matches_of
from heorot.recipes.printed import read_name, read_number, read_scalar, shown
from heorot.recipes.values import as_text, case_values
from heorot.template import fill, placeholders
from heorot.units import parse_unit

RegionPoint = tuple[str, tuple[tuple[str, Scalar], ...]]
# Coordinate of a gap: not a group of any pattern, so the gap concerns no other figure.
_OF = VALUE
MISSING = ": missing values"
_TWICE = " is there twice: set `pick: first` or `last`"


@dataclass
class Found:
    """The numbers of one region at one point, by metric, in SI units."""

    values: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None


@dataclass(frozen=True)
class Gap:
    """A missing or superfluous value of a metric.

    Attributes:
        what: the error, to be put after the metric's name.
        place: region and point; None if only the number of values is known.
    """

    metric: str
    what: str
    place: RegionPoint | None = None
    n: int = 1

    def as_check(self) -> CheckLine:
        """A failed check that concerns no other figure, so these remain valid."""
        region, point = self.place or (self.metric, ())
        return CheckLine(
            type="check",
            name=f"{self.metric}{self.what}",
            value=float(self.n),
            tolerance=0.0,
            passed=False,
            region=region,
            point=Point(dict(point)) | {_OF: self.metric},
        )


def find_numbers(
    recipe: Recipe, step: Step, output: str
) -> tuple[dict[RegionPoint, Found], tuple[Gap, ...]]:
    """All numbers that match the metrics' patterns, by region and point, and the gaps.

    Raises:
        UnreadableError: there are none, or they are ambiguous.
    """
    values = case_values(recipe, step.options, layout_of(step))
    own, entry = own_point(recipe, step), entry_of(recipe, step)
    found: dict[RegionPoint, Found] = {}
    gaps: list[Gap] = []
    wanted = [each for each in recipe.quantities if is_of(each.cases, entry)]
    for quantity in wanted:
        numbers, more = _of_metric(quantity, values, own, output)
        _put(found, quantity, numbers)
        gaps += more
    if recipe.quantities and not found:
        raise UnreadableError(_nothing(recipe, gaps))
    return found, tuple(gaps)


def _put(
    found: dict[RegionPoint, Found], quantity: Quantity, numbers: Mapping[RegionPoint, float]
) -> None:
    unit, factor = parse_unit(quantity.unit)
    for place, number in numbers.items():
        here = found.setdefault(place, Found())
        if quantity.name in here.values:
            raise UnreadableError(f"`{quantity.name}` is printed for {place[0]} by two patterns")
        here.values[quantity.name] = number * factor
        if unit == "s" and here.seconds is None and not quantity.beyond_run:
            here.seconds = number * factor


def _nothing(recipe: Recipe, gaps: list[Gap]) -> str:
    """Why a launch has no number: the first refused one, else that none was found."""
    refused = next((gap for gap in gaps if gap.what != MISSING), None)
    if refused:
        of = f" of {_word(refused.place)}" if refused.place and _TWICE in refused.what else ""
        return f"its `{refused.metric}`{of}{refused.what}"
    names = ", ".join(dict.fromkeys(f"`{each.name}`" for each in recipe.quantities))
    any_of = "any of " if "," in names else ""
    return f"nothing it printed matches the pattern of {any_of}{names}"


def _word(place: RegionPoint) -> str:
    region, point = place
    return ", ".join((region, *(f"{name} {value}" for name, value in point)))


def _of_metric(
    quantity: Quantity, values: Mapping[str, str], own: Point, output: str
) -> tuple[dict[RegionPoint, float], list[Gap]]:
    """The numbers of a metric, and its gaps."""
    matches = matches_of(quantity.pattern, output)
    if not matches and quantity.optional:
        return {}, []
    placed: dict[RegionPoint, list[Match]] = {}
    for match in matches:
        placed.setdefault(_place(quantity, match, values, own), []).append(match)
    try:
        expected = _expected(quantity, values, own)
        n_expected = declared_number(quantity, values)
    except ValueError as error:
        raise UnreadableError(f"`values` of `{quantity.name}`: {error}") from None
    numbers: dict[RegionPoint, float] = {}
    gaps = list(_counted(quantity, len(placed), n_expected, expected))
    too_many = expected is None and n_expected is not None and len(placed) > n_expected
    for place, several in placed.items():
        if place[0] == WHOLE_RUN:
            raise UnreadableError(f"`{quantity.name}` is printed for {WHOLE_RUN}, a name of Heorot")
        known = not too_many and (expected is None or place in expected)
        wrong = (
            _picked(quantity, several) if known else ": a value that its recipe does not declare"
        )
        if isinstance(wrong, float):
            numbers[place] = wrong
        else:
            gaps.append(Gap(quantity.name, wrong, place))
    gaps += [Gap(quantity.name, MISSING, place) for place in expected or () if place not in placed]
    return numbers, gaps


def _expected(
    quantity: Quantity, values: Mapping[str, str], own: Point
) -> tuple[RegionPoint, ...] | None:
    """Places with values of a metric in a launch; None if not declared."""
    region = fill(quantity.region, values)
    if group_names(quantity.pattern) == {VALUE}:
        return ((region, tuple(own.items())),)
    several = declared_places(quantity, values)
    if several is None:
        return None
    places = []
    for where in several:
        taken = dict(where)
        name = str(taken.pop(REGION, region))
        places.append((name, tuple({**own, **taken}.items())))
    return tuple(places)


def _counted(
    quantity: Quantity, n: int, n_expected: int | None, expected: tuple[RegionPoint, ...] | None
) -> Iterator[Gap]:
    """Gaps concluded from the number of values, if their places are not declared."""
    if expected is not None:
        return
    if n_expected is None and n == 0:
        yield Gap(quantity.name, MISSING)
    if n_expected is not None and n < n_expected:
        yield Gap(quantity.name, MISSING, n=n_expected - n)


def _place(
    quantity: Quantity, match: Match, values: Mapping[str, str], own: Mapping[str, Scalar]
) -> RegionPoint:
    """The region and point of a match."""
    region = match.groups.get(REGION)
    name = read_name(region) if region else fill(quantity.region, values)
    coordinates = {
        group: read_scalar(text)
        for group, text in match.groups.items()
        if group not in {VALUE, REGION}
    }
    return name, tuple({**own, **dict(sorted(coordinates.items()))}.items())


def _picked(quantity: Quantity, several: list[Match]) -> float | str:
    """The number that counts of those at one place, or why there is none."""
    if len(several) > 1 and quantity.pick == "only":
        return _TWICE
    match = several[-1 if quantity.pick == "last" else 0]
    text = match.groups.get(VALUE, "")
    if match.cut:
        return f" is `{shown(text)}`: a piece of a longer number"
    try:
        number = read_number(text)
    except ValueError:
        return f" is `{shown(text)}`: no number"
    if not math.isfinite(number):
        return f" is `{shown(text)}`: not finite"
    if not 1e-60 < number < 1e60:  # noqa: PLR2004 (range of a record, with room for factors)
        size = "small" if number < 1.0 else "large"
        return f" is `{shown(text)}`: too {size} to be measured so"
    return number


def own_point(recipe: Recipe, step: Step) -> Point:
    """The values of a case that are not part of a region's name: they identify a problem."""
    in_regions = {name for each in recipe.metrics for name in placeholders(each.region)}
    own = {name: value for name, value in step.options.items() if name not in in_regions}
    return Point({name: read_scalar(as_text(value)) for name, value in own.items()})
