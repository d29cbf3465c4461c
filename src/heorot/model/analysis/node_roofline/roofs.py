"""Roofs of a node, and the measured regions under them."""

from __future__ import annotations

from pydantic import Field

from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.node_roofline.levels import MOST_SHARE, word_levels
from heorot.model.base import Record
from heorot.model.resource import Resource
from heorot.model.run.identity import Key, Measured, Stack


class FlopPeak(Record):
    """FMA rate of some cores with vectors of one width.

    Attributes:
        vector_bytes: the width; 0 if it is not known [B].
        rate: [flop/s].
        most: bound of programs: the highest measured rate [flop/s].
    """

    vector_bytes: int
    rate: float
    row: str
    most: float


class BandwidthRoof(Record):
    """Bandwidth of a memory level to some cores.

    Attributes:
        rate: of bytes fetched or stored [B/s].
        most: bound of programs: the highest measured rate [B/s].
        carried: of bytes read and written back; 0 if not measured separately [B/s].
        kernel: the region that reached `most`; empty if unknown.
        traffic: bytes moved per counted byte: more than 1 with write-allocate.
    """

    level: str
    rate: float
    row: str
    most: float
    carried: float = 0.0
    kernel: str = ""
    traffic: float = 1.0


class Roofs(Record):
    """The bounds of programs on some cores of a node.

    Attributes:
        peaks: flop peaks, the highest first; at least one.
        bandwidths: bandwidths of the levels, nearest first; at least one.
        waiting: memory bandwidth of cores with one outstanding load.
    """

    stack: Stack
    of: Resource
    peaks: tuple[FlopPeak, ...] = Field(min_length=1)
    bandwidths: tuple[BandwidthRoof, ...] = Field(min_length=1)
    waiting: BandwidthRoof | None = None

    @property
    def highest(self) -> FlopPeak:
        """The peak."""
        return self.peaks[0]

    def bandwidth(self, level: str) -> BandwidthRoof | None:
        """The bandwidth of a level; None if it was not measured."""
        return next((bandwidth for bandwidth in self.bandwidths if bandwidth.level == level), None)


class RooflinePoint(Measured, Record):
    """A measured region in the roofline.

    Attributes:
        intensity: flop per byte that the algorithm has to fetch from that level [flop/B].
        rate: flops per second of all cores.
        level: in which its working set is resident; empty if its size is unknown.
        working_set_bytes: of one core; None if it is not known [B].
        neighbour: another level that holds a part of such a working set, by its bandwidth; empty
            if one holds all of it.
        bandwidth: available to its cores for such a working set [B/s].
        flop_peak: of its cores [flop/s].
        bound: the lowest of flop peak, intensity times bandwidth, and the limit of reads and
            write-backs together [flop/s].
        measured_intensity: flop per byte of memory traffic counted by hardware; None if not counted
            [flop/B].
        headline: whether it stands for its program in the figure.
        disturbed: whether only perturbed samples exist.
        row: the one with its share of the bound.
    """

    key: Key
    of: Resource
    intensity: float
    rate: Middle
    n_launches: int
    level: str
    working_set_bytes: float | None
    neighbour: str = ""
    bandwidth: float
    flop_peak: float
    bound: float
    measured_intensity: float | None = None
    headline: bool = False
    disturbed: bool = False
    row: str = ""

    @property
    def resident_in(self) -> str:
        """The level, or two levels, in which its working set is resident, in words."""
        return word_levels(self.level, self.neighbour)

    @property
    def share(self) -> float | None:
        """Share of the bound; None if the rate exceeds it, so that it is none."""
        share = self.rate.median / self.bound
        return share if share <= MOST_SHARE else None

    @property
    def share_of_peak(self) -> float:
        """Share of the flop peak."""
        return self.rate.median / self.flop_peak

    @property
    def of_bound(self) -> Middle:
        """The share of the bound with its interval; the bound is the highest measured one."""
        return self.rate.scaled(1.0 / self.bound)

    @property
    def of_peak(self) -> Middle:
        """The same for the flop peak."""
        return self.rate.scaled(1.0 / self.flop_peak)

    @property
    def by_units(self) -> bool:
        """Whether the flop peak is the lower bound, and not the bandwidth."""
        return self.bound >= self.flop_peak


class MachineBalance(Record):
    """Machine balance of a level: the intensity above which the flop peak is the limit.

    Attributes:
        bandwidth: of the level [B/s].
        flop_peak: [flop/s].
        flops_per_byte: flop peak over bandwidth, with an interval that encloses both intervals.
    """

    stack: Stack
    of: Resource
    level: str
    bandwidth: float
    flop_peak: float
    flops_per_byte: Middle
    row: str

    @property
    def flops_per_double(self) -> Middle:
        """The same per double."""
        return self.flops_per_byte.scaled(8.0)
