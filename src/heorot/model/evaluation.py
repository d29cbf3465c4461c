"""A run as a whole: the input of the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heorot.model.analysis.result import Analysis, Result
from heorot.model.base import Record, Seconds, UnixTime
from heorot.model.batch.jobs import JobAccount, JobCosts
from heorot.model.catalogue.benchmark import Benchmark, Header
from heorot.model.catalogue.family import Family
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.account import Account
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import DroppedLaunch, Plan, Step
from heorot.model.run.request import Request
from heorot.units import noun_for


class RunFacts(Record):
    """run.json: what identifies a run.

    Attributes:
        python_version: Python of the session.
        started: Unix time [s].
        plan_digest: of plan.json; empty until there is a plan.
        setup_seconds: time spent building [s].
        ended: Unix time; None while it runs or after a kill [s].
    """

    name: str
    heorot_version: str
    python_version: str
    request: Request
    source_digest: str
    started: UnixTime
    plan_digest: str = ""
    toolchains: tuple[Toolchain, ...] = ()
    setup_seconds: Seconds = 0.0
    ended: UnixTime | None = None


@dataclass(frozen=True)
class Peer:
    """A headline of a run, as measured in an earlier run or published of a machine.

    Attributes:
        name: of the run or machine.
        median: in the unit of the headline.
        low: lower end of its interval; None if that was not published.
        launches: that the interval rests on.
        begun: start of the run [Unix time, s]; None of a published machine.
    """

    name: str
    median: float
    low: float | None = None
    high: float | None = None
    launches: int | None = None
    begun: UnixTime | None = None


@dataclass(frozen=True)
class Counts:
    """The extent of a run, in one wording wherever it is reported.

    Attributes:
        measured: measured results: rows of the table that have samples of their own.
        derived: derived results: rows that follow from others, from fits, or from the times of
            launches and jobs.
        failed_checks: number of checks that did not pass.
        launches: launches, repeats not counted again.
        left_out: programs of the catalogue and of recipes that did not run.
    """

    measured: int
    derived: int
    checks: int
    failed_checks: int
    launches: int
    repeats: int
    run: int
    left_out: int

    @property
    def results(self) -> str:
        """Such as `3,834 measured results and 1,944 derived results`."""
        return f"{_plural(self.measured, 'measured result')} and " + _plural(
            self.derived, "derived result"
        )

    @property
    def all_passed(self) -> bool:
        """Whether there were checks and none failed."""
        return self.checks > 0 and self.failed_checks == 0

    @property
    def verification(self) -> str:
        """Such as `all 8,691 checks passed`."""
        if not self.checks:
            return "no check was made"
        if self.failed_checks:
            return f"{self.failed_checks:,} of {_plural(self.checks, 'check')} failed"
        return "the only check passed" if self.checks == 1 else f"all {self.checks:,} checks passed"

    @property
    def runs(self) -> str:
        """Such as `75 launches and 4 repeats`."""
        repeats = f" and {_plural(self.repeats, 'repeat')}" if self.repeats else ""
        return _plural(self.launches, "launch") + repeats

    @property
    def programs(self) -> str:
        """Such as `15 programs run, 39 left out`."""
        return f"{_plural(self.run, 'program')} run, {self.left_out} left out"


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun_for(number, noun)}"


@dataclass(frozen=True)
class Evaluation:
    """A run as a whole.

    Attributes:
        steps: all steps but the dropped ones, those that were added to the plan included.
        outcomes: how every step ended, in the order of the steps.
        account: their sum, and unexpected ends.
        disturbed: reason by id of the perturbed steps.
        families: all of them, with those that did not run.
        benchmarks: the families' records of the programs in the plan.
        headers: the header comments of their sources, by benchmark name.
        dropped: planned launches that were dropped for lack of time.
        jobs: overhead and end of each job, in the order of their creation.
        job_costs: overheads of jobs and launches besides the measurements.
        costs: overheads of launches and jobs, as further rows of results.
        disagreements: files of the run that contradict its digests or each other, in lines.
        peers: values of headlines elsewhere, by id of their rows: earlier runs, newest first, then
            published machines.
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
    costs: tuple[Result, ...] = ()
    disagreements: tuple[str, ...] = ()
    peers: Mapping[str, tuple[Peer, ...]] = field(default_factory=dict)

    @property
    def table(self) -> tuple[Result, ...]:
        """The rows of results.parquet and of every export."""
        return (*self.analysis.results, *self.costs)

    @property
    def programs_run(self) -> frozenset[str]:
        """Programs with a launch, however it ended."""
        names = {step.id: step.benchmark for step in self.steps}
        ran = (each.step for each in self.outcomes if each.state not in {"refused", "lost"})
        return frozenset(names[step] for step in ran if step in names)

    @property
    def counts(self) -> Counts:
        """The extent of the run."""
        known = {each.name for family in self.families for each in family.benchmarks}
        checks = [check for outcome in self.outcomes for check in outcome.checks]
        n_derived = sum(row.derived for row in self.table)
        n_repeats = sum(step.attempt > 1 for step in self.steps)
        return Counts(
            measured=len(self.table) - n_derived,
            derived=n_derived,
            checks=len(checks),
            failed_checks=sum(not check.passed for check in checks),
            launches=len(self.steps) - n_repeats,
            repeats=n_repeats,
            run=len(self.programs_run),
            left_out=len(known - self.programs_run),
        )
