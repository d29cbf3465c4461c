"""Other programs: what is started is ended with all that it started."""

from __future__ import annotations

import os
import secrets
import shlex
import signal
import time
from pathlib import Path

import pytest

from heorot import process
from heorot.process import run
from tests.unit.launch.runaways import chain_command, survives
from tests.waiting import text_of, wait_until


@pytest.mark.slow
def test_a_command_that_takes_too_long_leaves_nothing_behind(tmp_path: Path) -> None:
    # As ninja does, bash under job control gives its command a process group of its own.
    script = "set -m; sleep 60 & echo $! >pid; wait"
    begin = time.monotonic()
    done = run(["bash", "-c", script], timeout_seconds=0.3, cwd=tmp_path)
    assert done.code == 124
    assert time.monotonic() - begin < 30.0
    proc = Path("/proc") / (tmp_path / "pid").read_text().strip()
    wait_until(lambda: not text_of(proc / "cmdline"), 10.0)  # a zombie has none


@pytest.mark.slow
def test_what_has_left_the_session_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_LAST_SECONDS", 0.1)
    script = "echo said; setsid sleep 60 & echo $! >pid; wait"
    begin = time.monotonic()
    done = run(["bash", "-c", script], timeout_seconds=0.5, cwd=tmp_path)
    assert (done.code, done.out) == (124, "said\n")
    assert time.monotonic() - begin < 30.0
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.race
@pytest.mark.waiting
def test_a_chain_of_forks_does_not_outlive_its_session() -> None:
    for _ in range(4):
        mark = f"HEOROT_JOB=test-{secrets.token_hex(6)}"
        chain = shlex.join(chain_command(seconds=0.001, apart=False))
        done = run(["bash", "-c", f"export {mark}; {chain}; exec sleep 60"], timeout_seconds=0.3)
        assert done.code == 124
        assert not survives(mark)


def test_what_is_said_is_read_in_any_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for locale in ("C", "nonsense"):
        monkeypatch.setenv("LC_ALL", locale)
        done = run(["printf", r"gr\303\266\303\237e \377"])
        assert done.out == "größe \N{REPLACEMENT CHARACTER}"
