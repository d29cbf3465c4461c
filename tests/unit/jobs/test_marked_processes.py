"""Marked processes are ended, even if they escape by forking."""

from __future__ import annotations

import os
import re
import secrets
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

import pytest

from heorot.jobs import marked_processes as processes
from heorot.jobs.marked_processes import end_marked, environment_of, pids, signal_marked
from heorot.launch.script import ending_text
from heorot.process import run
from tests.unit.launch.runaways import start_chain, survives
from tests.unit.turned import TurnedClock
from tests.waiting import wait_until


@pytest.fixture
def mark() -> Iterator[str]:
    """A mark of this test only; processes with it are ended after the test."""
    mark = f"HEOROT_JOB=test-{secrets.token_hex(6)}"
    yield mark
    end_marked(mark, seconds=30.0)


def _by_python(mark: str) -> bool:
    return end_marked(mark, seconds=20.0)


def _by_the_script(mark: str) -> bool:
    return run(["bash", "-c", ending_text(mark)]).ok


@pytest.mark.race
@pytest.mark.waiting
@pytest.mark.slow
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("end", [_by_python, _by_the_script])
def test_a_chain_of_forks_does_not_survive(
    mark: str, end: Callable[[str], bool], *, apart: bool
) -> None:
    for number in range(6):
        start_chain(mark, seconds=0.001 * (number % 3), apart=apart)
        assert end(mark)
        assert not survives(mark)


@pytest.mark.waiting
@pytest.mark.parametrize("end", [_by_python, _by_the_script])
def test_who_shares_a_group_with_it_is_spared(mark: str, end: Callable[[str], bool]) -> None:
    script = f"{mark} sleep 60 & echo $!; exec sleep 60"
    with Popen(["bash", "-c", script], start_new_session=True, stdin=DEVNULL, stdout=PIPE) as one:
        assert one.stdout
        marked = int(one.stdout.readline())
        wait_until(lambda: mark.encode() in environment_of(marked))
        assert os.getpgid(marked) == one.pid
        assert end(mark)
        assert not environment_of(marked)
        assert one.poll() is None
        one.kill()


def test_one_scan_that_finds_nothing_is_not_enough(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process in a fork or exec at one scan is found by the next."""
    name, _, value = mark.partition("=")
    with Popen(["sleep", "60"], env=os.environ | {name: value}) as marked:
        looks = iter([[], [marked.pid]])
        monkeypatch.setattr(processes, "pids", lambda: next(looks, []))
        assert end_marked(mark, seconds=20.0)
        assert marked.wait(10) == -signal.SIGKILL


def test_where_processes_went_unread_more_looks_are_taken(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Popen(["true"]) as ended:
        pass
    n_lists = 0

    def listed() -> list[int]:
        nonlocal n_lists
        n_lists += 1
        return [ended.pid]

    monkeypatch.setattr(processes, "pids", listed)
    assert end_marked(mark, seconds=20.0, clock=TurnedClock())
    assert n_lists >= 10


def test_what_cannot_be_ended_is_reported(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, _, value = mark.partition("=")
    with Popen(["sleep", "60"], env=os.environ | {name: value}) as marked:
        wait_until(lambda: mark.encode() in environment_of(marked.pid))
        with monkeypatch.context() as patched:
            patched.setattr(signal, "pidfd_send_signal", lambda *_: None)
            patched.setattr(os, "killpg", lambda *_: None)
            assert not end_marked(mark, seconds=0.1, clock=TurnedClock())
        assert marked.poll() is None
        marked.kill()
    assert os.getpid() not in set(pids())


def test_a_number_without_the_mark_gets_no_signal(mark: str) -> None:
    name, _, value = mark.partition("=")
    with Popen(["sleep", "60"], env=os.environ | {name: value}) as marked:
        wait_until(lambda: mark.encode() in environment_of(marked.pid))
        signal_marked(marked.pid, b"HEOROT_TEST=of-a-stranger", signal.SIGKILL)
        assert marked.poll() is None
        signal_marked(marked.pid, mark.encode(), signal.SIGSTOP, signal.SIGKILL)
        assert marked.wait(10) == -signal.SIGKILL
        signal_marked(2**22, mark.encode(), signal.SIGKILL)  # there is none


def test_what_waits_for_a_processor_to_die_is_not_given_up(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, value = mark.partition("=")
    send, clock, n_signals = signal.pidfd_send_signal, TurnedClock(), 0

    def late(descriptor: int, number: int) -> None:
        nonlocal n_signals
        n_signals += 1
        if n_signals > 100:
            send(descriptor, number)

    with Popen(["sleep", "60"], env=os.environ | {name: value}) as marked:
        wait_until(lambda: mark.encode() in environment_of(marked.pid))
        monkeypatch.setattr(signal, "pidfd_send_signal", late)
        monkeypatch.setattr(os, "killpg", lambda *_: None)
        monkeypatch.setattr(processes, "_is_dying", lambda pid: pid == marked.pid)
        assert end_marked(mark, seconds=0.1, clock=clock)
        assert clock.monotonic() > 1.0


@pytest.mark.parametrize(
    ("state", "pending", "dies"),
    [("R", "100", True), ("D", "100", False), ("R", "0", False), ("S", "4000", False)],
)
def test_who_was_killed_has_the_signal_before_him(state: str, pending: str, *, dies: bool) -> None:
    text = Path("/proc/self/status").read_text()
    text = re.sub(r"(?m)^State:.*", f"State:\t{state} (something)", text)
    text = re.sub(r"(?m)^ShdPnd:.*", f"ShdPnd:\t{int(pending, 16):016x}", text)
    assert processes._is_killed(text) == dies
