"""Fits experiments and their launches into the time of a profile or into the user's budget.

An experiment is taken whole, with the fewest launches that answer it; the questions take turns.
Remaining time goes to launches for confidence intervals of the score card, then to cases that
refine answers, then to further launches of all cases. With a budget of the user, launches are cut
to one before any case is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from heorot.model.catalogue.benchmark import PRIORITIES, Profile
from heorot.model.run.experiment import Experiment, budget_option
from heorot.model.run.plan import SkippedCase
from heorot.model.run.request import Request
from heorot.plan.candidate import Candidate
from heorot.plan.experiments import Group, experiments_of
from heorot.units import format_duration

LAUNCHES: dict[Profile, int] = {"smoke": 3, "quick": 5, "standard": 5, "full": 10}
# An experiment is dropped rather than launched less often than this.
FEWEST_LAUNCHES: dict[Profile, int] = {"smoke": 3, "quick": 3, "standard": 3, "full": 5}
# From the command to the report on two cores of one node, without building [s]; `full` has no
# limit.
PROMISED_SECONDS: dict[Profile, float] = {"smoke": 60.0, "quick": 300.0, "standard": 3600.0}
# Each further number of nodes adds this share of the promised time, for each network.
SHARE_OF_NODES = 0.5
# Shares of the promised time. Measuring may take _MEASURING; describing, analysing and reporting
# take the rest. The plan fills _PLANNED: the reserve is for wrong estimates and repeated launches.
_MEASURING = 0.9
_PLANNED = 0.8
_ROUNDING = 1e-6  # tolerance of sums of estimates [s]
# (longer than, unit): longer budgets are rounded up to whole units [s].
_WHOLE = ((86400.0, 3600.0), (120.0, 60.0), (-1.0, 1.0))


@dataclass(frozen=True)
class Fitted:
    """The chosen launches and experiments.

    Attributes:
        launches: number of launches of each candidate, 0 if there is no time for it.
        late: cases for which there is no time.
        limit_seconds: limit of all measurements together, None if there is none [s].
        experiments: all experiments, in order of priority.
    """

    launches: tuple[int, ...]
    late: tuple[SkippedCase, ...]
    limit_seconds: float | None
    experiments: tuple[Experiment, ...]


@dataclass(frozen=True)
class Width:
    """Toolchains and networks, for each of which measurements are repeated.

    Attributes:
        toolchains: how many there are.
        networks: how many there are; they matter between nodes only.
    """

    toolchains: int = 1
    networks: int = 1


ONE = Width()


def promised_seconds(request: Request, width: Width = ONE) -> float | None:
    """Promised time from the command to the report, None if the profile promises none [s].

    It grows with launches beyond those of the profile, toolchains, numbers of nodes and networks.
    """
    if not request.promised or request.profile not in PROMISED_SECONDS:
        return None
    more = max(1.0, planned_launches(request) / LAUNCHES[request.profile]) * width.toolchains
    over_nodes = len({nodes for nodes in request.nodes if nodes > 1}) * width.networks
    return PROMISED_SECONDS[request.profile] * more * (1.0 + SHARE_OF_NODES * over_nodes)


def planned_launches(request: Request) -> int:
    """How often each case is launched if there is time."""
    return LAUNCHES[request.profile] if request.launches is None else request.launches


def fit_time(candidates: Sequence[Candidate], request: Request, width: Width = ONE) -> Fitted:
    """Choose cases and launches so that they fit the user's budget, else the profile's promise.

    Args:
        candidates: cases that fit the machine.
        request: the user's request.
    """
    most = planned_launches(request)
    fewest = FEWEST_LAUNCHES[request.profile] if request.launches is None else most
    limit = planned = request.budget_seconds
    if request.budget_seconds is not None:
        fewest = 1
    elif promised := promised_seconds(request, width):
        limit, planned = _MEASURING * promised, _PLANNED * promised
    groups = experiments_of(candidates, filled=bool(request.per_node))
    choice = _Choice(candidates, math.inf if planned is None else planned)
    choice.take_all(groups, fewest, most)
    budgets = _budgets(candidates, groups)
    return Fitted(
        launches=tuple(choice.launches),
        late=tuple(
            one.skipped(_reason(one, budgets[place], request))
            for place, one in enumerate(candidates)
            if not choice.launches[place]
        ),
        limit_seconds=limit,
        experiments=tuple(
            _described(
                group,
                candidates,
                fewest,
                0.0 if choice.has(group) else max(budgets[place] for place in group.least),
            )
            for group in groups
        ),
    )


class _Choice:
    """Chooses launches of candidates while there is time."""

    def __init__(self, candidates: Sequence[Candidate], seconds: float) -> None:
        """Begin with no launches.

        Args:
            seconds: for all launches [s].
        """
        self._candidates = candidates
        self.launches = [0] * len(candidates)
        self.left_seconds = seconds

    def has(self, group: Group) -> bool:
        """Whether every required case of an experiment is chosen."""
        return all(self.launches[place] for place in group.least)

    def take_all(self, groups: Sequence[Group], fewest: int, most: int) -> None:
        """Choose experiments, then cases that refine them, then further launches.

        Args:
            groups: experiments in order of priority.
            fewest: launches that answer an experiment.
            most: largest number of launches of a case.
        """
        for group in groups:
            self._take(group.least, fewest)
        taken = list(filter(self.has, groups))
        least = dict.fromkeys(chain.from_iterable(group.least for group in taken))
        finer = dict.fromkeys(chain.from_iterable(group.further for group in taken))
        shown = [p for p in least if self._candidates[p].case.priority == PRIORITIES[0]]
        for place in shown:  # an interval takes five launches; four are worth no more than three
            self._take((place,), most)
        for place in finer:
            self._take((place,), fewest)
        self._deepen((*least, *finer), most)

    def _take(self, places: Iterable[int], launches: int) -> None:
        """Choose so many launches of all these cases, or of none."""
        wanted = {place: launches - self.launches[place] for place in places}
        seconds = sum(max(0, n) * self._candidates[place].seconds for place, n in wanted.items())
        if seconds <= self.left_seconds + _ROUNDING:
            self.left_seconds -= seconds
            for place in wanted:
                self.launches[place] = max(self.launches[place], launches)

    def _deepen(self, places: Iterable[int], most: int) -> None:
        """Add one launch of each case after the other until time or `most` is reached."""
        places = [place for place in places if self.launches[place]]
        for launches in range(1, most + 1):
            for place in places:
                self._take((place,), launches)


def _budgets(candidates: Sequence[Candidate], groups: Sequence[Group]) -> dict[int, float]:
    """Smallest budget with one launch of a case and of all cases before it, by candidate [s].

    Budgets are rounded up as they are printed: to minutes above 2 minutes, to hours above 24 hours.
    """
    least = chain.from_iterable(group.least for group in groups)
    further = chain.from_iterable(group.further for group in groups)
    seconds = 0.0
    budgets: dict[int, float] = {}
    for place in dict.fromkeys((*least, *further)):
        seconds += candidates[place].seconds
        whole = next(part for longer, part in _WHOLE if seconds > longer)
        budgets[place] = whole * math.ceil(seconds / whole)
    return budgets


def _described(
    group: Group, candidates: Sequence[Candidate], fewest: int, budget: float
) -> Experiment:
    return Experiment(
        question=group.question,
        benchmark=candidates[group.least[0]].benchmark.name,
        setups=tuple(candidates[place].setup for place in group.least),
        further=tuple(candidates[place].setup for place in group.further),
        fewest=fewest,
        seconds=sum(candidates[place].seconds for place in group.least),
        budget_seconds=budget,
    )


def _reason(candidate: Candidate, budget: float, request: Request) -> str:
    """Why there is no time for a case.

    Args:
        budget: the smallest one that would include it [s].
    """
    held = f"{budget_option(budget)} has it"
    if request.budget_seconds is None:
        return f"does not fit the time of {request.profile}: {held}, with one launch of each case"
    return (
        f"takes about {format_duration(candidate.seconds)}; cases of higher priority use the "
        f"budget of {format_duration(request.budget_seconds)}: {held}"
    )
