"""How well bodies began together that all ranks start at a common instant."""

from __future__ import annotations

from collections.abc import Iterable

from heorot.analyse.templates import validity as templates
from heorot.analyse.templates.quantities import exactly, limit
from heorot.model.analysis.disturbance import StartQuality
from heorot.model.analysis.result import Finding
from heorot.model.grouping import group_by
from heorot.model.run.series import Series

# Fewer bodies that began in time, and what is left is a choice of the better moments.
_LEAST_KEPT = 0.95
_WINDOW = "window"


def judge_start_skew(series: Iterable[Series]) -> list[StartQuality]:
    """What became of the starts, for each program, case, toolchain and way to start.

    Args:
        series: all of the run; those without common starts are passed over.
    """
    found = group_by(
        (one for one in series if one.starts is not None),
        lambda one: (one.setup, one.synchronisation),
    )
    return [_quality(members) for members in found.values()]


def _quality(members: list[Series]) -> StartQuality:
    starts = [one.starts for one in members if one.starts is not None]
    first = members[0]
    return StartQuality(
        setup=first.setup,
        by=first.synchronisation,
        regions=len({one.key for one in members}),
        bodies=sum(each.bodies for each in starts),
        late=sum(each.late for each in starts),
        clock_error_seconds=max(each.clock_error_seconds for each in starts),
        steps=tuple(dict.fromkeys(one.step for one in members)),
    )


def find_late_starts(qualities: Iterable[StartQuality]) -> list[Finding]:
    """One finding of all cases with many late operations, the worst first; none without any."""
    late = [one for one in qualities if one.by == _WINDOW and one.kept < _LEAST_KEPT]
    if not late:
        return []
    late.sort(key=lambda one: one.kept)
    return [
        templates.LATE_STARTS(
            evidence=[step for one in late for step in one.steps],
            affected=[one.benchmark for one in late],
            rows=map(_row, late),
            n=len(late),
            late=exactly(1.0 - late[0].kept),
            one=late[0],
            kept=limit(_LEAST_KEPT),
        )
    ]


def _row(one: StartQuality) -> tuple[str, ...]:
    counts = map(str, (one.ranks, one.bodies))
    return one.benchmark, one.case, str(one.stack), *counts, f"{100.0 * (1.0 - one.kept):.0f} %"
