"""Estimates run times from the operation counts of programs and the speeds of the machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from heorot.catalogue.asked import Asked
from heorot.catalogue.sizes import all_cores, line_rate, pace
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.machine import Machine

_POINTS = "points"
# A message inside a node is copied into shared memory and out of it: two reads, two writes.
_COPIES = 4


@dataclass(frozen=True)
class Cost:
    """A part of a launch's time that grows with a count of its program.

    Attributes:
        count: `points`, the points that each rank measures, or a cost of all ranks in one body of
            every point, such as `flops`.
        each: time or traffic per count, by the value of `by`: for `budget` the fraction of a budget
            that a point needs; for `core` and `vector` the time of one on the core that estimates
            are written for [s]; for `memory` how often every byte is moved; for `messages` how
            often every byte is sent in turn; for `clock` the time on any machine [s].
        by: the resource that limits this part.
        alone: whether one thread of each rank does the work of all threads.
        option: list option whose items take different times.
        factors: relative times of the items of the option; 1 if not named.
        times: number of repetitions that the program cannot state, such as iterations of a solver,
            from the options of the case.
    """

    count: str
    each: float
    by: Literal["budget", "core", "vector", "memory", "messages", "clock"]
    alone: bool = False
    option: str = ""
    factors: Mapping[str, float] = field(default_factory=dict)
    times: Callable[[Asked], float] | None = None

    def seconds(self, machine: Machine, asked: Asked) -> float:
        """Time of this part in one launch [s]."""
        case, here = asked.case, pace(machine)
        usable = all_cores(machine)
        cores = min(case.per_node * case.threads, usable)
        times = self.times(asked) if self.times else 1.0
        all_of_it = self.each * times * self._amount(asked)
        if self.by == "budget":
            return all_of_it * asked.budget_seconds * (case.threads if self.alone else 1)
        if self.by == "clock":
            return all_of_it
        if self.by == "memory":
            return all_of_it / case.nodes / here.bandwidth(cores)
        if self.by == "messages":
            # All ranks of a node send at once: over its link, or inside the node through memory.
            rate = line_rate(machine) if case.nodes > 1 else here.bandwidth(cores) / _COPIES
            return all_of_it / case.nodes / rate
        workers = min(case.per_node, usable) if self.alone else cores
        of_a_node = all_of_it * (case.per_node if self.count == _POINTS else 1 / case.nodes)
        return of_a_node / workers / here.speed(cores, vector=self.by == "vector")

    def _amount(self, asked: Asked) -> float:
        if not self.factors:
            return asked.amount(self.count)
        return sum(
            self.factors.get(item, 1.0) * _only(asked, self.option, item).amount(self.count)
            for item in asked.items(self.option)
        )


def _only(asked: Asked, option: str, item: str | int) -> Asked:
    """The options with one item of a list option."""
    options = {**asked.case.options, option: item}
    return replace(asked, case=asked.case.model_copy(update={"options": options}))


def _apart(asked: Asked, lists: Sequence[str]) -> list[Asked]:
    """The options for every combination of items of some list options; empty lists are left out."""
    every = [asked]
    for option in lists:
        is_named = asked.program.options[option].type == "items"
        listed: Sequence[str | int] = asked.items(option) if is_named else asked.numbers(option)
        if listed or is_named:
            every = [_only(one, option, item) for one in every for item in listed]
    return every


def by_counts(
    program: str, *costs: Cost | tuple[Cost, ...], apart: Sequence[str] = ()
) -> Callable[[Machine, Case], Case]:
    """Returns a function that estimates a case of a program from the program's counts.

    Args:
        program: name of the program, such as `memory/hierarchy`.
        costs: the parts of a launch's time; of a tuple the longest counts, such as the budget and
            the least number of bodies.
        apart: list options whose items are timed one after the other, each with its own maximum.
    """
    parts = [cost if isinstance(cost, tuple) else (cost,) for cost in costs]

    def estimate(machine: Machine, case: Case) -> Case:
        asked = Asked(program, case)
        every = _apart(asked, apart)
        return asked.estimated(
            sum(max(cost.seconds(machine, one) for cost in part) for one in every for part in parts)
        )

    return estimate
