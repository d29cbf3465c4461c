"""The time that a profile promises, and which cases find a place in it with how many launches.

Time is taken first from launches, as far as a median can spare them, then from whole cases, the
least important first. A budget of the user's own is a wish to see everything in it, however rough:
there launches go down to one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heorot.model.catalogue.benchmark import PRIORITIES, PROFILES, Profile
from heorot.model.run.plan import SkippedCase
from heorot.model.run.request import Request
from heorot.plan.candidate import Candidate
from heorot.units import format_duration

LAUNCHES: dict[Profile, int] = {"smoke": 3, "quick": 5, "standard": 5, "full": 10}
# Cases are given up rather than launched less often than this.
FEWEST_LAUNCHES: dict[Profile, int] = {"smoke": 3, "quick": 3, "standard": 5, "full": 5}
# From the command to the report on two cores, building apart [s]; `full` takes as long as it does.
PROMISED_SECONDS: dict[Profile, float] = {"smoke": 60.0, "quick": 300.0, "standard": 3600.0}
# Of the promise: what measuring may take, the rest describes, analyses, and reports; and what is
# planned of that, the rest is for what takes longer than estimated, and for launches again.
_MEASURING = 0.9
_PLANNED = 0.8


@dataclass(frozen=True)
class Fitted:
    """What finds a place.

    Attributes:
        launches: of every case that is kept.
        kept: in the order of the candidates.
        late: cases for which there is no time.
        limit_seconds: what measuring may take in all, None for any time [s].
    """

    launches: int
    kept: list[Candidate]
    late: list[SkippedCase]
    limit_seconds: float | None


def planned_launches(request: Request) -> int:
    """How often each case is launched if there is time."""
    return LAUNCHES[request.profile] if request.launches is None else request.launches


def fit_time(candidates: Sequence[Candidate], request: Request, n_toolchains: int = 1) -> Fitted:
    """Choose cases and launches so that they fit the user's budget, else the profile's promise.

    Args:
        candidates: what fits the machine.
        request: what the user asks for.
        n_toolchains: each of them has the time of the profile.
    """
    launches = planned_launches(request)
    if request.budget_seconds is not None:
        limit, planned, fewest = request.budget_seconds, request.budget_seconds, 1
    elif request.promised and request.profile in PROMISED_SECONDS:
        # Who asks for more launches than the profile has asks for more time, too, and who asks for
        # several toolchains for that of each.
        more = max(1.0, launches / LAUNCHES[request.profile]) * n_toolchains
        promised = PROMISED_SECONDS[request.profile] * more
        limit, planned = _MEASURING * promised, _PLANNED * promised
        fewest = FEWEST_LAUNCHES[request.profile] if request.launches is None else launches
    else:
        return Fitted(launches, list(candidates), [], None)
    total = sum(candidate.seconds for candidate in candidates)
    while launches > fewest and launches * total > planned:
        launches -= 1
    kept, late = list(candidates), []
    if launches * total > planned:
        left = _choose(candidates, planned / launches)
        kept = [each for number, each in enumerate(candidates) if number not in left]
        late = [
            each.skipped(_reason(each, launches, left[number], request))
            for number, each in enumerate(candidates)
            if number in left
        ]
    return Fitted(launches, kept, late, limit)


def _choose(candidates: Sequence[Candidate], seconds: float) -> dict[int, float]:
    """Places of those for which the more important ones leave too little time, and how much [s].

    Args:
        candidates: one launch of each is to fit.
        seconds: the time for all of them [s].
    """
    left: dict[int, float] = {}
    for number in by_importance(candidates):
        if candidates[number].seconds <= seconds:
            seconds -= candidates[number].seconds
        else:
            left[number] = seconds
    return left


def by_importance(candidates: Sequence[Candidate]) -> list[int]:
    """Places of the candidates, the most important first.

    Within a priority the families take turns, and within a family its programs: what there is no
    time for is missing everywhere alike.
    """
    turns: Counter[tuple[str, str]] = Counter()
    keys: list[tuple[int, int, int, int]] = []
    for number, candidate in enumerate(candidates):
        priority = candidate.case.priority
        of_program, of_family = (
            (priority, candidate.benchmark.name),
            (priority, candidate.benchmark.family),
        )
        keys.append((PRIORITIES.index(priority), turns[of_program], turns[of_family], number))
        turns.update((of_program, of_family))
    return sorted(range(len(candidates)), key=keys.__getitem__)


def _reason(candidate: Candidate, launches: int, left: float, request: Request) -> str:
    """Why there is no time for a case.

    Args:
        left: for one launch, beside what is more important [s].
    """
    over = format_duration(launches * (candidate.seconds - left))
    if request.budget_seconds is not None:
        return (
            f"takes about {format_duration(launches * candidate.seconds)}, and of the budget of "
            f"{format_duration(request.budget_seconds)} what is more important leaves "
            f"{format_duration(launches * left)}: {over} too long"
        )
    longer = PROFILES[PROFILES.index(request.profile) + 1]
    return f"{request.profile} has no time for it, {over} are missing: --profile {longer}"
