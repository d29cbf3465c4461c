"""Caches whose size, as the system tells it, is far from where reading shows that they end."""

from __future__ import annotations

from collections.abc import Iterator

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


def find(context: Context) -> list[Finding]:
    """Whether a cache ends far from where the system says.

    Args:
        context: the run.
    """
    differing = list(_differing(context))
    if not differing:
        return []
    row, level, told = max(differing, key=_apart)
    return [
        Finding(
            observation=(
                f"The system says that {level} holds {format_binary(told)}; one core finds its end "
                f"between {format_binary(row.ci_low)} and {format_binary(row.ci_high)}."
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
