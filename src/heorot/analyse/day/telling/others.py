"""What is said of others who had nodes of the machine meanwhile."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from heorot.analyse.day.telling.words import names, percent
from heorot.model.analysis.result import Finding
from heorot.model.day.day import Day
from heorot.model.day.measures import Use
from heorot.units import plural

NOT_WATCHED = "whether others had them was not watched"
_ALL = 0.995
_LEAST = 5e-4


def say_others(use: Use) -> str:
    """What others had of the machine, and what that means for all that follows; empty for none."""
    if use.others is None or use.out is None:
        return ""
    told = []
    if use.others > _LEAST:
        told.append(f"jobs of others held {percent(use.others)} of the node time")
    if use.out > _LEAST:
        verb = "was" if told else "of the node time was"
        told.append(f"{percent(use.out)} {verb} on nodes that were down or took no jobs")
    text = ""
    if told:
        both = " and ".join(told)
        text = f"{both[0].upper()}{both[1:]}: bound, shares and simulations are of what was left. "
    if use.watched < _ALL and (told or use.watched < _LEAST):
        text += f"The queue was asked for others in {percent(use.watched)} of the time. "
    return text.strip()


def others_findings(day: Day) -> Iterable[Finding]:
    """Others on nodes that were to be empty, and other tests of Heorot.

    Args:
        day: with what was seen of others.
    """
    seen = day.occupancy
    if seen is None:
        return
    if seen.tests:
        yield Finding(
            observation=f"{plural(len(seen.tests), 'job')} of another run of Heorot ran meanwhile "
            f"({names(seen.tests)}): each disturbed the other",
            severity="warning",
            affected=seen.tests,
            remedy="run one after the other",
        )
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
        yield Finding(
            observation=f"while jobs ran alone, others held {percent(share)} of the node time: "
            "single-user times are not those of an empty system",
            severity="warning",
            affected=tuple(dict.fromkeys(node for seconds, node in held if seconds > 0.0)),
            remedy="take them again when the system is empty (--alone-from DIR uses such times)",
        )
