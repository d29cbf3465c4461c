"""Runs without programs: an adapter that writes what job scripts would, and recorded progress."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from heorot.build.sources import native_directory, source_digest
from heorot.jobs.events import StepEvent
from heorot.jobs.status import read_status
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.overdue import processes_of
from heorot.launch.job import Job
from heorot.launch.target import ExecutionTarget
from heorot.machine.describe import describe, list_directories
from heorot.machine.filesystems import describe_filesystems
from heorot.machine.pace import probe
from heorot.model.evaluation import RunFacts
from heorot.model.machine.machine import Machine, Node, Processor
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.run.outcome import Exit, State
from heorot.model.run.plan import Plan, Step
from heorot.model.run.request import Request
from heorot.session import inspection, preparation, programs, run_start
from heorot.session.external_programs import launches
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.throughput.simulations import simulation
from tests.toolchains import some_compilers
from tests.unit.collect.conftest import RECORDS, make_step
from tests.waiting import wait_until

NODE = Node(names=("n1",), processor=Processor(isa="x86_64"))
_TOOLCHAIN = Toolchain(
    name="gnu",
    compilers=some_compilers("/usr/bin/g++", "GNU 12"),
    mpi=Mpi(flavour="mpich", version="5", cxx=Path("/mpi/mpicxx"), mpiexec=Path("/mpi/mpiexec")),
)
# Variables by which compilers and libraries of this machine are found.
_SHOWN_BY = ("PATH", "LD_LIBRARY_PATH", "MKLROOT", "MODULEPATH", "MODULESHOME", "LMOD_CMD", "HOME")
_digest = cache(source_digest)
_pace = cache(lambda: probe(2, 1 << 30))


@cache
def _described(environment: frozenset[tuple[str, str]]) -> Machine:
    del environment
    return describe(Path.cwd())


def _describe(work_dir: Path, *_: object) -> Machine:
    known = frozenset((name, os.environ.get(name, "")) for name in _SHOWN_BY)
    places = describe_filesystems(list_directories(work_dir))
    return _described(known).model_copy(update={"filesystems": places})


@pytest.fixture(autouse=True)
def seen_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine and the sources are inspected once: inspection has tests of its own."""
    monkeypatch.setattr(inspection, "describe", _describe)
    monkeypatch.setattr(preparation, "pace_of", lambda *_, **__: _pace())
    for module in (run_start, launches, programs, simulation):
        monkeypatch.setattr(module, "source_digest", _digest)


class FakeAdapter:
    """Writes what the script of a job would write, up to a step at which it is killed.

    Attributes:
        started: ids of the jobs that were started.
        cancelled: ids of the jobs that were cancelled.
        killed_before: the step at which the script is killed, none if empty.
        interrupted: whether Ctrl-C comes while a job is followed.
        message: the complaint of the script.
        sample: the record that every step writes.
        code: the exit code of every step.
    """

    def __init__(self) -> None:
        self.started: list[str] = []
        self.cancelled: list[str] = []
        self.killed_before = ""
        self.interrupted = False
        self.message = ""
        self.sample = "stream"
        self.code = 0

    def start(self, job: Job, after: Job | None = None) -> None:
        """Run all steps that have not ended at once."""
        del after
        self.started.append(job.id)
        ended = read_status(job.directory).exits
        with job.status.open("a") as status:
            for step in job.steps:
                if step == self.killed_before:
                    return
                if step not in ended:
                    self._run(job, step)
                    facts = {"code": self.code, "timed_out": False, "started": 8.0}
                    for event, more in (("start", {}), ("exit", facts)):
                        fields = {"event": event, "step": step, "time": 9.0, **more}
                        status.write(json.dumps(fields) + "\n")

    def _run(self, job: Job, step: str) -> None:
        record = (RECORDS / f"{self.sample}.jsonl").read_bytes()
        (job.directory / "records" / f"{step}.jsonl").write_bytes(record)

    def alive(self, job: Job) -> bool:
        """Never: a job is done when start returns."""
        del job
        return False

    def cancel(self, job: Job) -> None:
        """Record it."""
        self.cancelled.append(job.id)

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        """Report what stands in the status file."""
        if self.interrupted:
            raise KeyboardInterrupt
        for event in StatusTail(job.directory, job.steps).read(0)[0]:
            on_event(event)

    def complaint(self, job: Job) -> str:
        """The given message."""
        del job
        return self.message


class Reported(Progress):
    """Records the progress."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.finished_steps: list[str] = []
        self.states: list[State] = []
        self.dropped_steps: list[str] = []

    def stage(self, text: str) -> None:
        """A stage begins."""
        self.stages.append(text)

    def finished(self, step: Step, exit_: Exit, state: State) -> None:
        """A step has ended."""
        del exit_
        self.finished_steps.append(step.id)
        self.states.append(state)

    def dropped(self, step: Step) -> None:
        """A planned step will not run."""
        self.dropped_steps.append(step.id)


def kill(job: Job) -> None:
    """Kill all processes of a job at once, like a power failure of a node."""

    def is_gone() -> bool:
        left = list(processes_of(job))
        for number in (signal.SIGSTOP, signal.SIGKILL):  # none reacts to the end of another
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
        return not left

    wait_until(is_gone, seen=lambda: list(processes_of(job)))


@pytest.fixture
def adapter() -> FakeAdapter:
    return FakeAdapter()


@pytest.fixture
def target(adapter: FakeAdapter) -> ExecutionTarget:
    """This machine, with a fake adapter."""
    return ExecutionTarget(adapter, Site(), 1)


@pytest.fixture
def reported() -> Reported:
    return Reported()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunDirectory:
    """A run that has been planned and built: three steps, none measured."""
    monkeypatch.setattr(
        programs,
        "build_programs",
        lambda steps, *_: ({(s.toolchain, s.benchmark): Path("/b/stream") for s in steps}, {}),
    )
    directory = RunDirectory.create(tmp_path / "run")
    directory.write_facts(
        RunFacts(
            name="run",
            heorot_version="0.1.0",
            python_version="3.11",
            request=Request(command=("heorot", "evaluate")),
            source_digest=_digest(native_directory()),
            started=1.0,
            toolchains=(_TOOLCHAIN,),
        )
    )
    directory.write_machine(Machine(hostname="n1", nodes=(NODE,)))
    steps = tuple(make_step(number, launch=number) for number in (1, 2, 3))
    directory.write_plan(
        Plan(profile="smoke", seed=1, budget_seconds=None, seconds=3.0, steps=steps, skipped=())
    )
    return directory
