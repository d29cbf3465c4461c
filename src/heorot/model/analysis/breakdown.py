"""Breakdown of a body's time: computation, waiting for the slowest rank, communication."""

from __future__ import annotations

from heorot.model.analysis.claims import Claim
from heorot.model.base import Record
from heorot.model.run.identity import Key, Measured
from heorot.model.run.series import Verified

SHARES: tuple[str, ...] = ("computation_share", "imbalance_share", "communication_share")
"""The metrics that a breakdown adds to the results, in the order in which figures stack them."""


class Middle(Record):
    """A quantity over the launches of a case.

    Attributes:
        low: lower end of its interval; of launches too few for one, the smallest.
        high: upper end, or the largest.
    """

    median: float
    low: float
    high: float

    def scaled(self, factor: float) -> Middle:
        """The quantity multiplied by a factor."""
        return Middle(median=factor * self.median, low=factor * self.low, high=factor * self.high)


class PhaseTimes(Record):
    """Computation and communication of a phase of a body.

    Attributes:
        name: such as `rhs`; `rest` is the time outside all named phases.
        computation: mean over the ranks [s].
        computation_most: of the slowest rank [s].
        communication: mean over the ranks, waiting included [s].
        communication_most: of the rank that communicates and waits longest [s].
        messages: sent by all ranks together.
        bytes: sent by all ranks together [B].
        collectives: taken part in by a rank, mean over the ranks.
    """

    name: str
    computation: Middle
    computation_most: Middle
    communication: Middle
    communication_most: Middle
    messages: float
    bytes: float
    collectives: float


class Breakdown(Measured, Record):
    """Breakdown of the time of a body of one region at one point of one case.

    With c_r the computation of rank r and T the time of the body, the slowest rank's: computation
    is mean c_r / T, imbalance (max c_r - mean c_r) / T, communication (T - max c_r) / T. In every
    launch the three add up to 1; their medians over the launches nearly do. Threads count as the
    rank they belong to.

    Source: C. Rosas, J. Giménez, J. Labarta, Scalability prediction for fundamental performance
    factors, Supercomputing Frontiers and Innovations 1(2), 2014.

    Attributes:
        disturbed: whether only perturbed samples exist.
        seconds: T [s].
        computation: share of T.
        imbalance: share of T.
        communication: share of T.
        load_balance: mean c_r / max c_r.
        phases: the parts of the body, in the program's order.
    """

    key: Key
    verified: Verified
    disturbed: bool
    n_launches: int
    seconds: Middle
    computation: Middle
    imbalance: Middle
    communication: Middle
    load_balance: Middle
    phases: tuple[PhaseTimes, ...]

    @property
    def shares(self) -> tuple[Middle, Middle, Middle]:
        """The shares in the order of SHARES."""
        return self.computation, self.imbalance, self.communication

    @property
    def rows(self) -> tuple[str, str, str]:
        """Names of the rows with the shares, in the order of SHARES."""
        computation, imbalance, communication = map(self.key.name, SHARES)
        return computation, imbalance, communication


class Attribution(Claim):
    """A sentence on the cause of a program's loss of time.

    Attributes:
        lost: the share of the time that it explains, for choosing the worst.
    """

    benchmark: str
    lost: float
