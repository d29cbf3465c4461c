"""Sentences on the programs of the family memory."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.memory_bandwidth import REFERENCE, memory_bandwidth
from heorot.analyse.node_roofline.curves import SIZE
from heorot.analyse.resident_sets import over, resident_set
from heorot.analyse.rows import best, largest
from heorot.analyse.templates.quantities import differ, keys, plain, ratio
from heorot.families.memory import templates
from heorot.families.memory.atomics import ATOMICS
from heorot.families.memory.derived import domains, translations
from heorot.families.memory.hierarchy import HIERARCHY
from heorot.families.memory.latency import LATENCY
from heorot.families.memory.operations import WORKING_SET, base_pages, languages
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import LEVELS, MEMORY
from heorot.model.analysis.result import Result, Sentence


def sentences(context: Context) -> list[Sentence]:
    """The sentences of the family."""
    found = (
        _memory(context),
        _latency(context),
        _levels(context),
        translations.sentence(context),
        domains.sentence(context),
        _sharing(context),
        base_pages(context),
        languages(context),
    )
    return [sentence for sentence in found if sentence is not None]


def _memory(context: Context) -> Sentence | None:
    """Triad on the most cores; the balance with the peak is reported with those of all levels."""
    found = [row for row in context.references.find(REFERENCE) if row.nodes == 1]
    most = max((row.cores for row in found if row.region == "triad"), default=0)
    every, one = (memory_bandwidth(context, "triad", each) for each in (most, 1))
    if every is None:
        return None
    sizes = context.rows.find(
        every.benchmark, every.region, WORKING_SET, cores=every.cores, stack=every.stack
    )
    extent = next((row for row in sizes if row.case == every.case), None)
    return templates.TRIAD(
        evidence=keys(every, one, extent),
        rate=every,
        over=over(context, every),
        gain=ratio(every, one) if one is not None and every.cores > 1 else None,
    )


def _latency(context: Context) -> Sentence | None:
    """Load latency at both ends of the hierarchy, and the number of outstanding loads."""
    near, far = _wait(context, "l1"), _wait(context, MEMORY)
    if far is None:
        return None
    together = largest(context.rows.find(LATENCY.name, "parallel", "parallelism"), SIZE)
    return templates.LATENCY(
        evidence=keys(far, near, together),
        far=far,
        near=near,
        loads=plain(together, "") if together is not None else None,
    )


def _wait(context: Context, level: str) -> Result | None:
    return best(context.rows.find(LATENCY.name, "chase", f"latency_{level}"))


def _levels(context: Context) -> Sentence | None:
    """The read bandwidth of one core in each level."""
    levels: dict[str, Result] = {}
    for level in LEVELS:
        found = best(
            context.rows.find(HIERARCHY.name, "read", f"bandwidth_{level.lower()}", cores=1)
        )
        if found is not None:
            levels[level] = found
    stack = next((row.stack for row in levels.values()), None)
    memory = memory_bandwidth(context, "read", 1, stack)
    home = resident_set(context, memory) if memory is not None else None
    if memory is not None:
        levels.setdefault(home[1] if home else MEMORY, memory)
    if len(levels) < 2:  # noqa: PLR2004 - nothing to compare
        return None
    return templates.LEVELS(
        levels=[templates.LEVEL.claim(rate=row, level=level) for level, row in levels.items()]
    )


def _sharing(context: Context) -> Sentence | None:
    """The cost of false sharing."""
    transfers = context.rows.find(ATOMICS.name, "bounce", "transfer_time")
    if not transfers:
        return None
    slowest = max(transfers, key=lambda row: row.median)
    fastest = min(transfers, key=lambda row: row.median)
    far = slowest if differ(slowest, fastest) else None
    shared, own = (
        _of_most_adders(context.rows.find(ATOMICS.name, region, "operation_rate"))
        for region in ("one_line", "own_lines")
    )
    both = shared is not None and own is not None and own.point["adders"] == shared.point["adders"]
    return templates.SHARING(
        evidence=keys(fastest, slowest, shared, own),
        fastest=fastest,
        slowest=far,
        shared=shared if both else None,
        own=own if both else None,
    )


def _of_most_adders(rows: Sequence[Result]) -> Result | None:
    """The row of the most threads; None if fewer than two of them added."""
    row = largest(rows, "adders")
    return row if row is not None and float(row.point["adders"]) > 1.0 else None
