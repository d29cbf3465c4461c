"""Page-walk cost, and dTLB reach.

Method: a chase with a line in every 4 KiB page waits for the line and for its address translation;
a chase through as many contiguous lines waits for the line alone, which is in the same cache. The
difference is the page-walk cost. The dTLB reach is the largest working set for which it is less
than the L1d latency.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from heorot.analyse.node_roofline.curves import SIZE, curves_of, size_of
from heorot.analyse.rows import best_on_most_cores, derive, largest
from heorot.analyse.templates.quantities import exactly, keys, limit
from heorot.families.memory import templates
from heorot.families.memory.latency import LATENCY, LINE_BYTES
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result, Sentence

_PAGE_NOTE, _HUGE_NOTE = "small_page_bytes", "share_in_huge_pages"
_USUAL_PAGE_BYTES = 4096
# Share of huge pages in a chase; below it most of its loads wait for page walks, too.
_LEAST_IN_HUGE_PAGES = 0.5


def explain(context: Context) -> list[Result]:
    """The page-walk cost by the content of the pages, and the dTLB reach."""
    near = {
        (chase[0].stack, chase[0].case): chase
        for chase in curves_of(context.rows.find(LATENCY.name, "chase", "latency"))
    }
    page_bytes = max(_noted(context, _PAGE_NOTE), default=_USUAL_PAGE_BYTES)
    derived: list[Result] = []
    for pages in curves_of(context.rows.find(LATENCY.name, "pages", "latency")):
        chase = near.get((pages[0].stack, pages[0].case))
        if chase is not None:
            derived += _translations(pages, chase, page_bytes)
            derived += _reach(pages, chase, page_bytes)
    return derived


def find(context: Context) -> list[Finding]:
    """Whether the system gave no huge pages to a chase that requests them."""
    chases = context.rows.find(LATENCY.name, "chase", "latency")
    if not chases or not lies_in_small_pages(context):
        return []
    share = min(_noted(context, _HUGE_NOTE))
    policy = context.machine.node.memory.huge_pages or "unknown"
    return [
        templates.SMALL_PAGES(
            evidence=keys(max(chases, key=size_of)),
            share=exactly(share),
            program=LATENCY.name,
            policy=policy,
            least=limit(_LEAST_IN_HUGE_PAGES),
        )
    ]


def lies_in_small_pages(context: Context) -> bool:
    """Whether most of the memory of a chase was in 4 KiB pages, as the program recorded."""
    return min(_noted(context, _HUGE_NOTE), default=1.0) < _LEAST_IN_HUGE_PAGES


def sentence(context: Context) -> Sentence | None:
    """The dTLB reach, and the page-walk cost beyond it."""
    reach = best_on_most_cores(context.rows.find(LATENCY.name, "pages", "translation_reach"))
    if reach is None:
        return None
    every = context.rows.find(LATENCY.name, "pages", "translation", stack=reach.stack)
    far = largest([row for row in every if row.case == reach.case], SIZE)
    if far is None:
        return None
    waits = far.ci_low > 0.0
    return templates.TRANSLATIONS(
        evidence=keys(reach, far),
        reach=reach,
        extent=exactly(size_of(far), "B"),
        wait=far if waits else None,
    )


def _translations(
    pages: Sequence[Result], chase: Sequence[Result], page_bytes: float
) -> Iterator[Result]:
    """The page-walk cost for every working set with page walks."""
    for row in pages:
        line = _of_as_many_lines(row, chase, page_bytes)
        centre = row.median - line.median
        if centre > 0.0:
            # A lower end below zero is zero: a wait is not negative.
            values = (centre, max(0.0, row.ci_low - line.ci_high), row.ci_high - line.ci_low)
            yield derive([row, line], "translation", "s", "lower", values, point=row.point)


def _reach(pages: Sequence[Result], chase: Sequence[Result], page_bytes: float) -> Iterator[Result]:
    """Between two working sets; none if all or no translations hit the dTLB."""
    threshold = chase[0].median
    extra = [row.median - _of_as_many_lines(row, chase, page_bytes).median for row in pages]
    last = max((i for i, each in enumerate(extra) if each < threshold), default=-1)
    if 0 <= last < len(pages) - 1:
        end = size_of(pages[last])
        values = (end, end, size_of(pages[last + 1]))
        yield derive([*pages, *chase], "translation_reach", "B", "higher", values, point={})


def _of_as_many_lines(row: Result, chase: Sequence[Result], page_bytes: float) -> Result:
    """The row of a chase through as many contiguous lines, or almost as many."""
    wanted = size_of(row) / page_bytes * LINE_BYTES
    return min(chase, key=lambda other: abs(math.log(size_of(other) / wanted)))


def _noted(context: Context, name: str) -> list[float]:
    """Notes of the program's launches under a name."""
    steps = {step.id for step in context.steps if step.benchmark == LATENCY.name}
    return [
        float(note.value)
        for outcome in context.outcomes
        if outcome.step in steps
        for note in outcome.notes
        if note.name == name
    ]
