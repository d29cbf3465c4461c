"""Ends of caches that disagree with the system's report, or with each other.

Two programs measure the end of a level: by bandwidth, and by latency. Where they differ, neither is
the end of the level, and neither contradicts the system.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.analyse.rows import best
from heorot.analyse.templates.quantities import exactly, keys, limit
from heorot.analyse.validity.cross_checks import meeting, pair
from heorot.families.memory import templates
from heorot.families.memory.derived import translations
from heorot.families.memory.hierarchy import HIERARCHY
from heorot.families.memory.latency import LATENCY
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import LEVELS, MEMORY
from heorot.model.analysis.result import CrossCheck, Finding, Result
from heorot.model.machine.machine import Machine
from heorot.model.run.identity import Stack
from heorot.units import format_binary

_SHOWING = ((HIERARCHY.name, "read"), (LATENCY.name, "chase"))
# A level seems smaller where others use it, too, and larger where replacement is not LRU.
_FAR = 2.0
# Ends lie between two working sets; ends that are no farther apart agree.
_ALIKE = 1.25


def find(context: Context) -> list[Finding]:
    """Whether a cache ends far from its reported size, by programs that agree on its end."""
    unknown = {(level, row.stack) for level, (row, *_) in _apart_ends(context)}
    known = [each for each in _differing(context) if (each[1], each[0].stack) not in unknown]
    return _find_differing(known)


def cross_check(context: Context) -> list[CrossCheck]:
    """The end of every level by bandwidth and by latency, on one core."""
    several = len(context.stacks) > 1
    checks: list[CrossCheck] = []
    for level, rows in _ends(context):
        first, second = _farthest(rows)
        suffix = f", {first.stack}" if several else ""
        names = (f"{first.benchmark} {first.region}", f"{second.benchmark} {second.region}")
        quantity = f"the end of {level} on one core{suffix}"
        allowed = _ALIKE * meeting(first, second)
        found = pair(quantity, (first, second), names, allowed, f"ends of caches{suffix}")
        checks += [one if one.agrees else _explained(context, one, first, second) for one in found]
    return checks


def _explained(context: Context, check: CrossCheck, first: Result, second: Result) -> CrossCheck:
    """A cross-check that disagrees, with its remedy, and the cause if it was measured."""
    nearer = min(first, second, key=lambda row: row.median)
    reach = best(
        context.rows.find(LATENCY.name, "pages", "translation_reach", stack=nearer.stack, cores=1)
    )
    walks = nearer.benchmark == LATENCY.name and translations.lies_in_small_pages(context)
    cause = None
    if reach is not None and walks and reach.ci_low < nearer.ci_high:
        cause = templates.PAGE_WALKS.claim(program=nearer.benchmark, reach=reach)
    return check.model_copy(
        update={
            "evidence": keys(first, second, reach if cause else None),
            "cause": cause,
            "remedy": (
                "take neither for the size of the cache; of working sets between the two, quote "
                "what was measured at their own size"
            ),
        }
    )


def _ends(context: Context) -> Iterator[tuple[str, list[Result]]]:
    """Levels whose end is measured in two ways, with the ends on one core by one toolchain."""
    for level in LEVELS:
        ends: dict[Stack, list[Result]] = {}
        for program, region in _SHOWING:
            for row in context.rows.find(program, region, f"end_{level.lower()}", cores=1):
                ends.setdefault(row.stack, []).append(row)
        yield from ((level, rows) for rows in ends.values() if len(rows) > 1)


def _apart_ends(context: Context) -> Iterator[tuple[str, list[Result]]]:
    """Levels that end in two places."""
    for level, rows in _ends(context):
        if max(row.ci_low for row in rows) > _ALIKE * min(row.ci_high for row in rows):
            yield level, rows


def _farthest(rows: Sequence[Result]) -> tuple[Result, Result]:
    """The two that are farthest apart, in their order."""
    low, high = min(rows, key=lambda row: row.ci_high), max(rows, key=lambda row: row.ci_low)
    if low is high:
        return rows[0], rows[-1]
    first, second = sorted((low, high), key=rows.index)
    return first, second


def _find_differing(differing: Sequence[tuple[Result, str, float]]) -> list[Finding]:
    """One finding about all caches that differ from the system's report."""
    if not differing:
        return []
    row, level, stated = max(differing, key=_apart)
    return [
        templates.OTHER_SIZE(
            evidence=keys(*(row for row, _, _ in differing)),
            rows=(
                (
                    one.benchmark,
                    str(one.stack),
                    where,
                    format_binary(size),
                    format_binary(one.ci_low),
                    format_binary(one.ci_high),
                )
                for one, where, size in differing
            ),
            level=level,
            told=exactly(stated, "B"),
            end=row,
            far=limit(_FAR),
        )
    ]


def _apart(found: tuple[Result, str, float]) -> float:
    """The ratio of measured to reported size, or its inverse."""
    row, _, stated = found
    return max(stated / row.ci_high, row.ci_low / stated)


def _differing(context: Context) -> Iterator[tuple[Result, str, float]]:
    """The measured end of a level on one core, its name, and its reported size [B]."""
    stated = _stated_sizes(context.machine)
    for program, region in _SHOWING:
        for level in LEVELS:
            if level == MEMORY or level not in stated:
                continue
            for row in context.rows.find(program, region, f"end_{level.lower()}", cores=1):
                size = stated[level]
                if not row.ci_low / _FAR <= size <= row.ci_high * _FAR:
                    yield row, level, size


def _stated_sizes(machine: Machine) -> dict[str, float]:
    """Reported size of the largest data cache of every level [B], reliable or not."""
    sizes: dict[str, float] = {}
    for cache in machine.node.caches:
        if cache.kind != "instruction" and cache.size_bytes:
            level = f"L{cache.level}"
            sizes[level] = max(sizes.get(level, 0.0), float(cache.size_bytes))
    return sizes
