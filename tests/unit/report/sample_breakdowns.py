"""Synthetic breakdowns: where the time of npb/ep goes in three layouts and as copies."""

from __future__ import annotations

from heorot.model.analysis.breakdown import Attribution, Breakdown, Middle, PhaseTimes
from heorot.model.analysis.result import Result
from heorot.model.run.series import Verified
from tests.unit.analyse.builders import a_breakdown

HOSTILE_PHASE = '<img src=x onerror="alert(2)">'
"""What a program may name a phase."""


def middle(value: float) -> Middle:
    """A value with ends 5 % around it."""
    return Middle(median=value, low=0.95 * value, high=1.05 * value)


def make_phase(name: str, computation: float, communication: float) -> PhaseTimes:
    """A phase whose slowest rank takes a tenth longer than the mean [s]."""
    return PhaseTimes(
        name=name,
        computation=middle(computation),
        computation_most=middle(1.1 * computation),
        communication=middle(communication),
        communication_most=middle(1.1 * communication),
        messages=12.0,
        bytes=98304.0,
        collectives=3.0,
    )


def make_breakdown(
    case: str,
    ranks: int,
    threads: int,
    shares: tuple[float, float, float],
    *,
    size: str = "W",
    seconds: float = 2.0,
    copies: int = 0,
    verified: Verified = "passed",
    disturbed: bool = False,
    phases: tuple[tuple[str, float, float], ...] = (),
) -> Breakdown:
    """A breakdown of one case; phases have shares of computing and communicating."""
    computation, imbalance, communication = shares
    named = phases or (
        ("pairs", 0.8 * computation, 0.0),
        (HOSTILE_PHASE, 0.1 * computation, communication),
        ("rest", 0.1 * computation, 0.0),
    )
    return a_breakdown(
        benchmark="npb/ep",
        case=case,
        toolchain="gnu-12+openmpi-5.0.11",
        region="ep",
        point={"class": size},
        ranks=ranks,
        threads=threads,
        copies=copies,
        verified=verified,
        disturbed=disturbed,
        seconds=middle(seconds),
        computation=middle(computation),
        imbalance=middle(imbalance),
        communication=middle(communication),
        load_balance=middle(computation / (computation + imbalance)),
        phases=tuple(make_phase(name, seconds * a, seconds * b) for name, a, b in named),
    )


def make_breakdowns() -> tuple[Breakdown, ...]:
    """Three layouts, one of them perturbed, and copies with a failed check."""
    return (
        make_breakdown("W_one_core", 1, 1, (1.0, 0.0, 0.0)),
        make_breakdown("W_ranks", 2, 1, (0.7, 0.12, 0.18), seconds=1.2, disturbed=True),
        make_breakdown("W_threads", 1, 2, (0.95, 0.0, 0.05), seconds=1.1),
        make_breakdown("W_copies", 2, 1, (0.9, 0.1, 0.0), copies=2, verified="failed"),
    )


def make_attributions(row: Result) -> tuple[Attribution, ...]:
    """The breakdown of a program's time."""
    return (
        Attribution(
            benchmark="npb/ep",
            text="On 2 ranks npb/ep class W spends 18 % of its time communicating.",
            evidence=(row.id,),
            lost=0.3,
        ),
    )
