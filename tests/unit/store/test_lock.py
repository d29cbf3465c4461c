"""A process works on a run only if the system confirms it, whatever the lock contains."""

from __future__ import annotations

import fcntl
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from heorot.errors import RunError, SetupError, UsageError
from heorot.store.lock import LOCK, Holder, doubt, exclusive, holder_of
from tests.unit.damage import assert_one_line


@contextmanager
def forged(path: Path, text: str) -> Iterator[None]:
    """A held lock, with any text in it."""
    with (path / LOCK).open("w+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(text)
        lock.flush()
        yield


def ours(path: Path) -> Holder:
    """The content of our own lock."""
    with exclusive(path):
        holder = holder_of(path)
    assert holder is not None
    return holder


def test_who_works_on_a_run_is_proven(tmp_path: Path) -> None:
    with exclusive(tmp_path):
        holder = holder_of(tmp_path)
        assert holder is not None
        assert holder.pid == os.getpid()
        assert doubt(holder, tmp_path) == ""
    assert holder_of(tmp_path) is None


def test_who_only_looks_keeps_nobody_from_working(tmp_path: Path) -> None:
    (tmp_path / LOCK).touch()
    with (tmp_path / LOCK).open() as looked_at:
        fcntl.flock(looked_at, fcntl.LOCK_SH)
        threading.Timer(0.1, fcntl.flock, (looked_at, fcntl.LOCK_UN)).start()
        with exclusive(tmp_path):
            pass


def test_a_lock_of_an_earlier_version_is_read_and_proves_nothing(tmp_path: Path) -> None:
    with forged(tmp_path, f"n1 {os.getpid()}"):
        holder = holder_of(tmp_path)
    assert holder == Holder("n1", os.getpid())
    assert "has no start time" in doubt(holder, tmp_path)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"started": "1"}, "did not start at the time"),
        ({"started": "-"}, "has no start time"),
        ({"boot": "0f0f"}, "another boot"),
        ({"namespace": "pid:[1]"}, "another PID namespace"),
        ({"pid": (1 << 31) - 1}, "cannot be inspected"),
    ],
)
def test_whatever_does_not_agree_is_a_doubt(
    tmp_path: Path, other: dict[str, Any], reason: str
) -> None:
    with exclusive(tmp_path):
        holder = holder_of(tmp_path)
        assert holder is not None
        assert reason in doubt(holder._replace(**other), tmp_path)


def test_a_process_of_another_user_is_a_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with exclusive(tmp_path):
        holder = holder_of(tmp_path)
        assert holder is not None
        monkeypatch.setattr(os, "geteuid", lambda: 54321)
        assert "another user's" in doubt(holder, tmp_path)


@pytest.mark.waiting
@pytest.mark.parametrize("has_it_open", [False, True])
def test_a_process_of_ours_that_has_not_locked_the_run_is_a_doubt(
    tmp_path: Path, *, has_it_open: bool
) -> None:
    us = ours(tmp_path)
    with (
        (tmp_path / LOCK).open() as lock,
        subprocess.Popen(["sleep", "60"], stdin=lock if has_it_open else None) as bystander,
    ):
        try:
            started = Path(f"/proc/{bystander.pid}/stat").read_text().rpartition(")")[2].split()[19]
            words = (us.host, bystander.pid, started, us.boot, us.namespace)
            with forged(tmp_path, " ".join(map(str, words))):
                holder = holder_of(tmp_path)
                assert holder == Holder(*words)
                assert doubt(holder, tmp_path) == f"process {bystander.pid} has not locked it"
        finally:
            bystander.kill()


@pytest.mark.parametrize(
    "text",
    ["", "n1", "n1 0", "n1 -7", "n1 ²", f"n1 {1 << 31}", f"n1 {'9' * 5000}", "n1  5", "\xff"],
)
def test_a_lock_may_say_anything(tmp_path: Path, text: str) -> None:
    with forged(tmp_path, text):
        assert holder_of(tmp_path) is None


def test_a_host_without_a_name_has_locks(tmp_path: Path) -> None:
    with forged(tmp_path, " 5 1 2 3"):
        assert holder_of(tmp_path) == Holder("", 5, "1", "2", "3")


@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_what_is_no_lock_is_one_line_and_waited_for_by_nobody(tmp_path: Path, kind: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("of the user")
    run = tmp_path / "run"
    run.mkdir()
    if kind == "pipe":
        os.mkfifo(run / LOCK)
    elif kind == "link":
        (run / LOCK).symlink_to(elsewhere)
    else:
        (run / LOCK).mkdir()
    with pytest.raises(RunError, match="is no lock") as caught:
        holder_of(run)
    assert_one_line(caught.value)
    with pytest.raises(SetupError) as refused, exclusive(run):
        pass
    assert_one_line(refused.value)
    assert elsewhere.read_text() == "of the user"


def test_one_at_a_time(tmp_path: Path) -> None:
    with (
        exclusive(tmp_path),
        pytest.raises(UsageError, match="another heorot"),
        exclusive(tmp_path),
    ):
        pass
