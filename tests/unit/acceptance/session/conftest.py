"""A batch system to check, and the runner of a check, by a clock that does not wait."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heorot.acceptance.session.check import Reporter
from heorot.acceptance.session.features import FEATURES
from heorot.acceptance.session.registry import Registry
from heorot.acceptance.session.rounds import run_features
from heorot.acceptance.session.runner import CheckRunner
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.target import ExecutionTarget
from heorot.model.batch.acceptance import Verdict
from heorot.model.machine.site import Site, SiteBatch
from tests.unit.acceptance.session.pretended.clock import SharedClock
from tests.unit.acceptance.session.pretended.pretend import Pretend


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all checks."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/heorot/acceptance"


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk without fsync: a power failure is not tested."""
    monkeypatch.setattr(os, "fsync", lambda _handle: None)


@pytest.fixture
def clock() -> SharedClock:
    """A clock that stands still during any action."""
    return SharedClock()


@pytest.fixture
def pretend(clock: SharedClock) -> Pretend:
    """A batch system."""
    return Pretend(clock)


def target_of(pretend: Pretend, granted: int | None = None) -> ExecutionTarget:
    """The target of a check."""
    return ExecutionTarget(
        LocalAdapter(),
        Site(),
        granted or len(pretend.cores),
        client=pretend,
        batch=SiteBatch(system="slurm"),
        queue=pretend.ask(pretend.dialect.queues())[0],
    )


@pytest.fixture
def judge(pretend: Pretend, tmp_path: Path) -> Iterator[Callable[..., Verdict]]:
    """Tests one feature of the batch system, which may have faults."""
    runners: list[CheckRunner] = []

    def test(
        name: str, *faults: str, before: str = "", granted: int | None = None, minutes: float = 10.0
    ) -> Verdict:
        pretend.faults |= set(faults)
        registry = Registry(tmp_path / "registry", {"system": "slurm"})
        target = target_of(pretend, granted)
        folder = tmp_path / f"jobs{len(runners)}"
        runner = CheckRunner(target, folder, registry, minutes, clock=pretend.clock)
        runners.append(runner)
        chosen = [feature for feature in FEATURES if feature.name in {name, before}]
        verdicts = run_features(runner, chosen, Reporter())
        runner.clean()
        return next(verdict for verdict in verdicts if verdict.feature == name)

    yield test
    for runner in runners:
        runner.poller.stop()
