"""Submits, follows and cancels the jobs of all features of a check, within the granted limits."""

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

# A lack of usable nodes is not reported before this time [s].
_PATIENCE_SECONDS = 8.0
# Delay until a job's files are visible after its end, on any file system [s].
_SILENT_SECONDS = 10.0


class CheckRunner:
    """Runs the jobs of a check.

    Args:
        folder: for scripts and output of jobs, visible to all nodes.
        lab: the lab of the batch system; empty for none.
        controls: further capabilities of the batch system's dialect.
        policy: reported scheduling policy.
        lateness: longest start-up time of a job on an empty system, as far as measured [s].
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
        """The client of the batch system.

        Raises:
            UntestedError: there is none.
        """
        if self.target.client is None:
            raise UntestedError("there is no batch system to ask")
        return self.target.client

    @property
    def is_whole(self) -> bool:
        """Whether the check may use all nodes of the queue."""
        n_nodes = self.target.queue.n_nodes
        return n_nodes is not None and n_nodes <= self.target.nodes

    @property
    def left_seconds(self) -> float:
        """Time left for the check [s]."""
        return max(0.0, self._deadline - self.clock.monotonic())

    def stop(self) -> None:
        """End all waiting."""
        self._stopped.set()

    def require_time(self) -> None:
        """Refuse to continue when the check must end.

        Raises:
            EndedError: it must.
        """
        if self._stopped.is_set():
            raise EndedError("the check was ended")
        if self.left_seconds <= 0.0:
            raise EndedError("no time was left")

    def pick(self, nodes: int) -> tuple[str, ...]:
        """Nodes for a job among the chosen ones; empty if the batch system may choose."""
        if not self.chosen or self.controls.on_nodes(self.chosen) is None:
            return ()
        first = next(self._turn) if nodes == 1 else 0
        return tuple(self.chosen[(first + i) % len(self.chosen)] for i in range(nodes))

    def confine(self, names: Sequence[str]) -> tuple[str, ...]:
        """The option that confines a job to these nodes; empty without names.

        Raises:
            UntestedError: it is unknown.
        """
        if not names:
            return ()
        option = self.controls.on_nodes(names)
        if option is None:
            system = self.client.dialect.system
            raise UntestedError(f"how to put a job on certain nodes is not known for {system}")
        return (option,)

    def new(self, feature: str, nodes: int = 1, limit_seconds: float = 60.0) -> ProbeJob:
        """A new job, not submitted yet; its name is recorded."""
        with self._lock:
            name = f"hc{self.registry.token}-{len(self.probes) + 1}"
            folder = self.folder / f"{feature}-{len(self.probes) + 1}"
            probe = ProbeJob(feature, name, folder, nodes, limit_seconds=limit_seconds)
            self.probes.append(probe)
        self.registry.note("name", name)
        return probe

    def send(self, probe: ProbeJob) -> None:
        """Submit a written job.

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
                raise RefusedError(came.message)
            unclear = f"it is unclear whether {probe.name} was accepted: "
            raise UntestedError(unclear + came.message)
        probe.number = came.id
        self.registry.note("job", probe.name, came.id)
        self.poller.watch(probe.job)

    def state(self, probe: ProbeJob) -> QueueState | None:
        """State of a job at the last query of the queue."""
        return self.poller.state(probe.number)

    def became(self, probe: ProbeJob) -> JobState:
        """The final state of a job, by its own record, else by the batch system's latest report."""
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
        """A check that raises if waiting for a job's start is futile."""
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
                raise UntestedError(f"{probe.label} needs {wanted}, {n_usable} take jobs ({lost})")

        return check

    def clean(self) -> list[str]:
        """Cancel all our jobs that have not ended; returns those that could not be cancelled."""
        self.stop()
        wrong = []
        for probe in self.probes:
            if probe.submitted and probe.number is None:
                probe.number, answered = self.client.find(probe.name)
                if not answered:
                    wrong.append(f"{probe.label}: it is unknown whether it is in the queue")
        live = [each for each in self.probes if each.number]
        refusals, _ = self.client.cancel_unended([each.job for each in live])
        return wrong + [
            f"{e.label} ({e.name}): {refusals[e.job]}" for e in live if refusals.get(e.job)
        ]


def _choose(nodes: Sequence[NodeState], granted: int) -> tuple[str, ...]:
    """Names of the nodes of a check where there are more: idle ones first."""
    order = ("idle", "mixed", "allocated")
    usable = sorted((n for n in nodes if n.takes_jobs), key=lambda n: order.index(n.state))
    return tuple(sorted(node.name for node in usable[:granted]))
