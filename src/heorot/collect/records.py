"""Reads the record of a program; an invalid line is reported as a problem, never raised."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from heorot.files import open_regular, read_regular
from heorot.model.point import Point
from heorot.model.run.program_record import ProgramRecord
from heorot.model.run.ranks import OwnOfRanks
from heorot.model.run.records import (
    SCHEMA,
    CheckLine,
    EndLine,
    Line,
    NoteLine,
    RefusedLine,
    RegionLine,
    RunLine,
)
from heorot.printable import one_line

_LINE: TypeAdapter[Any] = TypeAdapter(Line)
# Most last lines are shorter; those of many ranks are not.
_TAIL_BYTES = 1 << 14


def read_record(path: Path) -> ProgramRecord:
    """Read a record as far as it is valid.

    A last line without its line feed was cut off with the program and does not count.

    Args:
        path: the record; it may be missing.
    """
    try:
        *lines, _ = read_regular(path).split(b"\n")
    except FileNotFoundError:
        return ProgramRecord()
    except OSError as error:
        return ProgramRecord(problem=f"the record cannot be read: {error.strerror}")
    parsed: list[Any] = []
    problem = ""
    for number, line in enumerate(lines, start=1):
        try:
            parsed.append(_LINE.validate_json(line))
        except ValidationError as error:
            problem = f"line {number} of the record is not valid: {_first(error)}"
            break
    return _assemble(parsed, problem)


def read_last_line(path: Path) -> Line | None:
    """The last line of a record, without reading the others.

    Args:
        path: the record; it may be missing.

    Returns:
        None if it is not valid or was cut off.
    """
    reach = _TAIL_BYTES
    try:
        with open_regular(path) as file:
            size = file.seek(0, os.SEEK_END)
            while True:
                file.seek(max(0, size - reach))
                *before, last, rest = (b"", *file.read(reach).split(b"\n"))
                if len(before) > 1 or reach >= size:
                    break
                reach *= 16
        line: Line = _LINE.validate_json(b"" if rest else last)
    except (OSError, ValidationError):
        return None
    return line


def _assemble(lines: list[Any], problem: str) -> ProgramRecord:
    """Sort the lines by kind and check their order."""
    runs = [line for line in lines if isinstance(line, RunLine)]
    ends = [line for line in lines if isinstance(line, EndLine)]
    refused = [line for line in lines if isinstance(line, RefusedLine)]
    regions = [line for line in lines if isinstance(line, RegionLine)]
    checks = [line for line in lines if isinstance(line, CheckLine)]
    return ProgramRecord(
        run=runs[0] if runs else None,
        notes=tuple(line for line in lines if isinstance(line, NoteLine)),
        regions=tuple(regions),
        checks=tuple(checks),
        refused=one_line(refused[0].reason) if refused else "",
        end=ends[0] if ends else None,
        problem=one_line(
            problem
            or _misorder(lines)
            or _miscount(regions, checks, ends)
            or _mismatch(regions, checks)
            or _misdivide(runs, regions)
            or _misattribute(runs, regions)
            or _misroute(runs, ends)
        ),
    )


def _misorder(lines: list[Any]) -> str:
    """An error in the order of the lines, or empty."""
    kinds = [line.type for line in lines]
    if not kinds:
        return ""
    if kinds[0] != "run" or kinds.count("run") != 1:
        return "the record does not begin with its one run line"
    if lines[0].schema_version != SCHEMA:
        return f"the record has schema {lines[0].schema_version}, this version reads {SCHEMA}"
    if "end" in kinds and kinds.index("end") != len(kinds) - 1:
        return "the record continues after its end line"
    return ""


def _miscount(regions: list[RegionLine], checks: list[CheckLine], ends: list[EndLine]) -> str:
    """A missing part of the record, or empty."""
    for region in regions:
        if not region.seconds:
            return f"region {region.name} of the record has no samples"
    for end in ends:
        if end.checks != len(checks):
            return f"the record has {len(checks)} checks, its end line counts {end.checks}"
        n_failed = sum(not check.passed for check in checks)
        if end.failed != n_failed:
            return f"in the record {n_failed} checks failed, its end line counts {end.failed}"
    return ""


def _mismatch(regions: list[RegionLine], checks: list[CheckLine]) -> str:
    """A duplicate region or check, a check without its region, or empty."""
    points: dict[str, set[Point]] = {}
    for region in regions:
        others = points.setdefault(region.name, set())
        if region.point in others:
            return f"region {region.name} is in the record twice"
        others.add(region.point)
    known: set[tuple[str, str | None, Point | None]] = set()
    for check in checks:
        identity = (check.name, check.region, check.point)
        if identity in known:
            return f"the check of the {check.name} is in the record twice"
        known.add(identity)
        if check.region is None:
            continue
        there, wanted = points.get(check.region, set()), (check.point or {}).items()
        if check.point not in there and not any(wanted <= point.items() for point in there):
            return f"the record has a check of region {check.region}, but not the region"
    return ""


def _misdivide(runs: list[RunLine], regions: list[RegionLine]) -> str:
    """An error in the phases of the record, or empty."""
    for region in regions:
        names = [phase.name for phase in region.phases]
        if len(set(names)) < len(names):
            return f"region {region.name} of the record has a phase twice"
        if any(phase.n_ranks != run.ranks for run in runs for phase in region.phases):
            return f"the phases of region {region.name} are not those of {runs[0].ranks} ranks"
    return ""


def _misattribute(runs: list[RunLine], regions: list[RegionLine]) -> str:
    """An error in the ranks' own times, or empty."""
    for run, region in ((run, region) for run in runs for region in regions):
        own = region.own
        if own is None:
            continue
        whose = f"the ranks' own times of region {region.name} are not those of"
        if isinstance(own, OwnOfRanks):
            if len(own.slowest) != run.ranks:
                return f"{whose} {run.ranks} ranks"
            if max(own.slowest) > len(region.seconds):
                return f"a rank was the slowest in more samples than region {region.name} has"
        elif own.hosts != tuple(dict.fromkeys(place.host for place in run.placement)):
            return f"{whose} the hosts that the ranks were on"
    return ""


def _misroute(runs: list[RunLine], ends: list[EndLine]) -> str:
    """An error in the traffic of the record, or empty."""
    for run, end in ((run, end) for run in runs for end in ends):
        traffic = end.traffic or ()
        names = [one.interface for one in traffic]
        if len(set(names)) < len(names):
            return "the record has the traffic of an interface twice"
        n_hosts = len({place.host for place in run.placement})
        if any(one.nodes > n_hosts for one in traffic):
            return f"an interface of the record is on more nodes than the {n_hosts} that it ran on"
    return ""


def _first(error: ValidationError) -> str:
    """The first error of a line, on one line."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])
