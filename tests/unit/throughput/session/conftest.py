"""Throughput tests of plain commands on this computer, without builds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.errors import BuildError
from heorot.model.machine.cores import Cores
from heorot.model.machine.machine import Limits, Machine, Node, Processor
from heorot.model.machine.toolchain import Toolchain
from heorot.monitoring.model import Monitoring
from heorot.session.exclusive_use import concurrent_runs
from heorot.session.programs import Programs
from heorot.throughput.model.kinds import Arrival, JobKind, Part
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session import conclude, conduct, load_run, monitored
from heorot.throughput.session.load_run import run_alone
from heorot.throughput.session.schedulers.scheduler import Change, Scheduler
from heorot.throughput.session.view import LoadState, ThroughputView
from heorot.throughput.session.work import Work, work_of
from tests.toolchains import some_compilers
from tests.waiting import wait_until

NODE = Node(
    names=("n1",),
    processor=Processor(isa="x86_64", n_threads=4),
    limits=Limits(n_usable_cores=4),
    cores=(Cores(cpus=("0", "1", "2", "3")),),
)
MACHINE = Machine(hostname="n1", nodes=(NODE,))
_CHAIN = Toolchain(name="gnu", compilers=some_compilers("/usr/bin/g++", "GNU 12"), mpi=None)
PROGRAMS = Programs(
    paths={}, chains={"gnu": _CHAIN}, networks=(), recipes={}, watch=None, builds=Path("/builds")
)
Make = Callable[..., Work]
JOBS = """
jobs:
  quick: {command: [sleep, "0.02"]}
  bad: {command: ["false"]}
  long: {command: [sleep, "20"]}
interactive:
  - {name: look, command: ["true"], think_time: 0.02}
"""


class Seen(ThroughputView):
    """Records the progress."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.glimpses: list[LoadState] = []
        self.ends: list[tuple[str, str]] = []
        self.loads: list[Monitoring] = []

    def stage(self, text: str) -> None:
        """A stage begins."""
        self.stages.append(text)

    def seen(self, load_state: LoadState) -> None:
        """The state of the load."""
        self.glimpses.append(load_state)

    def loaded(self, monitoring: Monitoring) -> None:
        """Samples of the nodes."""
        self.loads.append(monitoring)

    def settled(self, label: str, text: str) -> None:
        """A job has ended."""
        self.ends.append((label, text))


@pytest.fixture
def plain_tests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither sampler nor simulator: they have tests of their own. Polls follow soon.

    No other run is on this machine.
    """
    monkeypatch.setattr(concurrent_runs, "running_jobs", lambda: ())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def refuse(*_: object) -> Path:
        raise BuildError("no compiler", "install one")

    monkeypatch.setattr(monitored, "find_monitor", refuse)
    monkeypatch.setattr(conclude, "simulate_policies", refuse)
    monkeypatch.setattr(conduct, "_EMPTY_TIMES", 2)
    monkeypatch.setattr(load_run, "_LOOK_SECONDS", 0.01)


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., ThroughputRequest]:
    """Makes requests for throughput tests."""
    (tmp_path / "jobs.yaml").write_text(JOBS)

    def make(text: str, **facts: object) -> ThroughputRequest:
        (tmp_path / "a.schedule").write_text(text)
        fields = {
            "schedule": str(tmp_path / "a.schedule"),
            "jobs": tmp_path / "jobs.yaml",
            "out": tmp_path / "day",
            "batch": "local",
            "alone": 1,
        }
        return ThroughputRequest.model_validate({**fields, **facts})

    return make


def kind_of_words(*commands: str, **facts: object) -> JobKind:
    """A kind whose parts are commands of bash."""
    parts = tuple(Part(name="bash", command=("bash", "-c", text)) for text in commands)
    return JobKind.model_validate({"parts": parts, **facts})


def make_arrival(serial: int = 1, kind: str = "one", **facts: object) -> Arrival:
    """A job of a test, due at once."""
    fields = {"serial": serial, "label": f"{kind}{serial}", "kind": kind, "at_seconds": 0.0}
    return Arrival.model_validate({**fields, **facts})


def run_one(scheduler: Scheduler, work: Work) -> None:
    """Submit a job and follow it to its end."""
    run_alone([work], scheduler, ThroughputView(), lambda _: (True, ""))


def follow(scheduler: Scheduler, n: int) -> list[Change]:
    """All changes until a number of jobs have ended."""
    changes: list[Change] = []

    def enough() -> bool:
        changes.extend(scheduler.poll())
        return sum(change.phase == "ended" for change in changes) >= n

    wait_until(enough, seen=lambda: changes)
    return changes


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes jobs, each in a directory of its own."""

    def one(name: str, *commands: str, exclusive: bool = False, **facts: object) -> Work:
        return work_of(
            tmp_path / name,
            name,
            name.rstrip("0123456789"),
            kind_of_words(*commands, **facts),
            exclusive=exclusive,
            cores_per_node=4,
            toolchains={"": "gnu"},
        )

    return one
