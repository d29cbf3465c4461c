"""The operations of memory/stream compared with each other: by streams, by pages, and by language.

Add and triad move three words where copy and scale move two, and reach at least their rate nearly
everywhere: the uncounted write-allocate traffic is a smaller part of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from heorot.analyse.memory_bandwidth import working_set
from heorot.analyse.rows import best_on_most_cores, derive
from heorot.analyse.templates.quantities import differ, keys, limit, ratio
from heorot.analyse.templates.words import word
from heorot.families.memory import templates
from heorot.families.memory.stream import BASE_PAGES, STREAM
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result, Sentence

WORKING_SET = "working_set"
_LANGUAGES = ("", "fortran_")  # begin of the names of operations
_LEAST_SHORTFALL = 0.02  # smaller differences do not matter, however narrow the intervals
_TWO_WORDS = ("copy", "scale")
_THREE_WORDS = ("add", "triad")


def explain(context: Context) -> list[Result]:
    """The working set of every operation, as a row, for quotation."""
    derived = []
    for row in [row for row in context.rows if row.benchmark == STREAM.name]:
        stated = row.derived or "working_set_bytes" in row.point
        size = None if stated else working_set(context, row)
        if size:
            values = (size, size, size)
            derived.append(derive([row], WORKING_SET, "B", "higher", values, point=row.point))
    return derived


def find(context: Context) -> list[Finding]:
    """Whether operations on three arrays fall behind those on two."""
    pairs = list(_shortfalls(context))
    if not pairs:
        return []
    slow, fast = max(pairs, key=lambda pair: pair[1].median / pair[0].median)
    rows = {row.id: row for pair in pairs for row in pair}
    return [
        templates.SHORTFALL(
            evidence=keys(*rows.values()),
            rows=(
                (one.case, str(one.stack), one.region, word(one), other.region, word(other))
                for one, other in pairs
            ),
            slow=slow,
            fast=fast,
            least=limit(_LEAST_SHORTFALL),
        )
    ]


def _shortfalls(context: Context) -> Iterator[tuple[Result, Result]]:
    """An operation on three arrays and one on two that is significantly faster.

    A difference that perturbations may explain is no defect of a machine.
    """
    rows = {
        (row.stack, row.case, row.nodes, row.region): row
        for row in context.rows
        if row.benchmark == STREAM.name and row.ranked and not row.disturbed and not row.point
    }
    for (stack, case, nodes, region), slow in rows.items():
        for language in _LANGUAGES:
            if region in {f"{language}{name}" for name in _THREE_WORDS}:
                others = (
                    rows.get((stack, case, nodes, f"{language}{name}")) for name in _TWO_WORDS
                )
                for fast in others:
                    if fast is not None and _is_below(slow, fast):
                        yield slow, fast


def _is_below(slow: Result, fast: Result) -> bool:
    """Whether two rates differ significantly, and enough to matter."""
    matters = slow.median < (1.0 - _LEAST_SHORTFALL) * fast.median
    return matters and slow.ci_high < fast.ci_low


def base_pages(context: Context) -> Sentence | None:
    """What the absence of huge pages costs an operation on most cores; none if there are none."""
    if context.machine.node.memory.huge_pages not in {"always", "madvise"}:
        return None
    for name in ("triad", "copy"):
        base = best_on_most_cores(
            context.rows.find(STREAM.name, f"{BASE_PAGES}{name}", "bandwidth")
        )
        huge = _beside(context, base, name) if base is not None else None
        if base is not None and huge is not None:
            if differ(base, huge) and base.median < huge.median:
                of_huge = ratio(base, huge, unit="%")
                return templates.BASE_PAGES(base=base, huge=huge, of_huge=of_huge)
            return templates.SAME_IN_BASE_PAGES(base=base, huge=huge)
    return None


def _beside(context: Context, row: Result, region: str) -> Result | None:
    """Another operation of the same case."""
    return next(
        (
            one
            for one in context.rows.find(
                STREAM.name, region, "bandwidth", cores=row.cores, stack=row.stack
            )
            if one.case == row.case and one.nodes == row.nodes
        ),
        None,
    )


def languages(context: Context) -> Sentence | None:
    """Triad in Fortran compared with triad in C++, if they differ."""
    fortran = best_on_most_cores(context.rows.find(STREAM.name, "fortran_triad", "bandwidth"))
    if fortran is None:
        return None
    own = _beside(context, fortran, "triad")
    if own is None or not differ(own, fortran):
        return None
    return templates.LANGUAGES(fortran=fortran, own=own)
