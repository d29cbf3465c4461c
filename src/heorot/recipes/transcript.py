"""What the output of a program of others says, as the lines that our own programs write.

A program that Heorot's `watch` ran has a record with one region, the whole run. Patterns find what
it printed: every number becomes the count that yields it over its region's time, which is the first
time printed there, else that of the whole run. So a metric has the value that was printed, and all
that is known of samples, launches and intervals holds for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from heorot.model.catalogue.metrics import Better
from heorot.model.recipe import REGION, VALUE, Quantity, Recipe, Run, Verification
from heorot.model.run.plan import Step
from heorot.model.run.program_record import ProgramRecord
from heorot.model.run.records import CheckLine, Point, RegionLine, Scalar
from heorot.pattern import Match
from heorot.recipes.catalogue import SOLUTION_RATE, WHOLE_RUN, prints_times_only
from heorot.recipes.output import UnreadableError, layout_of, matches_of
from heorot.recipes.printed import read_name, read_number, read_scalar, shown
from heorot.recipes.values import as_text, case_values
from heorot.template import fill, placeholders
from heorot.units import parse_unit

# A time that is printed is rounded, and measured with another clock than that of the whole run.
_CLOCKS_AGREE, _ROUNDED_SECONDS = 1.02, 0.01
_Place = tuple[str, tuple[tuple[str, Scalar], ...]]


@dataclass
class _Found:
    """The numbers of one region at one point, by metric, in SI units."""

    values: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None


def transcribe(recipe: Recipe, step: Step, record: ProgramRecord, output: str) -> ProgramRecord:
    """The record of the whole run with all that its output says.

    Args:
        recipe: the program's.
        step: the launch.
        record: what `watch` wrote of it, to its end.
        output: what it printed.
    """
    (whole,), end = record.regions, record.end
    if end is None:
        return record
    try:
        found = _numbers(recipe, step, output)
    except UnreadableError as error:
        return replace(record, problem=str(error))
    better = {each.name: each.better for each in recipe.metrics}
    regions = [_region(whole, place, numbers, better) for place, numbers in found.items()]
    if prints_times_only(recipe):
        regions = [_as_solution(region) for region in regions]
    checks = [_check(each, output) for each in recipe.verification]
    checks += _too_long(recipe, found, whole.seconds[0])
    n_failed = sum(not check.passed for check in checks)
    counted = {"checks": len(checks), "failed": n_failed, "passed": end.passed and not n_failed}
    return replace(
        record,
        regions=(whole.model_copy(update={"point": _own_point(recipe, step)}), *regions),
        checks=tuple(checks),
        end=end.model_copy(update=counted),
    )


def _numbers(recipe: Recipe, step: Step, output: str) -> dict[_Place, _Found]:
    """All numbers that the metrics' patterns find, by where they belong."""
    values = case_values(recipe, step.options, layout_of(step))
    own = _own_point(recipe, step)
    found: dict[_Place, _Found] = {}
    entry = _entry_of(recipe, step)
    for quantity in recipe.metrics:
        if quantity.cases and entry not in quantity.cases:
            continue
        unit, factor = parse_unit(quantity.unit)
        for place, match in _placed(quantity, values, own, output).items():
            if place[0] == WHOLE_RUN:
                raise UnreadableError(f"`{quantity.name}` is told of {WHOLE_RUN}, which is ours")
            number = _number(quantity, match) * factor
            numbers = found.setdefault(place, _Found())
            if quantity.name in numbers.values:
                raise UnreadableError(f"`{quantity.name}` is told of {place[0]} by two patterns")
            numbers.values[quantity.name] = number
            if unit == "s" and numbers.seconds is None and not quantity.beyond_run:
                numbers.seconds = number
    if recipe.metrics and not found:
        names = ", ".join(dict.fromkeys(f"`{each.name}`" for each in recipe.metrics))
        raise UnreadableError(f"nothing it printed matches the pattern of any of {names}")
    return found


def _entry_of(recipe: Recipe, step: Step) -> str:
    """The name of the entry of `cases` that a launch is of, by its values: users choose some."""
    values = {name: as_text(value) for name, value in step.options.items()}

    def n_alike(run: Run) -> int:
        several = {
            name: each if isinstance(each, tuple) else (each,) for name, each in run.set.items()
        }
        return sum(
            values[name] in map(as_text, wanted)
            for name, wanted in several.items()
            if name in values
        )

    return max(recipe.cases, key=n_alike).name


def _own_point(recipe: Recipe, step: Step) -> Point:
    """The values of a case that no region has in its name: what makes it a problem of its own."""
    in_regions = {name for each in recipe.metrics for name in placeholders(each.region)}
    return {
        name: read_scalar(as_text(value))
        for name, value in step.options.items()
        if name not in in_regions
    }


