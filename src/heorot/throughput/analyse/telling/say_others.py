"""What is said of others who had nodes of the machine meanwhile."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from heorot.analyse.templates.quantities import exactly
from heorot.model.analysis.result import Finding, Sentence
from heorot.throughput.analyse import templates
from heorot.throughput.model.day import Day
from heorot.throughput.model.measures import Use

_ALL = 0.995
_LEAST = 5e-4


def say_others(use: Use) -> Sentence | None:
    """What others had of the machine, and what that means for all that follows; None for none."""
    if use.others is None or use.out is None:
        return None
    parts = []
    if use.others > _LEAST:
        parts.append(templates.HELD.claim(others=exactly(use.others)))
    if use.out > _LEAST:
        parts.append(templates.OUT.claim(out=exactly(use.out), both=bool(parts)))
    unwatched = use.watched < _ALL and (parts or use.watched < _LEAST)
    watched = exactly(use.watched) if unwatched else None
    if parts:
        return templates.OTHERS(parts=parts, watched=watched)
    return templates.WATCHED(watched=watched) if watched else None


def others_findings(day: Day) -> Iterable[Finding]:
    """Others on nodes that were to be empty, and other tests of Heorot."""
    seen = day.occupancy
    if seen is None:
        return
    if seen.tests:
        jobs = [*seen.tests]
        yield templates.OTHER_TEST(affected=jobs, n=len(jobs), jobs=jobs)
    begun, nodes = day.facts.begun, set(day.facts.node_names)
    before = [(a, min(b, begun)) for a, b in seen.watched if begun is not None and a < begun]
    watched = sum(b - a for a, b in before) * max(1, len(nodes))
    if not watched or begun is None or not day.alone:
        return
    held = [
        (max(0.0, min(hold.end, begun) - hold.begin) * hold.share, hold.node)
        for hold in seen.holds
        if hold.by == "others" and hold.is_seen
    ]
    share = float(np.sum([seconds for seconds, _ in held])) / watched
    if share > _LEAST:
        yield templates.NOT_ALONE(
            affected=[node for seconds, node in held if seconds > 0.0], share=exactly(share)
        )
