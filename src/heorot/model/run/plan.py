"""What will run, in which order, and what will not and why."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable

from pydantic import Field

from heorot.model.base import Count, FileName, Record, Several, Span
from heorot.model.catalogue.benchmark import Priority, Profile
from heorot.model.catalogue.need import CheckedFile
from heorot.model.resource import Resource
from heorot.model.run.experiment import Experiment, Question
from heorot.model.run.identity import InSetup, Setup
from heorot.units import plural


class Step(InSetup, Record):
    """One launch of one program.

    Attributes:
        id: `S0001`, unique in a run; a repeat of a disturbed step has its own.
        setup: what runs: all launches of a case share it.
        launch: 1, 2, ... among the launches of this case.
        attempt: 1, or 2 when it repeats a disturbed launch.
        place: numbers of the hosts of the job's allocation that it runs on, from 0; empty for the
            first ones.
        kind: the kind of core that its rank is bound to, where that is not the first of several.
        each_node: whether it is one of the copies of a case that run on every node by themselves.
        wave: steps with the same number follow each other and run at the same time, each on hosts
            of its own; 0 for a step that runs alone.
        hosts: in runs of an earlier version, where it is empty; not written any more.
        seconds: estimate [s].
        memory_bytes: estimate for all ranks [B].
        working_set_bytes: what a body touches again and again, all ranks; 0 if not known [B].
        inputs: files that it finds in its folder.
        timeout_seconds: after this the step's processes are killed [s].
        priority: what is launched first where time gets short.
    """

    id: FileName
    setup: Setup
    launch: Several
    attempt: Several = 1
    place: tuple[Count, ...] = ()
    kind: str = Field(default="", exclude_if=lambda kind: not kind)
    each_node: bool = False
    wave: Count = 0
    hosts: tuple[str, ...] = Field(default=(), exclude=True)
    seconds: Span
    memory_bytes: Count
    working_set_bytes: Count = 0
    resources: tuple[Resource, ...] = Field(default=(), exclude_if=lambda several: not several)
    inputs: tuple[CheckedFile, ...] = Field(default=(), exclude_if=lambda several: not several)
    timeout_seconds: Span
    priority: Priority = "main"

    @property
    def bytes_per_rank(self) -> int:
        """What each rank will allocate, where all allocate alike [B]."""
        return math.ceil(self.memory_bytes / self.ranks)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the hosts of the allocation that it runs on."""
        return self.place or tuple(range(self.nodes))

    @property
    def devices(self) -> tuple[Resource, ...]:
        """Its devices by kind, as many as it needs on each of its nodes."""
        own = (each for each in self.resources if each.kind == "device")
        return tuple(each.of(math.ceil((each.n or 0) / self.nodes)) for each in own)


def nodes_of(steps: Iterable[Step]) -> int:
    """How many nodes an allocation has at least that these steps run on; 1 if there are none."""
    return max((max(step.numbers) + 1 for step in steps), default=1)


def networks_of(steps: Iterable[Step]) -> frozenset[str]:
    """Names of the networks that steps use where there is a choice."""
    return frozenset(step.network for step in steps if step.network)


class SkippedCase(InSetup, Record):
    """A case that will not run, and why.

    Attributes:
        reason: one clause.
        failed: whether that is a failure, as of a program that does not compile, rather than a
            case that does not fit.
    """

    setup: Setup
    reason: str
    failed: bool = False


def word_reasons(skipped: Iterable[SkippedCase]) -> str:
    """Why the first case does not run, and how many other reasons there are."""
    first, *others = dict.fromkeys(case.reason for case in skipped) or ["there is no case"]
    return f"{first} (and {plural(len(others), 'more reason')})" if others else first


class DroppedLaunch(InSetup, Record):
    """A launch that was planned and then given up, as time got short.

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
        seed: of the shuffling.
        budget_seconds: what measuring may take in all, or None for as long as it takes [s].
        seconds: the estimate for all steps [s].
        steps: in the order they run.
        experiments: the questions it answers or leaves open, in the order in which they found a
            place; none in runs of earlier versions.
        unasked: why other questions are not asked, each as a clause.
    """

    profile: Profile
    seed: Count
    budget_seconds: Span | None
    seconds: Span
    steps: tuple[Step, ...]
    skipped: tuple[SkippedCase, ...]
    experiments: tuple[Experiment, ...] = Field(default=(), exclude_if=lambda several: not several)
    unasked: dict[Question, str] = Field(default_factory=dict, exclude_if=lambda own: not own)

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change with anything in the plan."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]
