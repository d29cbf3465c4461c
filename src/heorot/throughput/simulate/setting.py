"""Settings of a simulation: machine, policy, estimates of run times."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from heorot.errors import UsageError

Order = Literal["fcfs", "sjf", "ljf", "smallest", "largest", "priority", "fairshare"]
"""Order of the queue; numbered as in the native core."""
Backfill = Literal["none", "easy", "conservative", "firstfit"]
"""Backfill algorithm; numbered as in the native core."""
Allocation = Literal["exclusive", "packed", "contiguous"]
"""Allocation of nodes; numbered as in the native core."""
EstimateKind = Literal["exact", "limit", "factor", "uniform"]

_SHORT = {
    "easy": "fcfs+easy",
    "conservative": "fcfs+conservative",
    "firstfit": "fcfs+firstfit",
}
_ORDERS: dict[Order, str] = {
    "fcfs": "first come, first served",
    "sjf": "shortest estimate first",
    "ljf": "longest estimate first",
    "smallest": "fewest nodes first",
    "largest": "most nodes first",
    "priority": "highest priority first, with ageing",
    "fairshare": "highest priority first, with ageing, plus weight x "
    "2^-(decayed usage of its user / its share)",
}
_BACKFILLS: dict[Backfill, str] = {
    "none": "no backfill",
    "easy": "EASY backfill: no job may delay the first of the queue, by estimates (Lifka 1995)",
    "conservative": "conservative backfill: every job has a reservation that no later job delays; "
    "compressed in the order of the queue when a job ends early (Mu'alem and Feitelson 2001)",
    "firstfit": "first fit: any job that fits starts, and may delay others",
}
_HINT = (
    f"such as easy, conservative or sjf+easy: {', '.join(get_args(Order))}, with nothing or "
    f"+ and one of {', '.join(get_args(Backfill)[1:])}"
)


MOST_RESERVATIONS = 200
"""Default number of simultaneous reservations under conservative backfilling: the simulation time
grows with it; without a bound, with the square of the queue."""


@dataclass(frozen=True)
class Policy:
    """A scheduling policy."""

    name: str
    order: Order
    backfill: Backfill

    @property
    def definition(self) -> str:
        """In words."""
        return f"{_ORDERS[self.order]}; {_BACKFILLS[self.backfill]}"


def parse_policy(text: str) -> Policy:
    """Read the name of a policy: `easy`, `sjf`, `largest+conservative`.

    Raises:
        UsageError: there is no such policy.
    """
    name = text.strip().lower()
    first, plus, second = _SHORT.get(name, name).partition("+")
    order = next((each for each in get_args(Order) if each == first), None)
    backfill = next((each for each in get_args(Backfill) if each == (second or "none")), None)
    if order is None or backfill is None or (plus and not second):
        raise UsageError(f"there is no policy '{name}'", _HINT)
    return Policy(name, order, backfill)


@dataclass(frozen=True)
class Estimates:
    """The scheduler's estimates of run times.

    Attributes:
        kind: `exact`: the run times; `limit`: the requested times; `factor`: a multiple of the run
            times; `uniform`: drawn between the run time and this multiple.
        factor: of the last two [1].
    """

    kind: EstimateKind = "exact"
    factor: float = 1.0

    @property
    def definition(self) -> str:
        """In words."""
        return {
            "exact": "estimates are exact",
            "limit": "estimates are the requested times, or the run time without one or if longer",
            "factor": f"estimates are {self.factor:g} x the run time",
            "uniform": f"estimates are drawn between 1 and {self.factor:g} x the run time",
        }[self.kind]


def parse_estimates(text: str) -> Estimates:
    """Read `exact`, `limit`, `factor:F` or `uniform:F`.

    Raises:
        UsageError: it is none of these, or F is below 1.
    """
    kind, colon, number = text.strip().lower().partition(":")
    known = next((each for each in get_args(EstimateKind) if each == kind), None)
    if known is None or bool(colon) != (known in {"factor", "uniform"}):
        raise UsageError(f"no estimates are '{text}'", "exact, limit, factor:2 or uniform:5")
    try:
        factor = float(number) if colon else 1.0
    except ValueError:
        factor = math.nan
    if not 1.0 <= factor <= 1e6:  # noqa: PLR2004 (beyond, times would be too large)
        raise UsageError(
            f"'{text}' is no factor of estimates",
            "a number from 1 to 1e6: no job may run longer than it is estimated to",
        )
    return Estimates(known, factor)


@dataclass(frozen=True)
class Reservation:
    """Nodes unavailable to jobs for a time.

    Attributes:
        begin: after the begin of the workload [s].
        end: after the same [s].
    """

    begin: float
    end: float
    nodes: int


@dataclass(frozen=True)
class Setting:
    """One simulation.

    Attributes:
        allocation: `exclusive`: any nodes, all of each; `packed`: cores, on the fullest nodes
            first; `contiguous`: adjacent nodes, all of each.
        ports_per_node: network ports of each node, of which a job of several nodes takes one on
            each; 0 does not count them. Only for `packed`.
        estimates: the scheduler's estimates of run times.
        kill_at_limit: whether jobs are ended at their requested time.
        ageing_per_hour: priority gained per hour of queue wait.
        priorities: of queues, by number; 0 for others.
        share_weight: priority of a user without usage over one with all usage.
        half_life_seconds: of the usage of users; 0: no decay [s].
        shares: of users, by number; 1 for others.
        most_reservations: maximum number of simultaneous reservations of conservative
            backfilling; None: all queued jobs.
        reservations: nodes unavailable for a time.
        places: whether to report the nodes of jobs.
    """

    policy: Policy
    n_nodes: int
    cores_per_node: int = 1
    allocation: Allocation = "exclusive"
    ports_per_node: int = 0
    estimates: Estimates = field(default_factory=Estimates)
    kill_at_limit: bool = False
    ageing_per_hour: float = 1.0
    priorities: Mapping[int, float] = field(default_factory=dict)
    share_weight: float = 24.0
    half_life_seconds: float = 7 * 86400.0
    shares: Mapping[int, float] = field(default_factory=dict)
    most_reservations: int | None = MOST_RESERVATIONS
    reservations: tuple[Reservation, ...] = ()
    seed: int = 0
    places: bool = True

    @property
    def rules(self) -> str:
        """The policy, with its bound on reservations, in words."""
        if self.policy.backfill != "conservative":
            return self.policy.definition
        if self.most_reservations is None:
            return f"{self.policy.definition}; all queued jobs have reservations"
        bound = f"at most {self.most_reservations} at a time have reservations"
        return f"{self.policy.definition}; {bound}"

    @property
    def conditions(self) -> str:
        """Conditions of the schedule other than the policy, in words."""
        words = []
        if self.policy.order in {"priority", "fairshare"}:
            words.append(f"{self.ageing_per_hour:g} per hour of queue wait")
        if self.policy.order == "fairshare":
            words.append(f"weight {self.share_weight:g}, half-life {self.half_life_seconds:g} s")
        words.append(self.estimates.definition)
        words.append("jobs end at their limit" if self.kill_at_limit else "limits are not enforced")
        words.append(_ALLOCATIONS[self.allocation])
        if self.ports_per_node:
            words.append(
                f"network ports on each node: {self.ports_per_node}, one for each job of several"
            )
        words += [
            f"{each.nodes} nodes reserved from {each.begin:g} to {each.end:g} s"
            for each in self.reservations
        ]
        return "; ".join(words)

    @property
    def definition(self) -> str:
        """All conditions of the schedule, in words."""
        return f"{self.rules}; {self.conditions}"


_ALLOCATIONS: dict[Allocation, str] = {
    "exclusive": "whole nodes, any",
    "packed": "cores of nodes that jobs share, the fullest nodes first",
    "contiguous": "whole nodes, neighbours, the first that are free",
}
