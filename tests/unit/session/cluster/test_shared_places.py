"""A run that others can exchange starts, with a message that resuming it will take --trust."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.errors import RunError, SetupError
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site
from heorot.model.run.request import Request
from heorot.ownership.trust import remark_on_new, require_own_run
from heorot.session import conductor
from heorot.session.cluster.sites import SiteFile
from heorot.session.progress import Progress
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session import conduct
from heorot.throughput.session.view import ThroughputView

NOBODY = 65534


class _Reported(ThroughputView):
    """Records messages."""

    def __init__(self) -> None:
        self.stages: list[str] = []

    def stage(self, text: str) -> None:
        self.stages.append(text)


def _open_to_all(folder: Path) -> None:
    folder.chmod(0o777)


def _open_to_a_group(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives folders to groups")
    os.chown(folder, -1, NOBODY)
    folder.chmod(0o2775)


def _of_another(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives folders to others")
    os.chown(folder, NOBODY, -1)


def _open_but_sticky(folder: Path) -> None:
    folder.chmod(0o1777)


def _evaluate(out: Path, reported: Progress) -> None:
    target = ExecutionTarget(LocalAdapter(), Site(), 1)
    with conductor._new_run(Request(out=out), SiteFile(), target, reported):
        raise SetupError("enough", "")


def _throughput(out: Path, reported: ThroughputView) -> None:
    schedule = out.parent / "a.schedule"
    schedule.write_text("0: 1 * quick\n")
    jobs = out.parent / "jobs.yaml"
    jobs.write_text('jobs:\n  quick: {command: ["true"]}\n')
    conduct.throughput(
        ThroughputRequest(schedule=str(schedule), jobs=jobs, out=out), reported, anyway=True
    )


@pytest.fixture(autouse=True)
def _no_day(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise SetupError("enough", "")

    monkeypatch.setattr(conduct, "prepare_throughput", refuse)


begins = pytest.mark.parametrize("begin", [_evaluate, _throughput])
Begin = Callable[[Path, ThroughputView], None]


@begins
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("take", [_open_to_all, _open_to_a_group, _of_another])
def test_what_will_be_refused_is_reported_at_the_beginning(
    tmp_path: Path, take: Callable[[Path], None], depth: int, begin: Begin
) -> None:
    out = tmp_path / "shared" / "own" / "run"
    out.parent.mkdir(parents=True)
    take(out.parents[depth - 1])
    reported = _Reported()
    with pytest.raises(SetupError, match="enough"):
        begin(out, reported)
    out.mkdir(exist_ok=True)
    with pytest.raises(RunError) as refused:
        require_own_run(out)
    _, _, clause = str(refused.value).partition(": ")
    assert "other users can replace it" in clause
    assert reported.stages[0] == f"stop and --resume will refuse this run without --trust: {clause}"


@begins
@pytest.mark.parametrize("take", [_open_but_sticky, Path.touch])
def test_nothing_is_reported_where_no_other_user_can_rename(
    tmp_path: Path, take: Callable[[Path], None], begin: Begin
) -> None:
    out = tmp_path / "shared" / "run"
    out.parent.mkdir()
    take(out.parent)
    reported = _Reported()
    with pytest.raises(SetupError, match="enough"):
        begin(out, reported)
    assert not any("--trust" in stage for stage in reported.stages)


def test_a_mask_that_lets_others_write_is_reported(tmp_path: Path) -> None:
    before = os.umask(0o000)
    try:
        (tmp_path / "run").mkdir()
        remark = remark_on_new(tmp_path / "run")
    finally:
        os.umask(before)
    assert remark is not None
    assert remark.endswith(f"--trust: all users may write {tmp_path}/run")
