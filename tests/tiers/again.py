"""Repeats failed and slow tests one by one, and keeps the output of each attempt."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.tiers.part import PYTEST
from tests.tiers.results import FILE
from tests.tiers.running import ROOT, read_results
from tests.yardstick import speed_factor

# More failures at once are not flaky: something is broken.
MOST_AGAIN = 10
_LIMIT_SECONDS = 900.0
# A test is slow if it is slow each time: other load may have slowed down one attempt.
_TRIES = 3
_SILENT_SECONDS = 8.0


class Alone:
    """Runs tests one at a time.

    Args:
        folder: for results.
        environment: of the run.
        wait: called every few seconds while one runs.
    """

    def __init__(
        self, folder: Path, environment: dict[str, str], wait: Callable[[], None] = lambda: None
    ) -> None:
        self._folder, self._environment, self._wait = folder, environment, wait

    def flaky_of(self, failed: dict[str, str], never: set[str]) -> dict[str, Path]:
        """The failed tests that pass when run separately, with the files of both outputs.

        Args:
            failed: node id -> its output.
            never: tests that may not be repeated.
        """
        flaky: dict[str, Path] = {}
        if len(failed) > MOST_AGAIN:
            return flaky
        for number, name in enumerate(sorted(failed), start=1):
            if name in never or "::" not in name:
                continue
            code, lines, said = self._run([name])
            if not code and lines and all(line["outcome"] == "passed" for line in lines):
                flaky[name] = _keep(number, name, failed[name], said, self._folder)
        return flaky

    def still_slow(self, names: Sequence[str], limit: float) -> dict[str, float]:
        """Tests that are slow each time when run separately [s].

        Args:
            names: their node ids.
            limit: time limit on a quiet core [s].
        """
        limit *= speed_factor()
        slow = self.seconds(names)
        for _ in range(_TRIES - 1):
            slow = {name: took for name, took in slow.items() if took > limit}
            again = self.seconds(names) if slow else {}
            slow = {name: min(took, again.get(name, took)) for name, took in slow.items()}
        return {name: took for name, took in slow.items() if took > limit}

    def seconds(self, names: Sequence[str]) -> dict[str, float]:
        """Times of tests run separately [s].

        Args:
            names: their node ids.
        """
        lines = self._run(names)[1] if names else []
        return {line["test"]: line["seconds"] for line in lines}

    def _run(self, names: Sequence[str]) -> tuple[int, list[dict[str, Any]], str]:
        """Run tests: exit code, a line for each, and the output."""
        results, log = self._folder / "again.jsonl", self._folder / "again.txt"
        results.unlink(missing_ok=True)
        with (
            log.open("wb") as out,
            subprocess.Popen(
                [*PYTEST, "-p", "no:xdist", *names],
                cwd=ROOT,
                env={**self._environment, FILE: str(results)},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            ) as child,
        ):
            self._follow(child)
        lines = [line for line in read_results(results) if "test" in line]
        return child.returncode, lines, log.read_text(encoding="utf-8", errors="replace")

    def _follow(self, child: subprocess.Popen[bytes]) -> None:
        """Wait for the end; a hanging or interrupted run is killed."""
        deadline = time.monotonic() + _LIMIT_SECONDS
        try:
            while time.monotonic() < deadline:
                with suppress(subprocess.TimeoutExpired):
                    child.wait(_SILENT_SECONDS)
                    return
                self._wait()
        finally:
            if child.poll() is None:
                child.kill()


def _keep(number: int, name: str, first: str, second: str, folder: Path) -> Path:
    """Keep the outputs of a flaky test that failed and passed; returns the file."""
    path = folder / f"flaky-{number}.txt"
    heads = ("first, with others: failed", "again, separately: passed")
    said = zip(heads, (first, second), strict=True)
    text = "".join(f"\n=== {head}\n{output}\n" for head, output in said)
    path.write_text(f"{name}\n{text}", encoding="utf-8")
    return path
