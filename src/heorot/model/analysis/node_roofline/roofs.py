"""What units and memory allow to programs, and where these stand below that."""

from __future__ import annotations

from pydantic import Field

from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.node_roofline.levels import MOST_SHARE, word_home
from heorot.model.base import Record
from heorot.model.resource import Resource
from heorot.model.run.identity import Key, Measured, Stack


class FlopPeak(Record):
    """What the multiply-add units of some cores do with vectors of one width.

    Attributes:
        vector_bytes: the width; 0 if it is not known [B].
        rate: [flop/s].
        most: what bounds programs: the most that was seen [flop/s].
    """

    vector_bytes: int
    rate: float
    row: str
    most: float


class BandwidthRoof(Record):
    """What a level of the memory feeds to some cores.

    Attributes:
        rate: at which bytes are fetched from it [B/s].
        most: what bounds programs: the most that was seen [B/s].
        carried: at which bytes are fetched from it and written back to it; 0 if it is not told
            apart [B/s].
    """

    level: str
    rate: float
    row: str
    most: float
    carried: float = 0.0


class Roofs(Record):
    """What limits programs on some cores of a node.

    Attributes:
        peaks: of the units, the highest first; at least one.
        feeds: of the levels, nearest first; at least one.
        waiting: what memory feeds to cores that wait for each line before they ask for the next.
    """

    stack: Stack
    of: Resource
    peaks: tuple[FlopPeak, ...] = Field(min_length=1)
    feeds: tuple[BandwidthRoof, ...] = Field(min_length=1)
    waiting: BandwidthRoof | None = None

    @property
    def highest(self) -> FlopPeak:
        """The peak."""
        return self.peaks[0]

    def feed(self, level: str) -> BandwidthRoof | None:
        """What a level feeds; None if it was not measured."""
        return next((feed for feed in self.feeds if feed.level == level), None)


class RooflinePoint(Measured, Record):
    """Where a measured region stands below the roofs.

    Attributes:
        intensity: flops for each byte that the algorithm has to fetch from that level [flop/B].
        rate: flops per second of all cores.
        level: where its working set lives; empty if nobody knows how large that is.
        working_set_bytes: of one core; None if it is not known [B].
        beside: the level that holds a part of such a working set, too, by how fast it is fed;
            empty if one holds all of it.
        feed: what as many cores can fetch of such a working set [B/s].
        ceiling: what the units of as many cores can compute [flop/s].
        bound: the lowest of ceiling, intensity times feed, and what memory carries both ways
            [flop/s].
        measured_intensity: flops for each byte that the controllers of the memory were seen to
            move; None where nobody counted these [flop/B].
        headline: whether it stands for its program in the figure.
        disturbed: whether only disturbed samples exist.
        row: the one with its share of the bound.
    """

    key: Key
    of: Resource
    intensity: float
    rate: Middle
    n_launches: int
    level: str
    working_set_bytes: float | None
    beside: str = ""
    feed: float
    ceiling: float
    bound: float
    measured_intensity: float | None = None
    headline: bool = False
    disturbed: bool = False
    row: str = ""

    @property
    def home(self) -> str:
        """Where its working set lives, in words: a level, or two."""
        return word_home(self.level, self.beside)

    @property
    def share(self) -> float | None:
        """Of the bound; None if the rate passes it, so that it is none."""
        share = self.rate.median / self.bound
        return share if share <= MOST_SHARE else None

    @property
    def share_of_peak(self) -> float:
        """Of what the units compute."""
        return self.rate.median / self.ceiling

    @property
    def of_bound(self) -> Middle:
        """The share of the bound with its interval; the bound is the most that was seen."""
        return self.rate.scaled(1.0 / self.bound)

    @property
    def of_peak(self) -> Middle:
        """The same of what the units compute."""
        return self.rate.scaled(1.0 / self.ceiling)

    @property
    def by_units(self) -> bool:
        """Whether the units are the lower bound, and not the level that feeds them."""
        return self.bound >= self.ceiling


class Wall(Record):
    """What a program must compute for each byte of a level, if units are to be its limit.

    Attributes:
        feed: what it feeds [B/s].
        ceiling: what the units compute [flop/s].
        flops_per_byte: ceiling over feed, with the interval that encloses those of both.
    """

    stack: Stack
    of: Resource
    level: str
    feed: float
    ceiling: float
    flops_per_byte: Middle
    row: str

    @property
    def flops_per_double(self) -> Middle:
        """The same for each number of double precision."""
        return self.flops_per_byte.scaled(8.0)
