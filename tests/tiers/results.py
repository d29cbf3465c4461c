"""A pytest plug-in: writes a line for every test as soon as it is over, so that a kill loses none.

The runner of the tiers loads it (`-p tests.tiers.results`) and names the file in the environment.
Lines are JSON objects: `{"tests": N}` after collection, `{"left_out": N}` for tests deselected by
marks and names, and `{"test", "outcome", "seconds", "marks", "said"}`.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import pytest

FILE = "HEOROT_TEST_RESULTS"
_MARKS = frozenset({"slow", "waiting", "alone", "race", "nightly", "timed", "browser", "mpi"})
_WORST = ("passed", "skipped", "failed")


class Results:
    """Writes the results of one pytest.

    Args:
        path: the file; lines are appended.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open: dict[str, tuple[str, float, list[str]]] = {}
        self._n_collected = 0

    def _write(self, line: dict[str, object]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Write the number of tests; with workers none are collected here."""
        if session.items:
            self._write({"tests": len(session.items)})

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: Sequence[str]) -> None:
        """The same, once, from the first worker."""
        del node
        if not self._n_collected:
            self._n_collected = len(ids)
            self._write({"tests": len(ids)})

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Write the number of deselected tests."""
        self._write({"left_out": len(items)})

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be read is a failed test; one that is skipped, a skipped one."""
        if not report.passed:
            said = _said(report)
            self._write(
                {"test": report.nodeid, "outcome": report.outcome, "seconds": 0.0, "said": said}
            )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a test once its last part is over: the worst of them counts."""
        outcome, seconds, said = self._open.pop(report.nodeid, ("passed", 0.0, []))
        outcome = max(outcome, report.outcome, key=_WORST.index)
        if report.when == "call":
            seconds = report.duration
        if not report.passed:
            said = [*said, _said(report)]
        # A worker that died has no last part.
        if report.when != "teardown" and report.when in {"setup", "call"}:
            self._open[report.nodeid] = (outcome, seconds, said)
            return
        marks = sorted(_MARKS & set(report.keywords))
        self._write(
            {
                "test": report.nodeid,
                "outcome": outcome,
                "seconds": round(seconds, 4),
                "marks": marks,
                "said": "\n".join(said),
            }
        )


def _said(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why a test was skipped, or its output when it failed."""
    if report.skipped:
        text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        return text.removeprefix("Skipped: ")
    sections = "".join(f"\n--- {name}\n{text}" for name, text in report.sections)
    return report.longreprtext + sections


def _end(number: int, frame: FrameType | None) -> None:
    """On a signal tests clean up, and results are written."""
    del number, frame
    raise KeyboardInterrupt


def pytest_configure(config: pytest.Config) -> None:
    """Write results, but not again in each worker."""
    signal.signal(signal.SIGTERM, _end)
    path = os.environ.get(FILE)
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Results(Path(path)), "results of tiers")
