"""How what a program counts becomes seconds: one way for all, with what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
            is moved; of `messages` how often they are sent, one after the other.
        by: what it waits for.
        alone: whether one thread of each rank does it, of budgets what all threads did in them.
        option: lists what differs in this.
        factors: how many times as long the items of the option take; 1 if not named.
    """

    count: str
    each: float
    by: Literal["budget", "core", "vector", "memory", "messages"]
    alone: bool = False
    option: str = ""
    factors: Mapping[str, float] = field(default_factory=dict)

    def seconds(self, machine: Machine, asked: Asked) -> float:
        """What it takes of a launch [s]."""
        case, here = asked.case, pace(machine)
        usable = all_cores(machine)
        cores = min(case.per_node * case.threads, usable)
        all_of_it = self.each * self._amount(asked)
        if self.by == "budget":
            return all_of_it * asked.budget_seconds * (case.threads if self.alone else 1)
        if self.by == "memory":
            return all_of_it / case.nodes / here.bandwidth(cores)
        if self.by == "messages":
            # All ranks of a node at once: through its line, or inside through memory.
            rate = line_rate(machine) if case.nodes > 1 else here.bandwidth(cores) / _COPIES
            return all_of_it / case.nodes / rate
        workers = min(case.per_node, usable) if self.alone else cores
        ranks = case.per_node if self.count == _POINTS else 1
        speed = here.speed(cores, vector=self.by == "vector")
        return all_of_it * ranks / case.nodes / workers / speed

    def _amount(self, asked: Asked) -> float:
        if not self.factors:
            return asked.amount(self.count)
        return sum(
            self.factors.get(item, 1.0) * _only(asked, self.option, item).amount(self.count)
            for item in asked.items(self.option)
        )


def _only(asked: Asked, option: str, item: str) -> Asked:
    """The same with one item of a list."""
    options = {**asked.case.options, option: item}
    return replace(asked, case=asked.case.model_copy(update={"options": options}))


def by_counts(program: str, *costs: Cost) -> Callable[[Machine, Case], Case]:
    """What a case of a program needs, as the catalogue wants it, by what the program counts.

    Args:
        program: its name, such as `memory/hierarchy`.
        costs: the parts of a launch's time.
    """

    def estimate(machine: Machine, case: Case) -> Case:
        asked = Asked(program, case)
        return asked.estimated(sum(cost.seconds(machine, asked) for cost in costs))

    return estimate
