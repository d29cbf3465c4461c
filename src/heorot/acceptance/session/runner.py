"""Through which all features of a check submit, wait and cancel, within what they were granted."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from heorot.acceptance.session.feature import EndedError, RefusedError, UntestedError
from heorot.acceptance.session.poller import Poller
from heorot.acceptance.session.probe import ProbeJob
from heorot.acceptance.session.registry import Registry
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.jobs.facts import QueueState
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.batch.controls import Policy
from heorot.launch.batch.dialect import NodeState, Submission
from heorot.launch.batch.other_controls import controls_of
from heorot.launch.target import ExecutionTarget
from heorot.model.batch.states import JobState

# Before so long nobody complains that too few nodes take jobs [s].
_PATIENCE_SECONDS = 8.0
# What a job wrote is seen so long after its end, whatever the file system [s].
_SILENT_SECONDS = 10.0


class CheckRunner:
    """What a check works at.

    Args:
        folder: for scripts and what jobs say, seen by all nodes.
        lab: that the batch system is of; empty for none.

    Attributes:
        controls: what is known of the batch system beyond what every job needs.
        policy: how it schedules, as it says.
        lateness: how long after its submission a job begins on an empty system, at most, as far as
            that was measured [s].
    """

    def __init__(
        self,
        target: ExecutionTarget,
        folder: Path,
        registry: Registry,
        minutes: float,
        lab: str = "",
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self.target, self.folder, self.registry = target, folder, registry
        self.lab, self.clock = lab, clock
        self.lateness = 0.0
        self.controls = controls_of(self.client.dialect)
        asked = self.controls.policy()
        self.policy = self.client.ask(asked) if asked else Policy()
        self.poller = Poller(self.client, clock)
        self.probes: list[ProbeJob] = []
        self.first_nodes = target.node_states()
        self.chosen = () if self.is_whole else _choose(self.first_nodes, target.nodes)
        self._turn = itertools.count()
        self._lock = threading.Lock()
        self._deadline = self.clock.monotonic() + 60.0 * minutes
        self._stopped = threading.Event()

    @property
    def client(self) -> BatchClient:
        """What puts questions to the batch system.

        Raises:
            UntestedError: there is none.
        """
        if self.target.client is None:
            raise UntestedError("there is no batch system to ask")
        return self.target.client

    @property
    def is_whole(self) -> bool:
        """Whether the queue has no nodes but those that the check may take."""
        n_nodes = self.target.queue.n_nodes
        return n_nodes is not None and n_nodes <= self.target.nodes

    @property
    def left_seconds(self) -> float:
        """Until the check has to be over [s]."""
        return max(0.0, self._deadline - self.clock.monotonic())

    def stop(self) -> None:
        """Whoever waits for anything waits no more."""
        self._stopped.set()

    def require_time(self) -> None:
        """Refuse to go on when the check is to end.

        Raises:
            EndedError: it is.
        """
        if self._stopped.is_set():
            raise EndedError("the check was ended")
        if self.left_seconds <= 0.0:
            raise EndedError("no time was left")

    def pick(self, nodes: int) -> tuple[str, ...]:
        """Nodes for a job, of those that were chosen; none if the batch system may choose."""
        if not self.chosen or self.controls.on_nodes(self.chosen) is None:
            return ()
        first = next(self._turn) if nodes == 1 else 0
        return tuple(self.chosen[(first + i) % len(self.chosen)] for i in range(nodes))

    def confine(self, names: Sequence[str]) -> tuple[str, ...]:
        """The option that has a job run on these nodes; none without names.

        Raises:
            UntestedError: it is not known.
        """
        if not names:
            return ()
        option = self.controls.on_nodes(names)
        if option is None:
            system = self.client.dialect.system
            raise UntestedError(f"how to put a job on certain nodes is not known for {system}")
        return (option,)

    def new(self, feature: str, nodes: int = 1, limit_seconds: float = 60.0) -> ProbeJob:
        """A job that is not submitted yet; its name is kept."""
        with self._lock:
            name = f"hc{self.registry.token}-{len(self.probes) + 1}"
            folder = self.folder / f"{feature}-{len(self.probes) + 1}"
            probe = ProbeJob(feature, name, folder, nodes, limit_seconds=limit_seconds)
            self.probes.append(probe)
        self.registry.note("name", name)
        return probe

    def send(self, probe: ProbeJob) -> None:
        """Call the submitting command for a job that is written.

        Raises:
            RefusedError: the batch system refused it.
            UntestedError: it is unknown whether the job was accepted.
        """
        client = self.client
        question = client.dialect.submit(probe.script, probe.name)
        probe.submitted = self.clock.time()
        came = client.send(question, probe.folder)
        probe.submit_seconds = max(0.0, self.clock.time() - probe.submitted)
        if came.outcome == "unclear":
            number, _ = client.find(probe.name)
            came = Submission("accepted", number) if number else came
        if came.outcome != "accepted":
            if came.outcome == "refused":
                self.registry.note("refused", probe.name)
                probe.submitted, probe.refused = 0.0, True
                raise RefusedError(came.said)
            raise UntestedError(f"it is not clear whether {probe.name} was taken: {came.said}")
        probe.number = came.id
        self.registry.note("job", probe.name, came.id)
        self.poller.watch(probe.job)

    def state(self, probe: ProbeJob) -> QueueState | None:
        """How the queue had a job when it was last asked."""
        return self.poller.state(probe.number)

    def became(self, probe: ProbeJob) -> JobState:
        """What became of a job, as it said itself, else as the batch system said last."""
        if self.poller.taken(probe.number):
            return probe.became("vanished")
        state = self.state(probe)
        return probe.became(state.batch_state if state else None)

    def cancel(self, probe: ProbeJob) -> str:
        """Cancel one of our jobs; returns an error in one line, or empty."""
        if probe.number is None:
            return ""
        return self.client.cancel(probe.job)

    def require_nodes(self, probe: ProbeJob) -> Callable[[], None]:
        """What tells that there is no use in waiting for a job to start."""
        begun = self.clock.monotonic()

        def check() -> None:
            self.require_time()
            if probe.start is None and self.poller.taken(probe.number):
                raise UntestedError(f"{probe.label} is lost: its id was given to another job")
            ended = self.poller.ended(probe.number)
            if ended is not None and self.clock.time() - ended > _SILENT_SECONDS:
                raise UntestedError(
                    f"{probe.label} ended and has written nothing: do all nodes see {self.folder}?"
                )
            known = self.poller.nodes
            usable = [node for node in known if node.takes_jobs]
            late = self.clock.monotonic() - begun > _PATIENCE_SECONDS
            if known and late and len(usable) < probe.nodes:
                lost = ", ".join(f"{n.name} {n.raw}" for n in known if n not in usable)
                wanted = f"{probe.nodes} node{'s' * (probe.nodes > 1)}"
                n_usable = len(usable) or "none"
                raise UntestedError(f"{probe.label} wants {wanted}, {n_usable} take jobs ({lost})")

        return check

    def clean(self) -> list[str]:
        """Cancel all our jobs that have not ended; returns those that could not be cancelled."""
        self.stop()
        wrong = []
        for probe in self.probes:
            if probe.submitted and probe.number is None:
                probe.number, answered = self.client.find(probe.name)
                if not answered:
                    wrong.append(f"{probe.label}: nobody says whether it is in the queue")
        live = [each for each in self.probes if each.number]
        said, _ = self.client.cancel_unended([each.job for each in live])
        return wrong + [f"{e.label} ({e.name}): {said[e.job]}" for e in live if said.get(e.job)]


def _choose(nodes: Sequence[NodeState], granted: int) -> tuple[str, ...]:
    """Names of the nodes that a check takes where there are more: first those that are idle."""
    order = ("idle", "mixed", "allocated")
    usable = sorted((n for n in nodes if n.takes_jobs), key=lambda n: order.index(n.state))
    return tuple(sorted(node.name for node in usable[:granted]))
