"""Ends of caches that disagree with what the system reports, or with each other.

Two programs see where a level ends: by how fast they read, and by how long a load takes. Where
these are apart, neither is the end of the level, and neither speaks against the system.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.analyse.wording import keys
from heorot.families.memory.hierarchy import HIERARCHY
from heorot.families.memory.latency import LATENCY
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.levels import LEVELS, MEMORY
from heorot.model.analysis.result import Finding, Result
from heorot.model.machine.machine import Machine
from heorot.units import format_binary

_SHOWING = ((HIERARCHY.name, "read"), (LATENCY.name, "chase"))
# A level seems smaller where others use it, too, and larger where lines are not replaced in turn.
_FAR = 2.0
# Ends lie between two working sets; those that are no farther apart agree.
_ALIKE = 1.25


def find(context: Context) -> list[Finding]:
    """Whether a cache ends far from where the system says, or in two places.

    Args:
        context: the run.
    """
    apart = _disagreeing(context)
    unknown = {level for level, _ in apart}
    differing = [each for each in _differing(context) if each[1] not in unknown]
    return [*_find_apart(apart), *_find_told(differing)]


def _disagreeing(context: Context) -> list[tuple[str, list[Result]]]:
    """Levels that end in two places, with what one core sees of them by one toolchain."""
    found: list[tuple[str, list[Result]]] = []
    for level in LEVELS:
        ends: dict[str, list[Result]] = {}
        for program, region in _SHOWING:
            for row in context.rows.find(program, region, f"end_{level.lower()}", cores=1):
                ends.setdefault(row.toolchain, []).append(row)
        found += [
            (level, rows)
            for rows in ends.values()
            if max(row.ci_low for row in rows) > _ALIKE * min(row.ci_high for row in rows)
        ]
    return found


def _find_apart(apart: Sequence[tuple[str, list[Result]]]) -> list[Finding]:
    """One finding about all levels whose end is not known."""
    if not apart:
        return []
    level, rows = apart[-1]
    ends = ", ".join(f"{_between(row)} by {row.benchmark}" for row in rows)
    return [
        Finding(
            observation=f"One core finds that {level} ends {ends}: where it ends is not known.",
            severity="warning",
            evidence=keys(*(row for _, rows in apart for row in rows)),
            affected=tuple(dict.fromkeys(row.benchmark for _, rows in apart for row in rows)),
            remedy=(
                "take neither for the size of the cache; of working sets between the two, quote "
                "what was measured at their own size"
            ),
            columns=("program", "toolchain", "level", "ends above", "ends below"),
            rows=tuple(
                (
                    row.benchmark,
                    row.toolchain,
                    level,
                    format_binary(row.ci_low),
                    format_binary(row.ci_high),
                )
                for level, rows in apart
                for row in rows
            ),
        )
    ]


def _between(row: Result) -> str:
    return f"between {format_binary(row.ci_low)} and {format_binary(row.ci_high)}"


def _find_told(differing: Sequence[tuple[Result, str, float]]) -> list[Finding]:
    """One finding about all caches that are not what the system says."""
    if not differing:
        return []
    row, level, told = max(differing, key=_apart)
    return [
        Finding(
            observation=(
                f"The system says that {level} holds {format_binary(told)}; one core finds its end "
                f"{_between(row)}."
            ),
            severity="note",
            evidence=keys(*(row for row, _, _ in differing)),
            remedy=(
                "believe what was measured: a virtual machine may be told the cache of its whole "
                "host, and others may use a part of it"
            ),
            columns=("program", "toolchain", "level", "told", "ends above", "ends below"),
            rows=tuple(
                (
                    row.benchmark,
                    row.toolchain,
                    level,
                    format_binary(told),
                    format_binary(row.ci_low),
                    format_binary(row.ci_high),
                )
                for row, level, told in differing
            ),
        )
    ]


def _apart(found: tuple[Result, str, float]) -> float:
    """How many times as far as it was told a level ends, or as near."""
    row, _, told = found
    return max(told / row.ci_high, row.ci_low / told)


def _differing(context: Context) -> Iterator[tuple[Result, str, float]]:
    """Where one core sees the end of a level, its name, and the size told [B]."""
    told = _told(context.machine)
    for program, region in _SHOWING:
        for level in LEVELS:
            if level == MEMORY or level not in told:
                continue
            for row in context.rows.find(program, region, f"end_{level.lower()}", cores=1):
                size = told[level]
                if not row.ci_low / _FAR <= size <= row.ci_high * _FAR:
                    yield row, level, size


def _told(machine: Machine) -> dict[str, float]:
    """Size of the largest data cache of every level [B], however little it may be believed."""
    sizes: dict[str, float] = {}
    for cache in machine.node.caches:
        if cache.kind != "instruction" and cache.size_bytes:
            level = f"L{cache.level}"
            sizes[level] = max(sizes.get(level, 0.0), float(cache.size_bytes))
    return sizes
