"""How much of the peak programs make use of: r_max over peak."""

from __future__ import annotations

from heorot.model.analysis.breakdown import Middle
from heorot.model.base import Record
from heorot.model.run.records import Point


class Efficiency(Record):
    """The best rate of performed operations that a program has on a number of cores.

    Attributes:
        benchmark: the program.
        toolchain: name of the toolchain.
        region: where it is best.
        point: the coordinates where it is best.
        cores: used.
        copies: serial copies that ran side by side; 0 if it is one program.
        rate: of all cores [flop/s].
        share_of_peak: of what the units of as many cores compute; None if that is not known.
        nominal_share: the same by the operations of the benchmark's definition; None if it has
            none of its own, or they are more than the peak allows.
        key: of the row with the rate.
    """

    benchmark: str
    toolchain: str
    region: str
    point: Point
    cores: int
    copies: int
    rate: Middle
    share_of_peak: float | None
    nominal_share: float | None
    key: str

    @property
    def of_a_core(self) -> float:
        """The rate of each core [flop/s]."""
        return self.rate.median / self.cores
