"""The time that a profile promises, and which experiments find a place in it, how often launched.

Experiments are taken whole, in turn of their questions, with the fewest launches that answer them.
Then come launches for an interval of what the score card shows, cases that make answers finer, and
more launches of all. A budget of the user's own is a wish to see everything in it, however rough:
there launches go down to one.
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
# Experiments are given up rather than launched less often than this.
FEWEST_LAUNCHES: dict[Profile, int] = {"smoke": 3, "quick": 3, "standard": 3, "full": 5}
# From the command to the report on two cores of one node, building apart [s]; `full` takes as long
# as it does.
PROMISED_SECONDS: dict[Profile, float] = {"smoke": 60.0, "quick": 300.0, "standard": 3600.0}
# What each further number of nodes over each network adds to the promise, as a share of it.
SHARE_OF_NODES = 0.5
# Of the promise: what measuring may take, the rest describes, analyses, and reports; and what is
# planned of that, the rest is for what takes longer than estimated, and for launches again.
_MEASURING = 0.9
_PLANNED = 0.8
_ROUNDING = 1e-6  # of sums of estimates [s]
# Budgets longer than this are said in whole numbers of this [s].
_WHOLE = ((86400.0, 3600.0), (120.0, 60.0), (-1.0, 1.0))


@dataclass(frozen=True)
class Fitted:
    """What finds a place.

    Attributes:
        launches: of each candidate, 0 if there is no time for it.
        late: cases for which there is no time.
        limit_seconds: what measuring may take in all, None for any time [s].
        experiments: all of them, in the order in which they were to find a place.
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
    """What a run may take from the command to the report, None for as long as it takes [s].

    More launches than the profile has, several toolchains, numbers of nodes, and networks add time.
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
        candidates: what fits the machine.
        request: what the user asks for.
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
    """Takes launches of candidates while there is time."""

    def __init__(self, candidates: Sequence[Candidate], seconds: float) -> None:
        """Begin with none.

        Args:
            seconds: for all launches [s].
        """
        self._candidates = candidates
        self.launches = [0] * len(candidates)
        self.left_seconds = seconds

    def has(self, group: Group) -> bool:
        """Whether all that an experiment must have is taken."""
        return all(self.launches[place] for place in group.least)

    def take_all(self, groups: Sequence[Group], fewest: int, most: int) -> None:
        """Take experiments, then what makes them finer, then further launches.

        Args:
            groups: in the order in which they find a place.
            fewest: launches that answer an experiment.
            most: launches of a case.
        """
        for group in groups:
            self._take(group.least, fewest)
        taken = list(filter(self.has, groups))
        least = dict.fromkeys(chain.from_iterable(group.least for group in taken))
        finer = dict.fromkeys(chain.from_iterable(group.further for group in taken))
        shown = [p for p in least if self._candidates[p].case.priority == PRIORITIES[0]]
        for place in shown:  # five carry an interval, four no more than three do
            self._take((place,), most)
        for place in finer:
            self._take((place,), fewest)
        self._deepen((*least, *finer), most)

    def _take(self, places: Iterable[int], launches: int) -> None:
        """Take all of these cases so often, or none."""
        wanted = {place: launches - self.launches[place] for place in places}
        seconds = sum(max(0, n) * self._candidates[place].seconds for place, n in wanted.items())
        if seconds <= self.left_seconds + _ROUNDING:
            self.left_seconds -= seconds
            for place in wanted:
                self.launches[place] = max(self.launches[place], launches)

    def _deepen(self, places: Iterable[int], most: int) -> None:
        """One more launch of each, again and again."""
        places = [place for place in places if self.launches[place]]
        for launches in range(1, most + 1):
            for place in places:
                self._take((place,), launches)


def _budgets(candidates: Sequence[Candidate], groups: Sequence[Group]) -> dict[int, float]:
    """Budgets that hold one launch of each case and of all before it, by its place [s].

    They are whole as durations are printed: minutes if longer than two, hours if longer than a day.
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
        budget: that would have it [s].
    """
    held = f"{budget_option(budget)} has it"
    if request.budget_seconds is None:
        return f"does not fit the time of {request.profile}: {held}, with one launch of each case"
    return (
        f"takes about {format_duration(candidate.seconds)}; cases of higher priority use the "
        f"budget of {format_duration(request.budget_seconds)}: {held}"
    )
