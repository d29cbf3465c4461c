"""What the check of one feature works through: its jobs, its evidence."""

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
# Jobs begin within so many times what that took on an empty system.
_TIMES_LATENESS = 4.0
# What begins together is not seen at the same moment [s].
_TOGETHER_SECONDS = 1.0
# A job that waits for our signal has so long at least before its limit [s].
_STAY_SECONDS = 240.0


class FeatureContext:
    """Through which one feature works.

    Attributes:
        controls, policy: as of the runner.
    """

    def __init__(self, runner: CheckRunner, feature: str) -> None:
        self.runner, self.feature = runner, feature
        self.target, self.client, self.clock = runner.target, runner.client, runner.clock
        self.controls, self.policy = runner.controls, runner.policy
        self.probes: list[ProbeJob] = []

    @property
    def patience(self) -> float:
        """For how long a job is waited for that is to begin [s]."""
        return max(START_SECONDS, _TIMES_LATENESS * self.runner.lateness)

    @property
    def stay_seconds(self) -> float:
        """Time limit of a job that waits for our signal [s]."""
        return max(_STAY_SECONDS, 2.0 * self.patience)

    def known(self, value: T | None, what: str) -> T:
        """What the batch system knows how to do.

        Args:
            value: None if that is not known.

        Raises:
            UntestedError: it is not known.
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
        """Submit a job, whose name is kept before that.

        Args:
            cores: of each node; None leaves it to the batch system.
            limit_seconds: after which it is to be ended [s].
            exclusive: whether nobody else may use its nodes.
            on: names of its nodes; none leaves it to us where the queue has more than were granted,
                and else to the batch system.
            more: whole lines behind the directives.
            parts: its nodes where they are unlike; `on` says nothing then.

        Raises:
            EndedError: the check is to end.
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
        """Wait until something is so; returns whether it is."""
        return wait_for(condition, seconds, self.runner.require_time, self.clock)

    def started(self, probe: ProbeJob, seconds: float | None = None) -> float:
        """Wait until a job's script has begun; returns when, by its own clock [s].

        Raises:
            UntestedError: it does not begin.
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
        """Wait until a job's script has come to its end; returns when, by its own clock [s].

        Raises:
            UntestedError: it does not.
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
        """Wait until the batch system has decided about what was submitted before a control job.

        Silence says nothing where jobs begin late. A control job that has begun, and could not
        begin sooner than the others, shows that they were looked at; what begins with it may be
        seen a little later, so they are watched for as long again.

        Args:
            control: is to begin, and was submitted behind the others.
            since: when the control job could begin first, by our clock; None for when it was
                submitted [s].

        Returns:
            whether that was seen.

        Raises:
            UntestedError: it was not, and the control job did not begin either.
        """
        since = control.submitted if since is None else since
        patience, check = self.patience, self.runner.require_nodes(control)
        wait_for(lambda: until() or control.start is not None, patience, check, self.clock)
        if until():
            return True
        if control.start is None:
            raise UntestedError(
                f"nothing shows that the batch system looked at what was to wait: {control.label},"
                f" which was to begin, did not within {format_duration(patience)}"
                f" ({self.word(control)})"
            )
        took = max(_TOGETHER_SECONDS, self.clock.time() - since, self.runner.lateness)
        return self.wait(until, took)

    def early(
        self, waiting: Sequence[ProbeJob], control: ProbeJob, since: float | None = None
    ) -> ProbeJob | None:
        """A job that has begun although it was to wait; None if the batch system let all wait.

        Args:
            waiting: jobs that are to wait.
            since: as in `decided` [s].

        Raises:
            UntestedError: as `decided`.
        """

        def begun() -> ProbeJob | None:
            return next((probe for probe in waiting if probe.start is not None), None)

        self.decided(control, lambda: begun() is not None, since)
        return begun() or next(filter(self._is_reported_running, waiting), None)

    def _is_reported_running(self, probe: ProbeJob) -> bool:
        """Whether the batch system says now that a job runs, which has said nothing itself."""
        state = self.client.state(probe.job).state
        return state is not None and state.phase == "running"

    def elsewhere(self, name: str) -> str:
        """Another node than a certain one, where a control job can begin.

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

    def settled(self, probe: ProbeJob, seconds: float | None = None) -> QueueState | None:
        """Wait until the batch system says that a job has ended; None if it does not."""
        seconds = _SETTLE_SECONDS if seconds is None else seconds
        self.wait(lambda: self.runner.poller.ended(probe.number) is not None, seconds)
        if self.runner.poller.ended(probe.number) is None:
            return None
        account = self.client.account(probe.job)
        return account or self.runner.state(probe)

    def word(self, probe: ProbeJob) -> str:
        """What the batch system last said of a job."""
        if self.runner.poller.taken(probe.number):
            return "the batch system lost it and gave its id to another job"
        state = self.runner.state(probe)
        if state is None:
            return "the batch system says nothing of it"
        return ", ".join(filter(None, (state.raw or state.phase, state.reason)))

    def ask(self, question: Question[T]) -> T:
        return self.client.ask(question)

    def act(self, question: Question[str], probe: ProbeJob) -> str:
        """Do something to a job, unless its id may be another's; what speaks against it."""
        return self.client.doubt(probe.job) or self.ask(question)

    def holding(self, probe: ProbeJob) -> Holding:
        """What a job has, as the batch system tells; nothing if it is not known how to ask."""
        question = self.controls.holding(str(probe.number))
        if question is None or self.client.doubt(probe.job):
            return Holding()
        return self.ask(question)
