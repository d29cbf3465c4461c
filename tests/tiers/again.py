"""Tries once more, alone and quiet, what failed or took too long; keeps what it said each time."""

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
from tests.yardstick import slowness

# More that fail at once are no flakes: something is broken.
MOST_AGAIN = 10
_LIMIT_SECONDS = 900.0
# A test is slow if it is slow each time: something else may have slowed down one of them.
_TRIES = 3
_SILENT_SECONDS = 8.0


class Alone:
    """Runs tests with nothing beside them.

    Args:
        folder: for results.
        environment: of the run.
        wait: called every few seconds while one goes on.
    """

    def __init__(
        self, folder: Path, environment: dict[str, str], wait: Callable[[], None] = lambda: None
    ) -> None:
        self._folder, self._environment, self._wait = folder, environment, wait

    def flaky_of(self, failed: dict[str, str], never: set[str]) -> dict[str, Path]:
        """Those of the failed tests that pass alone, and where both outputs are.

        Args:
            failed: node id -> what it said.
            never: those that may not be tried again.
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
        """Those of some tests that take longer even so, each time that they are tried [s].

        Args:
            names: their node ids.
            limit: that they may take on a quiet core [s].
        """
        limit *= slowness()
        slow = self.seconds(names)
        for _ in range(_TRIES - 1):
            slow = {name: took for name, took in slow.items() if took > limit}
            again = self.seconds(names) if slow else {}
            slow = {name: min(took, again.get(name, took)) for name, took in slow.items()}
        return {name: took for name, took in slow.items() if took > limit}

    def seconds(self, names: Sequence[str]) -> dict[str, float]:
        """What tests take by themselves [s].

        Args:
            names: their node ids.
        """
        lines = self._run(names)[1] if names else []
        return {line["test"]: line["seconds"] for line in lines}

    def _run(self, names: Sequence[str]) -> tuple[int, list[dict[str, Any]], str]:
        """Run tests: exit code, a line for each, and what was said."""
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
        """Wait for its end; who hangs, or is not waited for any more, is killed."""
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
    """Keep what a flaky test said when it failed and when it passed; returns the file."""
    path = folder / f"flaky-{number}.txt"
    heads = ("first, beside others: failed", "again, alone: passed")
    said = zip(heads, (first, second), strict=True)
    text = "".join(f"\n=== {head}\n{output}\n" for head, output in said)
    path.write_text(f"{name}\n{text}", encoding="utf-8")
    return path
