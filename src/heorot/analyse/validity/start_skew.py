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
    """A finding for each program many of whose bodies did not begin together."""
    return [
        templates.LATE_STARTS(
            evidence=one.steps,
            affected=[one.benchmark],
            late=exactly(1.0 - one.kept),
            one=one,
            kept=limit(_LEAST_KEPT),
        )
        for one in qualities
        if one.by == _WINDOW and one.kept < _LEAST_KEPT
    ]
