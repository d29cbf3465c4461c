"""Tries once more, alone and quiet, what failed or took too long; keeps what it said each time."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.tiers.part import PYTEST
from tests.tiers.results import FILE
from tests.tiers.running import ROOT, read_results
from tests.yardstick import slowness

# More that fail at once are no flakes: something is broken.
MOST_AGAIN = 10
_LIMIT_SECONDS = 900.0


def _run(
    names: Sequence[str], folder: Path, environment: dict[str, str]
) -> tuple[int, list[dict[str, Any]], str]:
    """Run tests by themselves: exit code, a line for each, and what was said."""
    results = folder / "again.jsonl"
    results.unlink(missing_ok=True)
    with subprocess.Popen(
        [*PYTEST, "-p", "no:xdist", *names],
        cwd=ROOT,
        env={**environment, FILE: str(results)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as child:
        try:
            said = child.communicate(timeout=_LIMIT_SECONDS)[0]
        except BaseException:  # our caller ends what it has left
            child.kill()
            raise
    return child.returncode, [line for line in read_results(results) if "test" in line], said


def passes_alone(name: str, folder: Path, environment: dict[str, str]) -> tuple[bool, str]:
    """Run one test by itself; whether it passed, and what was said.

    Args:
        name: its node id.
        folder: for its results.
        environment: of the run.
    """
    code, lines, said = _run([name], folder, environment)
    passed = bool(lines) and all(line["outcome"] == "passed" for line in lines)
    return code == 0 and passed, said


def still_slow(
    names: Sequence[str], limit: float, folder: Path, environment: dict[str, str]
) -> dict[str, float]:
    """Those of some tests that take longer even with nothing beside them [s].

    Args:
        names: their node ids.
        limit: that they may take on a quiet core [s].
        folder: for results.
        environment: of the run.
    """
    if not names:
        return {}
    limit *= slowness()
    _, lines, _ = _run(names, folder, environment)
    return {line["test"]: line["seconds"] for line in lines if line["seconds"] > limit}


def keep(number: int, name: str, first: str, second: str, folder: Path) -> Path:
    """Keep what a flaky test said when it failed and when it passed; returns the file."""
    path = folder / f"flaky-{number}.txt"
    heads = ("first, beside others: failed", "again, alone: passed")
    said = zip(heads, (first, second), strict=True)
    text = "".join(f"\n=== {head}\n{output}\n" for head, output in said)
    path.write_text(f"{name}\n{text}", encoding="utf-8")
    return path


def flaky_of(
    failed: dict[str, str], never: set[str], folder: Path, environment: dict[str, str]
) -> dict[str, Path]:
    """Those of the failed tests that pass alone, and where both outputs are.

    Args:
        failed: node id -> what it said.
        never: those that may not be tried again.
        folder: for results.
        environment: of the run.
    """
    flaky: dict[str, Path] = {}
    again: Sequence[str] = [name for name in failed if name not in never and "::" in name]
    if len(failed) > MOST_AGAIN:
        return flaky
    for number, name in enumerate(again, start=1):
        passed, said = passes_alone(name, folder, environment)
        if passed:
            flaky[name] = keep(number, name, failed[name], said, folder)
    return flaky
