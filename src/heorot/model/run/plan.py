"""A plan: the steps in their order, and the cases that do not run, with reasons."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable

from pydantic import Field

from heorot.model.base import Count, FileName, PositiveInt, Record, Seconds
from heorot.model.catalogue.benchmark import Priority, Profile
from heorot.model.catalogue.need import CheckedFile
from heorot.model.resource import Resource
from heorot.model.run.experiment import Experiment, Question
from heorot.model.run.identity import InSetup, Setup
from heorot.units import plural


class Step(InSetup, Record):
    """One launch of one program.

    Attributes:
        id: `S0001`, unique in a run; a repeat of a perturbed step has its own.
        setup: the setup, which all launches of a case share.
        launch: 1, 2, ... among the launches of this case.
        attempt: 1, or 2 when it repeats a perturbed launch.
        place: numbers of the hosts of the job's allocation that it runs on, from 0; empty for the
            first ones.
        kind: the core type that its rank is bound to, unless it is the first of several types.
        each_node: whether its case runs on every node separately.
        wave: consecutive steps with the same number run at the same time, each on hosts of its
            own; 0 for a step that runs by itself.
        hosts: only in runs of an earlier version, where it is empty.
        seconds: estimate [s].
        memory_bytes: estimate for all ranks [B].
        working_set_bytes: working set of a body, all ranks; 0 if not known [B].
        inputs: input files in its folder.
        timeout_seconds: time after which its processes are killed [s].
        priority: order in which launches are kept if time is short.
    """

    id: FileName
    setup: Setup
    launch: PositiveInt
    attempt: PositiveInt = 1
    place: tuple[Count, ...] = ()
    kind: str = Field(default="", exclude_if=lambda kind: not kind)
    each_node: bool = False
    wave: Count = 0
    hosts: tuple[str, ...] = Field(default=(), exclude=True)
    seconds: Seconds
    memory_bytes: Count
    working_set_bytes: Count = 0
    resources: tuple[Resource, ...] = Field(default=(), exclude_if=lambda several: not several)
    inputs: tuple[CheckedFile, ...] = Field(default=(), exclude_if=lambda several: not several)
    timeout_seconds: Seconds
    priority: Priority = "main"

    @property
    def bytes_per_rank(self) -> int:
        """Estimated memory of each rank, if all ranks allocate equally [B]."""
        return math.ceil(self.memory_bytes / self.ranks)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of its hosts in the allocation."""
        return self.place or tuple(range(self.nodes))

    @property
    def devices(self) -> tuple[Resource, ...]:
        """The devices that it needs on each of its nodes, by kind."""
        own = (each for each in self.resources if each.kind == "device")
        return tuple(each.of(math.ceil((each.n or 0) / self.nodes)) for each in own)


def nodes_of(steps: Iterable[Step]) -> int:
    """Least number of nodes that these steps run on; 1 if there are no steps."""
    return max((max(step.numbers) + 1 for step in steps), default=1)


def networks_of(steps: Iterable[Step]) -> frozenset[str]:
    """Names of the networks that steps use, if there is a choice of networks."""
    return frozenset(step.network for step in steps if step.network)


class SkippedCase(InSetup, Record):
    """A case that will not run, and why.

    Attributes:
        reason: one clause.
        failed: whether the reason is a failure, such as a program that does not compile, rather
            than a case that does not fit.
    """

    setup: Setup
    reason: str
    failed: bool = False


def word_reasons(skipped: Iterable[SkippedCase]) -> str:
    """The reason of the first case, and the number of other reasons."""
    first, *others = dict.fromkeys(case.reason for case in skipped) or ["there is no case"]
    return f"{first} (and {plural(len(others), 'more reason')})" if others else first


class DroppedLaunch(InSetup, Record):
    """A planned launch that was dropped because time was short.

    Attributes:
        reason: one clause.
    """

    step: str
    setup: Setup
    launch: int
    reason: str


class Plan(Record):
    """The whole plan of a run.

    Attributes:
        seed: seed of the random order.
        budget_seconds: time limit of all measurements, None if there is none [s].
        seconds: the estimate for all steps [s].
        steps: steps in the order in which they run.
        experiments: the questions it answers or leaves open, in order of priority; none in runs of
            earlier versions.
        unasked: reasons why other questions are not asked, each as a clause.
    """

    profile: Profile
    seed: Count
    budget_seconds: Seconds | None
    seconds: Seconds
    steps: tuple[Step, ...]
    skipped: tuple[SkippedCase, ...]
    experiments: tuple[Experiment, ...] = Field(default=(), exclude_if=lambda several: not several)
    unasked: dict[Question, str] = Field(default_factory=dict, exclude_if=lambda own: not own)

    @property
    def digest(self) -> str:
        """Digest of the plan, twelve hexadecimal digits."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]
