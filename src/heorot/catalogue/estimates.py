"""How what a program counts becomes seconds: one way for all, with what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from heorot.catalogue.asked import Asked
from heorot.catalogue.sizes import all_cores, line_rate, pace
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.machine import Machine

_POINTS = "points"
# Copied into shared memory and out of it, read and written each time.
_COPIES = 4


@dataclass(frozen=True)
class Cost:
    """A part of a launch's time that grows with something that its program counts.

    Attributes:
        count: `points`, all that each rank measures, or what all ranks do in one body of each of
            them, such as `flops`.
        each: of `budget` the part of it that a point needs; of `core` and `vector` what one takes
            a core of the kind that estimates are written for [s]; of `memory` how often every byte
            is moved; of `messages` how often they are sent, one after the other; of `clock` what
            it takes on any machine [s].
        by: what it waits for.
        alone: whether one thread of each rank does it, of budgets what all threads did in them.
        option: lists what differs in this.
        factors: how many times as long the items of the option take; 1 if not named.
        times: how often it is done, where a program cannot know it before, as the steps of a
            solver; of the options of the case.
    """

    count: str
    each: float
    by: Literal["budget", "core", "vector", "memory", "messages", "clock"]
    alone: bool = False
    option: str = ""
    factors: Mapping[str, float] = field(default_factory=dict)
    times: Callable[[Asked], float] | None = None

    def seconds(self, machine: Machine, asked: Asked) -> float:
        """What it takes of a launch [s]."""
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
            # All ranks of a node at once: through its line, or inside through memory.
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
    """The same with one item of a list."""
    options = {**asked.case.options, option: item}
    return replace(asked, case=asked.case.model_copy(update={"options": options}))


def _apart(asked: Asked, lists: Sequence[str]) -> list[Asked]:
    """The same for every choice of one item from each of some lists; sizes may not be listed."""
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
    """What a case of a program needs, as the catalogue wants it, by what the program counts.

    Args:
        program: its name, such as `memory/hierarchy`.
        costs: the parts of a launch's time; of several in one the longest counts, as of a budget
            and the bodies that are run at least.
        apart: options that list what is timed one after the other, each by its own longest.
    """
    parts = [cost if isinstance(cost, tuple) else (cost,) for cost in costs]

    def estimate(machine: Machine, case: Case) -> Case:
        asked = Asked(program, case)
        every = _apart(asked, apart)
        return asked.estimated(
            sum(max(cost.seconds(machine, one) for cost in part) for one in every for part in parts)
        )

    return estimate
