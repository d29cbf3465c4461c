"""What the output of a program of others says, as the lines that our own programs write.

A program that Heorot's `watch` ran has a record with one region, the whole run. Patterns find what
it printed: every number becomes the count that yields it over its region's time, which is the first
time printed there, else that of the whole run. So a metric has the value that was printed, and all
that is known of samples, launches and intervals holds for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from heorot.jobs.commands import CommandEnd
from heorot.model.catalogue.metrics import Better
from heorot.model.point import Point
from heorot.model.quantities import VALUE, Verification
from heorot.model.recipe import PHASE_TIME, Recipe
from heorot.model.run.plan import Step
from heorot.model.run.program_record import ProgramRecord
from heorot.model.run.records import CheckLine, EndLine, RegionLine
from heorot.pattern import Match
from heorot.recipes.catalogue import COMMAND_TIME, SOLUTION_RATE, prints_times_only
from heorot.recipes.expand import entry_of, is_of
from heorot.recipes.found import MISSING, Found, Gap, Place, find_numbers, own_point
from heorot.recipes.output import UnreadableError, layout_of, matches_of
from heorot.recipes.printed import read_name, read_number
from heorot.recipes.values import case_values
from heorot.template import fill
from heorot.units import parse_unit

# A time that is printed is rounded, and measured with another clock than that of the whole run.
_CLOCKS_AGREE, _ROUNDED_SECONDS = 1.02, 0.01


def transcribe(
    recipe: Recipe,
    step: Step,
    record: ProgramRecord,
    output: str,
    commands: Sequence[CommandEnd] = (),
) -> ProgramRecord:
    """The record of the whole run with all that its output says.

    Args:
        record: what `watch` wrote of it, to its end.
        commands: how each of several ended.
    """
    (whole,), end = record.regions, record.end
    if end is None:
        return record
    try:
        found, gaps = find_numbers(recipe, step, output)
    except UnreadableError as error:
        return replace(record, problem=str(error))
    gaps = (*gaps, *_put_commands(found, recipe, step, commands))
    better: dict[str, Better] = {each.name: each.better for each in recipe.quantities}
    better[COMMAND_TIME] = "lower"
    regions = [_region(whole, place, numbers, better) for place, numbers in found.items()]
    if prints_times_only(recipe):
        regions = [_as_solution(region) for region in regions]
    values = case_values(recipe, step.options, layout_of(step))
    checks = [_check(each, values, output) for each in recipe.verification]
    checks += [gap.as_check() for gap in gaps]
    checks += _too_long(recipe, found, whole.seconds[0])
    whole = whole.model_copy(update={"point": own_point(recipe, step)})
    return _checked(replace(record, regions=(whole, *regions)), end, checks)


def name_failed(record: ProgramRecord, commands: Sequence[CommandEnd]) -> ProgramRecord:
    """The record of a launch that failed, with which of its commands did.

    Args:
        record: what `watch` wrote of it.
        commands: how each of several ended.
    """
    failed = [
        _line(f"exit code of `{each.name}`", each.code, 0.0) for each in commands if each.code
    ]
    return _checked(record, record.end, failed) if record.end and failed else record


def _checked(record: ProgramRecord, end: EndLine, checks: Sequence[CheckLine]) -> ProgramRecord:
    """The record with its checks, and with their number in its end line."""
    n_failed = sum(not check.passed for check in checks)
    counted = {"checks": len(checks), "failed": n_failed, "passed": end.passed and not n_failed}
    return replace(record, checks=tuple(checks), end=end.model_copy(update=counted))


def _put_commands(
    found: dict[Place, Found], recipe: Recipe, step: Step, commands: Sequence[CommandEnd]
) -> Iterator[Gap]:
    """Put the time of each of several commands where its name says; those that are missing."""
    entry, point = entry_of(recipe, step), tuple(own_point(recipe, step).items())
    wanted = [each.name for each in recipe.commands if is_of(each.cases, entry)]
    took = {each.name: each.seconds or 0.0 for each in commands}
    for name in wanted if wanted[1:] else ():
        place = read_name(name), point
        if took.get(name, 0.0) <= 0.0:
            yield Gap(COMMAND_TIME, MISSING, place)
            continue
        here = found.setdefault(place, Found())
        here.values[COMMAND_TIME] = took[name]
        here.seconds = here.seconds or took[name]


def _region(
    whole: RegionLine, place: Place, found: Found, better: Mapping[str, Better]
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
            "point": Point(dict(point)),
            "seconds": (seconds,),
            "counts": counts,
        }
    )


def _as_solution(region: RegionLine) -> RegionLine:
    """A region in whose time one problem is solved."""
    return region.model_copy(update={"counts": {**region.counts, SOLUTION_RATE: 1.0}})


def _check(wanted: Verification, values: Mapping[str, str], output: str) -> CheckLine:
    """A verification as a check: missing lines, lines that must not be, or the worst deviation."""
    name, region = wanted.name, wanted.region or None
    try:
        matches = matches_of(wanted.pattern, output)
    except UnreadableError:
        return _line(f"{name}: matches beyond counting", math.inf, 0.0, region)
    if wanted.absent:
        return _line(f"{name}: lines that should not be there", float(len(matches)), 0.0, region)
    if not matches:
        return _line(f"{name}: missing lines", 1.0, 0.0, region)
    if not wanted.has_value:
        return _line(name, 0.0, 0.0, region)
    if wanted.equals:
        asked = fill(wanted.equals, values)
        n_others = sum(not _is_equal(match, asked) for match in matches)
        return _line(f"{name}: other than `{asked}`", float(n_others), 0.0, region)
    return _line(name, _worst(matches, wanted.expected), wanted.tolerance, region)


def _is_equal(match: Match, asked: str) -> bool:
    """Whether a match has the number or the word that was asked for."""
    text = match.groups.get(VALUE, "")
    try:
        return read_number(text) == read_number(asked)
    except ValueError:
        return text.casefold() == asked.casefold()


def _worst(matches: Sequence[Match], expected: float) -> float:
    deviations = [_deviation(match, expected) for match in matches]
    return next((each for each in deviations if math.isnan(each)), max(deviations))


def _deviation(match: Match, expected: float) -> float:
    if VALUE in match.cut:
        return math.nan
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
    recipe: Recipe, found: Mapping[Place, Found], whole_seconds: float
) -> Iterator[CheckLine]:
    """Printed times that are longer than the program ran: a wrong unit, or a lie."""
    most = whole_seconds * _CLOCKS_AGREE + _ROUNDED_SECONDS
    bounded = [
        each.name
        for each in recipe.quantities
        if parse_unit(each.unit)[0] == "s" and not each.beyond_run
    ]
    for (region, point), numbers in found.items():
        for name in bounded:
            if numbers.values.get(name, 0.0) > most:
                ratio = numbers.values[name] / whole_seconds
                what = f"{name} as a share of the run's time"
                yield _line(what, ratio, _CLOCKS_AGREE, region, Point(dict(point)))
    together = sum(numbers.values.get(PHASE_TIME, 0.0) for numbers in found.values())
    if together > most:
        what = "time of all phases as a share of the run's time"
        yield _line(what, together / whole_seconds, _CLOCKS_AGREE)
