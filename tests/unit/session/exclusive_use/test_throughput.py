"""A throughput test uses this machine exclusively, like an evaluation."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from heorot.errors import BuildError
from heorot.launch.adapters.adapter import Adapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site
from heorot.session.exclusive_use import concurrent_runs
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session import conclude, conduct, monitored
from heorot.throughput.store import ThroughputDirectory
from tests.unit.session.conftest import FakeAdapter
from tests.unit.throughput.session.conftest import Seen


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ThroughputRequest:
    """A test of one job; nothing is compiled for it, and no other run is on this machine."""

    def refuse(*_: object) -> Path:
        raise BuildError("no compiler", "install one")

    monkeypatch.setattr(monitored, "find_monitor", refuse)
    monkeypatch.setattr(conclude, "simulate_policies", refuse)
    monkeypatch.setattr(concurrent_runs, "running_jobs", lambda: ())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "jobs.yaml").write_text('jobs: {quick: {command: [sleep, "0.02"]}}\n')
    (tmp_path / "a.schedule").write_text("0: 1 * quick\n")
    return ThroughputRequest(
        schedule=str(tmp_path / "a.schedule"),
        jobs=tmp_path / "jobs.yaml",
        out=tmp_path / "day",
        batch="local",
        alone=1,
    )


@pytest.mark.slow
@pytest.mark.waiting
def test_a_throughput_test_waits_for_other_measurements(
    wanted: ThroughputRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evaluation, or another test, by the same lock; its jobs by themselves block, too."""
    first, reported = tmp_path / "evaluation", Seen()
    free = threading.Event()

    def stage(text: str) -> None:
        reported.stages.append(text)
        if text.startswith("waiting for other measurements"):
            assert not (tmp_path / "day/alone").exists()
            free.set()

    monkeypatch.setattr(reported, "stage", stage)
    with ThreadPoolExecutor() as pool:
        with concurrent_runs.alone(first, Seen()):
            throughput_test = pool.submit(conduct.throughput, wanted, reported)
            assert free.wait(20)
            assert not throughput_test.done()
        assert throughput_test.result(20).code == 0
    waiting = next(
        i for i, text in enumerate(reported.stages) if text.startswith("waiting for other")
    )
    said = f"another heorot measures here, process {os.getpid()} for {first}, since "
    assert said in reported.stages[waiting]
    assert reported.stages[waiting + 1] == "the machine is free again: measuring"


@pytest.mark.parametrize(
    ("adapter", "anyway", "order"),
    [
        (LocalAdapter(), False, ["alone", "before", "load", "others may"]),
        (LocalAdapter(), True, ["before", "load"]),
        (FakeAdapter(), False, ["before", "load"]),  # of a batch system, or of hosts
    ],
)
@pytest.mark.parametrize("resumed", [False, True])
def test_a_throughput_test_uses_this_machine_exclusively_by_default(
    wanted: ThroughputRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    adapter: Adapter,
    anyway: bool,
    order: list[str],
    resumed: bool,
) -> None:
    seen: list[str] = []

    @contextmanager
    def alone(path: Path, _: object) -> Iterator[None]:
        assert path == tmp_path / "day"
        seen.append("alone")
        yield
        seen.append("others may")

    target = ExecutionTarget(adapter, Site(), 1)
    monkeypatch.setattr(concurrent_runs, "alone", alone)
    monkeypatch.setattr(conduct, "resolve_for_throughput", lambda *_: target)
    monkeypatch.setattr(conduct, "_before", lambda *_: seen.append("before"))
    monkeypatch.setattr(conduct, "_load", lambda *_: seen.append("load"))
    monkeypatch.setattr(conduct, "conclude", lambda *_: None)
    conduct.throughput(wanted, Seen(), anyway=anyway)
    if resumed:
        seen.clear()
        directory = ThroughputDirectory(tmp_path / "day")
        directory.write_throughput_facts(
            directory.throughput_facts().model_copy(update={"ended": None})
        )
        conduct.resume(directory.path, Seen(), anyway=anyway)
    assert seen == order
