"""Reports programs that spend much of their processor time in the system.

Programs that need MPI to mean anything are left out: the system's part in moving messages is their
work.
"""

from __future__ import annotations

from heorot.analyse.rows import named
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import limit, plain
from heorot.analyse.templates.words import fill
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.processor_time import SYSTEM_SHARE, SYSTEM_TIME, WHOLE_RUN
from heorot.model.analysis.result import Finding, Result
from heorot.model.grouping import best_of_each

_LEAST_OF_LINE = 0.05
_LEAST_OF_FINDING = 0.20
# Starting and connecting ranks is system time: a smaller share is not reported.
_STARTING_SECONDS = 0.25
_MOST_COUNTS = 6
_MOST_ROWS = 40


def attribute(context: Context) -> list[Attribution]:
    """A sentence for every program with a significant share of system time."""
    return [
        templates.SYSTEM_SHARES(
            worst.benchmark,
            program=named(context, worst.benchmark, worst.point),
            shares=[
                templates.SYSTEM_SHARE.claim(share=plain(row, "%"), layout=_layout(row))
                for row in _counts(context, worst)
            ],
        )
        for worst in _worst(context, _LEAST_OF_LINE)
    ]


def find_system(context: Context) -> list[Finding]:
    """One finding about the programs with needless system time."""
    found = [row for row in _worst(context, _LEAST_OF_FINDING) if not _moves_messages(context, row)]
    worst = sorted(found, key=lambda row: -row.median)
    if not worst:
        return []
    first = worst[0]
    return [
        templates.IN_THE_SYSTEM(
            evidence=[row.id for row in worst],
            affected=[row.benchmark for row in worst],
            rows=(
                (row.benchmark, row.case, _layout(row).text, _share(row))
                for row in worst[:_MOST_ROWS]
            ),
            share=plain(first, "%"),
            program=first.benchmark,
            layout=_layout(first),
            others=len(worst) - 1 or None,
            least=limit(_LEAST_OF_FINDING),
        )
    ]


def _share(row: Result) -> str:
    return fill("{share:2}", {"share": plain(row, "%")})


def _moves_messages(context: Context, row: Result) -> bool:
    known = context.benchmarks.get(row.benchmark)
    return known is not None and known.needs_mpi


def _worst(context: Context, least: float) -> list[Result]:
    """The largest share of each program above the limit, if it exceeds start-up."""
    seconds = {
        row.setup: row.median
        for row in context.rows
        if row.region == WHOLE_RUN and row.metric == SYSTEM_TIME
    }
    shares = (row for row in context.rows if (row.region, row.metric) == (WHOLE_RUN, SYSTEM_SHARE))
    large = (row for row in shares if row.ranked and row.ci_low > least)
    worth = (row for row in large if seconds[row.setup] / row.ranks > _STARTING_SECONDS)
    return [*best_of_each(worth, lambda row: row.benchmark, lambda row: row.median).values()]


def _counts(context: Context, worst: Result) -> list[Result]:
    """The rows of one problem on all rank and thread counts; the largest of several problems."""
    alike = [
        row
        for row in context.rows.find(
            worst.benchmark, WHOLE_RUN, SYSTEM_SHARE, point=worst.point, stack=worst.stack
        )
        if row.is_star == worst.is_star and row.point == worst.point
    ]
    chosen = sorted(alike, key=lambda row: -row.median)[:_MOST_COUNTS]
    return sorted(chosen, key=lambda row: (row.cores, row.ranks))


def _layout(row: Result) -> Claim:
    """Such as `4 ranks`, `8 threads` or `2 ranks of 4 threads`; copies are named as such."""
    return (templates.ONE_RANK if row.ranks == 1 else templates.RANKS).claim(row=row)
