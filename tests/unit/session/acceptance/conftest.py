"""A batch system to check, and the bench of a check that is quick."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heorot.launch.batch.slurm_controls import SlurmControls
from heorot.model.batch.acceptance import Verdict
from heorot.model.machine.site import SiteBatch
from heorot.session.acceptance import stand
from heorot.session.acceptance.bench import Bench
from heorot.session.acceptance.check import Told
from heorot.session.acceptance.features import (
    FEATURES,
    accounts,
    control,
    leftovers,
    limits,
    nodes,
    ordering,
    passing,
    placement,
)
from heorot.session.acceptance.ground import CheckGround
from heorot.session.acceptance.registry import Registry
from heorot.session.acceptance.rounds import run_features
from tests.unit.session.acceptance.pretend import Pretend


@pytest.fixture
def haste(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What takes a minute takes a second."""
    changes: dict[object, dict[str, object]] = {
        limits: {"_LIMIT_SECONDS": 1.5, "_LATE_SECONDS": 1.5, "_EARLY_SECONDS": 0.5,
                 "_KEEP_SECONDS": 1, "_USED_MEBIBYTES": 1},
        control: {"_TASKS_SECONDS": 1.5, "_SOON_SECONDS": 0.4, "_CANCEL_SECONDS": 2.0},
        ordering: {"_OVERTAKE_SECONDS": 1.5, "_TURN_SECONDS": 1.5, "_CLEANING_SECONDS": 0.3},
        placement: {"_STAY_SECONDS": 0.5, "_UNLIKE_SECONDS": 0.5},
        nodes: {"_SOON_SECONDS": 0.8, "_END_SECONDS": 1.5, "_NOTICE_SECONDS": 1.0,
                "_AGAIN_SECONDS": 1.5},
        passing: {"_OUTPUT_SECONDS": 1.0},
        accounts: {"_PATIENCE_SECONDS": 1.0, "_REASONS_SECONDS": 1.0},
        leftovers: {"_PLACES": (str(tmp_path / "batch" / "shm"),), "_LIFE_SECONDS": 20,
                    "_STAY_SECONDS": 0.3},
        stand: {"START_SECONDS": 2.5, "_SETTLE_SECONDS": 1.2},
    }  # fmt: skip
    for module, names in changes.items():
        for name, value in names.items():
            monkeypatch.setattr(module, name, value)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all checks."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/heorot/acceptance"


@pytest.fixture
def pretend(tmp_path: Path) -> Iterator[Pretend]:
    """A batch system; what it runs is ended after the test."""
    pretend = Pretend(tmp_path / "batch")
    (tmp_path / "batch" / "shm").mkdir()
    yield pretend
    pretend.close()


def ground_of(pretend: Pretend, granted: int | None = None) -> CheckGround:
    """The ground of a check."""
    controls = SlurmControls()
    return CheckGround(
        caller=pretend,
        controls=controls,
        batch=SiteBatch(system="slurm"),
        queue=pretend.ask(pretend.dialect.queues())[0],
        granted=granted or len(pretend.cores),
        policy=pretend.ask(controls.policy()),
    )


@pytest.fixture
def judge(pretend: Pretend, tmp_path: Path, haste: None) -> Iterator[Callable[..., Verdict]]:
    """Tests one feature of the batch system, which may have faults."""
    del haste
    benches: list[Bench] = []

    def test(name: str, *faults: str, before: str = "", granted: int | None = None) -> Verdict:
        pretend.faults |= set(faults)
        registry = Registry(tmp_path / "registry", {"system": "slurm"})
        ground = ground_of(pretend, granted)
        bench = Bench(ground, tmp_path / f"jobs{len(benches)}", registry, 10.0, turn_seconds=0.05)
        benches.append(bench)
        chosen = [feature for feature in FEATURES if feature.name in {name, before}]
        verdicts = run_features(bench, chosen, Told())
        bench.clean()
        return next(verdict for verdict in verdicts if verdict.feature == name)

    yield test
    for bench in benches:
        bench.poller.stop()
