"""The context of one feature's test: its jobs, its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from heorot.acceptance.session.feature import UntestedError
from heorot.acceptance.session.poller import wait_for
from heorot.acceptance.session.probe import ProbeJob
from heorot.acceptance.session.runner import CheckRunner
from heorot.acceptance.session.target import wants_of
from heorot.jobs.facts import QueueState
from heorot.launch.batch.controls import Holding
from heorot.launch.batch.dialect import Part, Question
from heorot.units import format_duration

T = TypeVar("T")
START_SECONDS = 90.0
_SETTLE_SECONDS = 45.0
# Limit of the start of a job, as a multiple of the start-up time on an empty system.
_TIMES_LATENESS = 4.0
# Events of one scheduling cycle may be observed this far apart [s].
_TOGETHER_SECONDS = 1.0
# Least time limit of a job that waits for our signal [s].
_STAY_SECONDS = 240.0


class FeatureContext:
    """Submits, follows and queries jobs for the test of one feature.

    Attributes:
        controls, policy: those of the runner.
    """

    def __init__(self, runner: CheckRunner, feature: str) -> None:
        self.runner, self.feature = runner, feature
        self.target, self.client, self.clock = runner.target, runner.client, runner.clock
        self.controls, self.policy = runner.controls, runner.policy
        self.probes: list[ProbeJob] = []

    @property
    def patience(self) -> float:
        """Time limit for the start of a job that is due [s]."""
        return max(START_SECONDS, _TIMES_LATENESS * self.runner.lateness)

    @property
    def stay_seconds(self) -> float:
        """Time limit of a job that waits for our signal [s]."""
        return max(_STAY_SECONDS, 2.0 * self.patience)

    def known(self, value: T | None, what: str) -> T:
        """Return a value of the batch system's dialect, if known.

        Args:
            value: None if unknown.

        Raises:
            UntestedError: it is unknown.
        """
        if value is None:
            raise UntestedError(f"how to {what} is not known for {self.client.dialect.system}")
        return value

    def submit(
        self,
        body: str,
        *,
        nodes: int = 1,
        cores: int | None = 1,
        limit_seconds: float = 60.0,
        exclusive: bool = False,
        options: Iterable[str] = (),
        on: Sequence[str] = (),
        more: Iterable[str] = (),
        parts: tuple[Part, ...] = (),
    ) -> ProbeJob:
        """Submit a job, after its name is recorded.

        Args:
            cores: of each node; None for the batch system's default.
            limit_seconds: time limit [s].
            exclusive: whether the job has its nodes to itself.
            on: names of its nodes; if empty, the runner chooses them where the queue has more than
                granted, and else the batch system does.
            more: whole lines after the directives.
            parts: its nodes if they differ; `on` is ignored then.

        Raises:
            EndedError: the check must end.
            RefusedError: the batch system refused it.
            UntestedError: it is unknown whether the job was accepted.
        """
        runner, target = self.runner, self.target
        runner.require_time()
        if nodes > target.nodes:
            raise UntestedError(f"it takes {nodes} nodes, and {target.nodes} are granted")
        probe = runner.new(self.feature, nodes, limit_seconds)
        self.probes.append(probe)
        dialect = self.client.dialect
        chosen = () if parts else runner.confine(on or runner.pick(nodes))
        wants = wants_of(target, nodes, cores, limit_seconds, (*options, *chosen))
        own = {"exclusive": exclusive} | ({"parts": parts} if parts else {})
        job_environment = dialect.job_environment(wants.model_copy(update=own))
        probe.write(
            (*job_environment.header, *more),
            body,
            own_id=dialect.own_id,
            index=self.controls.index,
            hosts=job_environment.list_hosts,
        )
        runner.send(probe)
        return probe

    def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until a condition holds; returns whether it does."""
        return wait_for(condition, seconds, self.runner.require_time, self.clock)

    def started(self, probe: ProbeJob, seconds: float | None = None) -> float:
        """Wait until a job's script has started; returns when, by its own clock [s].

        Raises:
            UntestedError: it does not start.
        """
        seconds = self.patience if seconds is None else seconds
        check = self.runner.require_nodes(probe)
        wait_for(lambda: probe.start is not None, seconds, check, self.clock)
        if probe.start is None:
            raise UntestedError(
                f"{probe.label} did not start within {format_duration(seconds)}"
                f" ({self.word(probe)})"
            )
        return probe.start

    def ended(self, probe: ProbeJob, seconds: float | None = None) -> float:
        """Wait until a job's script has ended; returns when, by its own clock [s].

        Raises:
            UntestedError: it does not end.
        """
        self.started(probe, seconds)
        seconds = self.patience if seconds is None else seconds
        if not self.wait(lambda: probe.end is not None, seconds) or probe.end is None:
            raise UntestedError(
                f"{probe.label} did not come to its end within {format_duration(seconds)}"
                f" ({self.word(probe)})"
            )
        return probe.end

    def decided(
        self, control: ProbeJob, until: Callable[[], bool], since: float | None = None
    ) -> bool:
        """Wait until the batch system has considered all jobs submitted before a control job.

        Silence is no evidence where jobs start late. A started control job, which could not start
        before the others, shows that they were considered; starts in the same cycle may be observed
        a little later, so the others are watched for the same time again.

        Args:
            control: a job that is due, submitted after the others.
            since: earliest time for the control job's start, by our clock; None for its submission
                [s].

        Returns:
            Whether `until` came to hold.

        Raises:
            UntestedError: it did not, and the control job did not start either.
        """
        since = control.submitted if since is None else since
        patience, check = self.patience, self.runner.require_nodes(control)
        wait_for(lambda: until() or control.start is not None, patience, check, self.clock)
        if until():
            return True
        if control.start is None:
            raise UntestedError(
                f"no evidence that the batch system considered the waiting jobs: {control.label}, "
                f"which was due, did not start within {format_duration(patience)}"
                f" ({self.word(control)})"
            )
        took = max(_TOGETHER_SECONDS, self.clock.time() - since, self.runner.lateness)
        return self.wait(until, took)

    def early(
        self, waiting: Sequence[ProbeJob], control: ProbeJob, since: float | None = None
    ) -> ProbeJob | None:
        """A job that started although it should wait; None if all wait.

        Args:
            waiting: jobs that should wait.
            since: as in `decided` [s].

        Raises:
            UntestedError: as `decided`.
        """

        def begun() -> ProbeJob | None:
            return next((probe for probe in waiting if probe.start is not None), None)

        self.decided(control, lambda: begun() is not None, since)
        return begun() or next(filter(self._is_reported_running, waiting), None)

    def _is_reported_running(self, probe: ProbeJob) -> bool:
        """Whether the batch system reports a job as running that has written nothing itself."""
        state = self.client.state(probe.job).state
        return state is not None and state.phase == "running"

    def elsewhere(self, name: str) -> str:
        """A node other than a given one, on which a control job can start.

        Raises:
            UntestedError: there is none.
        """
        order = ("idle", "mixed", "allocated")
        others = [
            node
            for node in self.target.node_states()
            if node.state in order
            and node.name != name
            and (not self.runner.chosen or node.name in self.runner.chosen)
        ]
        if not others:
            raise UntestedError(f"there is no node but {name} to compare with")
        return min(others, key=lambda node: order.index(node.state)).name

    def reported_end(self, probe: ProbeJob, seconds: float | None = None) -> QueueState | None:
        """Wait until the batch system reports a job as ended; None if it does not."""
        seconds = _SETTLE_SECONDS if seconds is None else seconds
        self.wait(lambda: self.runner.poller.ended(probe.number) is not None, seconds)
        if self.runner.poller.ended(probe.number) is None:
            return None
        account = self.client.account(probe.job)
        return account or self.runner.state(probe)

    def word(self, probe: ProbeJob) -> str:
        """The batch system's latest report on a job."""
        if self.runner.poller.taken(probe.number):
            return "the batch system lost it and gave its id to another job"
        state = self.runner.state(probe)
        if state is None:
            return "the batch system does not report it"
        return ", ".join(filter(None, (state.raw or state.phase, state.reason)))

    def ask(self, question: Question[T]) -> T:
        return self.client.ask(question)

    def act(self, question: Question[str], probe: ProbeJob) -> str:
        """Act on a job, unless its id may have been reused; returns the obstacle, or empty."""
        return self.client.doubt(probe.job) or self.ask(question)

    def holding(self, probe: ProbeJob) -> Holding:
        """Allocated resources of a job, by the batch system; empty if the query is unknown."""
        question = self.controls.holding(str(probe.number))
        if question is None or self.client.doubt(probe.job):
            return Holding()
        return self.ask(question)
