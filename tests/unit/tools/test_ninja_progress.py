"""A build reports its progress, also while one compiler takes long."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.ninja_progress import ProgressRun, progress_line


@pytest.mark.parametrize(
    ("n_done", "n_steps", "seconds", "line"),
    [
        (0, 0, 3.2, "release: 3 s"),
        (30, 120, 20.0, "release: [30/120] 20 s, about 60 s left"),
        (120, 120, 80.0, "release: [120/120] 80 s, about 0 s left"),
    ],
)
def test_a_line_says_what_is_done_and_left(
    n_done: int, n_steps: int, seconds: float, line: str
) -> None:
    assert progress_line("release", n_done, n_steps, seconds) == line


def test_silence_is_told_with_the_last_step(tmp_path: Path) -> None:
    lines: list[str] = []
    script = 'echo "[1/4] a.cpp"; while [ ! -e "$0" ]; do sleep 0.01; done; echo "$NINJA_STATUS"'
    stop = tmp_path / "stop"

    def tell(line: str) -> None:
        lines.append(line)
        if "[1/4]" in line:
            stop.touch()

    run = ProgressRun("release", tell, every_seconds=0.05)
    done = run(["sh", "-c", script, stop], timeout_seconds=30.0, environment=dict(os.environ))
    assert done.ok
    assert done.out == "[1/4] a.cpp\n[%f/%t] \n"
    assert any(line.startswith("release: [1/4] ") for line in lines)


def test_what_takes_too_long_is_ended() -> None:
    run = ProgressRun("release", lambda _: None, every_seconds=0.02)
    assert run(["sleep", "60"], timeout_seconds=0.05, environment={}).code == 124