def _placed(
    quantity: Quantity,
    values: Mapping[str, str],
    own: Mapping[str, Scalar],
    output: str,
) -> dict[_Place, Match]:
    """The matches of a metric by where they belong, one each."""
    matches = matches_of(quantity.pattern, output)
    if not matches and not quantity.optional:
        raise UnreadableError(f"nothing it printed matches the pattern of `{quantity.name}`")
    placed: dict[_Place, Match] = {}
    for match in matches:
        region = match.groups.get(REGION)
        name = read_name(region) if region else fill(quantity.region, values)
        coordinates = {
            group: read_scalar(text)
            for group, text in match.groups.items()
            if group not in {VALUE, REGION}
        }
        place = (name, tuple({**own, **dict(sorted(coordinates.items()))}.items()))
        if place in placed and quantity.pick == "only":
            where = "".join(f", {group} {value}" for group, value in coordinates.items())
            raise UnreadableError(
                f"`{quantity.name}` of {name}{where} is there twice: say `pick: first` or `last`"
            )
        if place not in placed or quantity.pick == "last":
            placed[place] = match
    return placed


def _number(quantity: Quantity, match: Match) -> float:
    """The number of a match, which must be one that something can have taken or reached."""
    text = match.groups.get(VALUE, "")
    try:
        number = read_number(text)
    except ValueError:
        raise UnreadableError(f"its `{quantity.name}` is `{shown(text)}`: no number") from None
    if not math.isfinite(number):
        raise UnreadableError(f"its `{quantity.name}` is `{shown(text)}`: not finite")
    if not 1e-60 < number < 1e60:  # noqa: PLR2004 (what a record holds, with room for factors)
        size = "small" if number < 1.0 else "large"
        raise UnreadableError(f"its `{quantity.name}` is {text[:40]}: too {size} to be measured so")
    return number


def _region(
    whole: RegionLine, place: _Place, found: _Found, better: Mapping[str, Better]
) -> RegionLine:
    """The region of a place: counts from which its metrics get the values that were printed."""
    name, point = place
    seconds = found.seconds or whole.seconds[0]
    counts = {
        metric: value * seconds if better[metric] == "higher" else seconds / value
        for metric, value in found.values.items()
    }
    return whole.model_copy(
        update={
            "name": name,
            "point": dict(point),
            "seconds": (seconds,),
            "counts": counts,
        }
    )


def _as_solution(region: RegionLine) -> RegionLine:
    """A region in whose time one problem is solved."""
    return region.model_copy(update={"counts": {**region.counts, SOLUTION_RATE: 1.0}})


def _check(wanted: Verification, output: str) -> CheckLine:
    """A verification as a check: missing lines, lines that must not be, or the worst deviation."""
    try:
        matches = matches_of(wanted.pattern, output)
    except UnreadableError:
        return _line(f"{wanted.name}: matches beyond counting", math.inf, 0.0)
    if wanted.absent:
        return _line(f"{wanted.name}: lines that should not be there", float(len(matches)), 0.0)
    if not matches:
        return _line(f"{wanted.name}: missing lines", 1.0, 0.0)
    if not wanted.has_value:
        return _line(wanted.name, 0.0, 0.0)
    deviations = [_deviation(match, wanted.expected) for match in matches]
    worst = next((each for each in deviations if math.isnan(each)), max(deviations))
    return _line(wanted.name, worst, wanted.tolerance)


def _deviation(match: Match, expected: float) -> float:
    try:
        return abs(read_number(match.groups.get(VALUE, "")) - expected)
    except ValueError:
        return math.nan


def _line(
    name: str, value: float, tolerance: float, region: str | None = None, point: Point | None = None
) -> CheckLine:
    return CheckLine(
        type="check",
        name=name,
        value=value,
        tolerance=tolerance,
        passed=value <= tolerance,
        region=region,
        point=point,
    )


def _too_long(
    recipe: Recipe, found: Mapping[_Place, _Found], whole_seconds: float
) -> Iterator[CheckLine]:
    """Printed times that are longer than the program ran: a wrong unit, or a lie."""
    most = whole_seconds * _CLOCKS_AGREE + _ROUNDED_SECONDS
    bounded = [
        each.name
        for each in recipe.metrics
        if parse_unit(each.unit)[0] == "s" and not each.beyond_run
    ]
    for (region, point), numbers in found.items():
        for name in bounded:
            if numbers.values.get(name, 0.0) > most:
                ratio = numbers.values[name] / whole_seconds
                what = f"{name} as a share of the run's time"
                yield _line(what, ratio, _CLOCKS_AGREE, region, dict(point))
