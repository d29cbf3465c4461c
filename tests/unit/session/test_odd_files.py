"""A pipe or a link instead of a file of a run: one line at most, without waiting."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import pytest

from heorot.errors import HeorotError
from heorot.session import run_status
from heorot.session.runs import conclude, reopen, write_report
from heorot.session.verification.compared import compare
from heorot.session.verification.exported import export
from heorot.store.directory import RunDirectory
from heorot.store.lock import LOCK
from tests.unit.damage import assert_one_line

pytestmark = pytest.mark.slow

SAMPLE = Path(__file__).parents[2] / "samples" / "runs" / "peak_0.1.0"
MORE: tuple[str, ...] = (LOCK, "jobs/J0001/script.sh", "jobs/J0001/stderr", "jobs/J0001/batch.json")
MORE += ("jobs/J0001/outputs/S0001.txt", "jobs/J0001/nodes/S0001/n1", "recipes/a.yaml")
FOLDERS = ("jobs", "jobs/J0001", "jobs/J0001/records", "jobs/J0001/outputs", "recipes")
PATIENCE_SECONDS = 20


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended, with every kind of file."""
    path = tmp_path_factory.mktemp("runs") / "peak"
    shutil.copytree(SAMPLE, path)
    conclude(RunDirectory.open(path))
    for name in MORE:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).touch()
    (path / "recipes/a.yaml").unlink()  # an empty one is damaged
    return path


@contextmanager
def _in_time() -> Iterator[None]:
    """Fail on any wait."""

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _look(run: Path, whole: Path) -> list[str]:
    """What five commands complain about."""
    complaints = []
    commands = (
        lambda: run_status.status(run),
        lambda: run_status.stop(run),
        lambda: write_report(reopen(run), None),
        lambda: compare(whole, run),
        lambda: export(run, "json"),
    )
    for command in commands:
        try:
            with _in_time():
                command()
        except HeorotError as error:
            assert_one_line(error)
            complaints.append(str(error))
    return complaints


def _files(whole: Path) -> list[str]:
    found = [str(each.relative_to(whole)) for each in whole.rglob("*") if each.is_file()]
    return sorted({*found, *MORE})


def test_pipes(whole: Path, tmp_path: Path) -> None:
    for number, name in enumerate(_files(whole)):
        run = shutil.copytree(whole, tmp_path / str(number))
        with suppress(FileNotFoundError):
            (run / name).unlink()
        os.mkfifo(run / name)
        complaints = _look(run, whole)
        assert name not in {"run.json", LOCK, "samples.parquet"} or complaints


def test_links(whole: Path, tmp_path: Path) -> None:
    for number, name in enumerate(_files(whole)):
        run = shutil.copytree(whole, tmp_path / str(number))
        secret = tmp_path / f"{number} of the user"
        secret.write_text("private")
        with suppress(FileNotFoundError):
            (run / name).rename(secret)
        before = secret.read_bytes()
        (run / name).symlink_to(secret)
        complaints = _look(run, whole)
        assert secret.read_bytes() == before
        assert name not in {"run.json", "plan.json", LOCK, "samples.parquet"} or complaints


@pytest.mark.parametrize("name", FOLDERS)
def test_folders_that_are_links_are_refused(whole: Path, tmp_path: Path, name: str) -> None:
    run = shutil.copytree(whole, tmp_path / "run")
    (run / name).rename(tmp_path / "elsewhere")
    (run / name).symlink_to(tmp_path / "elsewhere")
    assert _look(run, whole) == [f"{run / name} is a link: a run holds its files itself"] * 5


def test_a_run_may_be_reached_by_a_link(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "run").symlink_to(shutil.copytree(whole, tmp_path / "there"))
    assert _look(tmp_path / "run", whole) == []


def test_the_report_of_a_run_of_another_user_goes_nowhere_else(whole: Path, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files to another user")
    run = shutil.copytree(whole, tmp_path / "run")
    own = tmp_path / "own"
    own.write_text("of the user")
    names = [f".report.html.{os.getpid() + more}.part" for more in range(2000)]
    (run / "report.html").unlink()
    for name in ("report.html", *names):
        (run / name).symlink_to(own)
    for place in (run, *run.rglob("*")):
        os.lchown(place, 65534, 65534)
    write_report(reopen(run), None)
    assert own.read_text() == "of the user"
    assert own.stat().st_uid == 0
    assert (run / "report.html").is_file()
    assert not (run / "report.html").is_symlink()
