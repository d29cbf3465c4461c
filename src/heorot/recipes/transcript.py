"""Converts the output of a third-party program to the records that our own programs write.

A program run by Heorot's `watch` has a record with one region, the whole run. Patterns find the
printed numbers: each becomes the count that yields it over its region's time, which is the first
time printed there, else that of the whole run. So a metric has the printed value, and samples,
launches and intervals apply to it.
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
from heorot.recipes.found import MISSING, Found, Gap, RegionPoint, find_numbers, own_point
from heorot.recipes.output import UnreadableError, layout_of, matches_of
from heorot.recipes.printed import read_name, read_number
from heorot.recipes.values import case_values
from heorot.template import fill
from heorot.units import parse_unit

# A printed time is rounded, and measured with another clock than that of the whole run.
_CLOCKS_AGREE, _ROUNDED_SECONDS = 1.02, 0.01


def transcribe(
    recipe: Recipe,
    step: Step,
    record: ProgramRecord,
    output: str,
    commands: Sequence[CommandEnd] = (),
) -> ProgramRecord:
    """The record of the whole run, extended by the numbers in its output.

    Args:
        record: written by `watch`, up to its end.
        commands: the ends of several commands.
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
    """The record of a failed launch, with the names of the failed commands.

    Args:
        record: written by `watch`.
        commands: the ends of several commands.
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
    found: dict[RegionPoint, Found], recipe: Recipe, step: Step, commands: Sequence[CommandEnd]
) -> Iterator[Gap]:
    """Add the times of several commands as regions of their names; and the missing ones."""
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
    whole: RegionLine, place: RegionPoint, found: Found, better: Mapping[str, Better]
) -> RegionLine:
    """A region with counts that yield the printed values of its metrics."""
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
    """A region whose time is that of one solved problem."""
    return region.model_copy(update={"counts": {**region.counts, SOLUTION_RATE: 1.0}})


def _check(wanted: Verification, values: Mapping[str, str], output: str) -> CheckLine:
    """A verification as a check: missing lines, forbidden lines, or the largest deviation."""
    name, region = wanted.name, wanted.region or None
    try:
        matches = matches_of(wanted.pattern, output)
    except UnreadableError:
        return _line(f"{name}: too many matches", math.inf, 0.0, region)
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
    """Whether a match has the expected number or word."""
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
    recipe: Recipe, found: Mapping[RegionPoint, Found], whole_seconds: float
) -> Iterator[CheckLine]:
    """Printed times longer than the program ran: a wrong unit or a wrong clock."""
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
