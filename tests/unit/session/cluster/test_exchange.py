"""Runs that other users can exchange, as by a parent folder, are not acted upon."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.errors import RunError
from heorot.ownership.trust import require_own_run
from heorot.session import conductor, run_status
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session import throughput_status
from heorot.throughput.store import ThroughputDirectory

NOBODY = 65534


def _open_to_all(path: Path) -> None:
    path.chmod(path.stat().st_mode | 0o002)


def _of_another(path: Path) -> None:
    _give(path, NOBODY, -1)


def _give(path: Path, user: int, group: int) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files to others")
    os.chown(path, user, group, follow_symlinks=False)


@pytest.fixture
def throughput_test(tmp_path: Path, run: RunDirectory) -> ThroughputDirectory:
    """The beginning of a throughput test: only its requests exist."""
    directory = ThroughputDirectory.create(tmp_path / "day")
    directory.write_facts(run.facts())
    directory.write_request(ThroughputRequest(schedule="a"))
    return directory


@pytest.fixture
def far(run: RunDirectory, tmp_path: Path) -> RunDirectory:
    """A run in a folder of a folder."""
    (tmp_path / "group/folder").mkdir(parents=True)
    return RunDirectory(run.path.rename(tmp_path / "group/folder/run"))


def _link(path: Path) -> None:
    """Replace a folder by a link of another user."""
    path.symlink_to(path.rename(path.with_name("behind")))
    _of_another(path)


def _share(path: Path) -> None:
    """Let the group of a project write."""
    _give(path, -1, NOBODY)
    path.chmod(0o2775)


@pytest.mark.parametrize("take", [_open_to_all, _of_another, _share, _link])
@pytest.mark.parametrize("which", ["group", "group/folder"])
def test_a_run_that_others_can_exchange_is_not_acted_upon(
    far: RunDirectory,
    tmp_path: Path,
    which: str,
    take: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    take(tmp_path / which)
    uses = (lambda: run_status.stop(far.path), lambda: conductor.resume(far.path, Progress()))
    for use in uses:
        with pytest.raises(RunError, match="other users can replace it") as refused:
            use()
        assert str(tmp_path / which) in str(refused.value)
        assert "chmod" not in refused.value.hint  # chmod of the run would not help
        assert refused.value.hint.endswith("--trust")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RunError, match=f"{tmp_path / which}"):
        require_own_run(Path("group/folder/run/../../folder/run"))
    require_own_run(far.path, trust=True)
    assert run_status.status(far.path).state == "stopped"


def test_what_is_safe_among_others_is_acted_upon(
    throughput_test: ThroughputDirectory, far: RunDirectory, tmp_path: Path
) -> None:
    (tmp_path / "group").chmod(0o1777)  # as /tmp: others cannot rename what is ours
    (tmp_path / "link").symlink_to("group/folder")
    for path in (far.path, tmp_path / "link/run"):
        require_own_run(path)
        assert not run_status.stop(path)
    throughput_test.path.rename(tmp_path / "group/folder/day")
    assert not throughput_status.stop_throughput(tmp_path / "link/day")
    (tmp_path / "group/folder").chmod(0o777)
    with pytest.raises(RunError, match="other users can replace it"):
        throughput_status.stop_throughput(tmp_path / "link/day")


def test_a_link_that_is_the_run_counts_as_well(far: RunDirectory, tmp_path: Path) -> None:
    (tmp_path / "here").symlink_to(far.path)
    require_own_run(tmp_path / "here")
    _link(far.path)
    with pytest.raises(RunError, match="other users can replace it"):
        require_own_run(far.path)
