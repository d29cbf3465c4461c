"""A run as a whole: what the report is written from."""

from __future__ import annotations

from dataclasses import dataclass, field

from heorot.model.analysis.result import Analysis
from heorot.model.base import Moment, Record, Span
from heorot.model.batch.jobs import JobAccount, JobCosts
from heorot.model.catalogue.benchmark import Benchmark, Header
from heorot.model.catalogue.family import Family
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.account import Account
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import DroppedLaunch, Plan, Step
from heorot.model.run.request import Request


class RunFacts(Record):
    """run.json: what identifies a run.

    Attributes:
        name: name of the run directory.
        heorot_version: version that measured.
        python_version: Python that conducted.
        request: what the user asked for.
        source_digest: of the native sources.
        started: Unix time [s].
        plan_digest: of plan.json; empty until there is a plan.
        toolchains: those used.
        setup_seconds: time spent building [s].
        ended: Unix time; None while it runs or after a kill [s].
    """

    name: str
    heorot_version: str
    python_version: str
    request: Request
    source_digest: str
    started: Moment
    plan_digest: str = ""
    toolchains: tuple[Toolchain, ...] = ()
    setup_seconds: Span = 0.0
    ended: Moment | None = None


@dataclass(frozen=True)
class Evaluation:
    """A run as a whole.

    Attributes:
        facts: what identifies it.
        machine: where it ran.
        plan: what was asked for.
        steps: all steps but the dropped ones, those that were added to the plan included.
        outcomes: how every step ended, in the order of the steps.
        account: their sum, and the ends nobody asked for.
        disturbed: reason by id of the steps that were disturbed.
        analysis: what it says.
        families: all of them, those that did not run too.
        benchmarks: the families' records of the programs in the plan.
        headers: what their sources say of themselves, by benchmark name.
        dropped: launches that were planned and given up as time got short.
        jobs: what each job cost and how it ended, in the order they were made.
        job_costs: what jobs and launches cost beside what is measured.
        disagreements: which files of the run contradict its digests or each other, in lines.
    """

    facts: RunFacts
    machine: Machine
    plan: Plan
    steps: tuple[Step, ...]
    outcomes: tuple[Outcome, ...]
    account: Account
    disturbed: dict[str, str]
    analysis: Analysis
    families: tuple[Family, ...]
    benchmarks: tuple[Benchmark, ...]
    headers: dict[str, Header]
    dropped: tuple[DroppedLaunch, ...] = ()
    jobs: tuple[JobAccount, ...] = ()
    job_costs: JobCosts = field(default_factory=JobCosts)
    disagreements: tuple[str, ...] = ()
