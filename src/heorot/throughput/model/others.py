"""Who else had the nodes of a day: jobs of others, and nodes that took no jobs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from heorot.model.base import Count, Moment, Record

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Hold(Record):
    """A time in which a node, or some of its cores, could not be had.

    Attributes:
        begin, end: Unix times; from one question to the queue to the next [s].
        share: of its cores [1].
        by: `others`: jobs that are none of this day; `state`: it took no jobs, as when it is down
            or drained.
        is_seen: whether the queue showed the jobs; if not, that others had the node follows from
            its state alone.
    """

    node: str
    begin: Moment
    end: Moment
    share: Share = 1.0
    by: Literal["others", "state"] = "others"
    is_seen: bool = True


class Occupancy(Record):
    """What the queue said of others while the jobs of a day waited and ran.

    Attributes:
        watched: begins and ends of the times in which it was asked and answered [s].
        holds: by node and time.
        jobs: ids of jobs of others that had nodes.
        tests: names of those jobs that are of another run of Heorot.
        n_silent: questions that were not answered.
    """

    watched: tuple[tuple[Moment, Moment], ...] = ()
    holds: tuple[Hold, ...] = ()
    jobs: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    n_silent: Count = 0
