"""How much of the peak programs make use of: r_max over peak."""

from __future__ import annotations

from heorot.model.analysis.breakdown import Middle
from heorot.model.base import Record
from heorot.model.run.identity import Key, Measured


class Efficiency(Measured, Record):
    """The best rate of performed operations that a program has on a number of cores.

    Attributes:
        rate: of all cores [flop/s].
        share_of_peak: of what the units of as many cores compute; None if that is not known.
        nominal_share: the same by the operations of the benchmark's definition; None if it has
            none of its own, or they are more than the peak allows.
    """

    key: Key
    rate: Middle
    share_of_peak: float | None
    nominal_share: float | None
    row: str

    @property
    def of_a_core(self) -> float:
        """The rate of each core [flop/s]."""
        return self.rate.median / self.cores
