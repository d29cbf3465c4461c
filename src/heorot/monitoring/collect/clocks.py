"""How far the clocks of nodes are apart, by what they said when they were asked.

Whoever asks notes when, what was answered, and when the answer came. A clock is ahead by the
answer less the middle of the two, give or take half of the time between them. Of several answers
the one that came fastest says most.
Source: F. Cristian, Probabilistic clock synchronization, Distributed Computing 3, 1989.
"""

from __future__ import annotations

from pathlib import Path

from heorot.model.base import Moment, Record
from heorot.store.documents import read_lines

CLOCKS = "clocks.jsonl"
"""Answers, in the directory of the samples."""


class ClockAnswer(Record):
    """What the clock of a node said.

    Attributes:
        asked, told: when, by the clock of whoever asked, Unix time [s].
        time: the answer, Unix time [s].
    """

    node: str
    asked: Moment
    time: Moment
    told: Moment


def read_clocks(directory: Path) -> dict[str, tuple[float, float]]:
    """How far each node's clock is ahead of ours, and by how much that may be wrong [s]."""
    best: dict[str, tuple[float, float]] = {}
    for answer in read_lines(directory / CLOCKS, ClockAnswer):
        error = 0.5 * (answer.told - answer.asked)
        # Our own clock was set meanwhile: nothing follows.
        if error < 0:
            continue
        if answer.node not in best or error < best[answer.node][1]:
            best[answer.node] = (answer.time - 0.5 * (answer.asked + answer.told), error)
    return best
