"""Other programs: what is started is ended with all that it started."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from heorot.process import run


def test_a_command_that_takes_too_long_leaves_nothing_behind(tmp_path: Path) -> None:
    # As ninja does, bash under job control gives its command a process group of its own.
    script = "set -m; sleep 60 & echo $! >pid; wait"
    begin = time.monotonic()
    done = run(["bash", "-c", script], timeout_seconds=1.0, cwd=tmp_path)
    assert done.code == 124
    assert time.monotonic() - begin < 30.0
    proc = Path("/proc") / (tmp_path / "pid").read_text().strip()
    deadline = time.monotonic() + 10.0
    while proc.exists() and (proc / "cmdline").read_bytes():  # a zombie has none
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_what_is_said_is_read_in_any_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for locale in ("C", "nonsense"):
        monkeypatch.setenv("LC_ALL", locale)
        done = run(["printf", r"gr\303\266\303\237e \377"])
        assert done.out == "größe \N{REPLACEMENT CHARACTER}"
