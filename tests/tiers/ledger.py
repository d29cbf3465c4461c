"""The ledger of runs: tests that failed and then passed separately, so that flaky ones are visible.

A line for every run of all tests: when, the commit, seconds, numbers of tests, and the flaky ones.
The repository has the committed lines; this machine has its own, next to its builds.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.tiers.running import ROOT, read_results

IN_REPOSITORY = ROOT / "tests" / "ledger" / "runs.jsonl"
N_RUNS = 10
MOST_FLAKES = 1  # of one test in the last runs, this one included
_KEPT = 50


def _on_machine() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "heorot" / "tests" / "runs.jsonl"


def recent(files: Sequence[Path] = ()) -> list[dict[str, Any]]:
    """The last runs, the oldest first, without the present one.

    Args:
        files: ledgers; by default the repository's and this machine's.
    """
    lines = {
        json.dumps(line, sort_keys=True): line
        for path in files or (IN_REPOSITORY, _on_machine())
        for line in read_results(path)
    }
    return sorted(lines.values(), key=lambda line: str(line.get("when")))[-(N_RUNS - 1) :]


def too_often(flaky: Sequence[str], earlier: Sequence[dict[str, Any]]) -> list[str]:
    """The flaky tests of this run that were flaky too often in the last runs.

    Args:
        flaky: in this run.
        earlier: runs, as returned by `recent`.
    """
    counts = Counter(name for line in earlier for name in set(line.get("flaky", ())))
    return [name for name in flaky if counts[name] + 1 > MOST_FLAKES]


def record(seconds: float, n_passed: int, n_failed: int, flaky: Sequence[str]) -> str:
    """Append the line of this run to both ledgers; returns it.

    Args:
        seconds: of the run [s].
        n_passed: tests that passed, the flaky ones included.
        n_failed: that failed.
        n_failed: tests that failed.
    """
    line = json.dumps(
        {
            "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "commit": _commit(),
            "seconds": round(seconds),
            "passed": n_passed,
            "failed": n_failed,
            "flaky": sorted(flaky),
        }
    )
    for path in (IN_REPOSITORY, _on_machine()):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            path.write_text("\n".join([*kept, line][-_KEPT:]) + "\n", encoding="utf-8")
        except OSError:  # a checkout that is read-only, a home that is missing
            continue
    return line


def _commit() -> str:
    words = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:  # no git, no version control
        return "unknown"
    return done.stdout.strip() or "unknown"
