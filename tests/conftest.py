"""Settings of all tests: numbers of examples, and a summary of tests that did not run."""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest
from hypothesis import settings

# Number of examples of a property: hypothesis has `default` and, where CI is set, `ci`, which tries
# the same ones every time. Quick tiers choose `brief`; tools/fuzz chooses `fuzz` and sets the
# number.
N_FUZZED = int(os.environ.get("HEOROT_FUZZED", "1000"))
settings.register_profile("default", deadline=None)
settings.register_profile("brief", max_examples=20, deadline=None)
settings.register_profile("fuzz", max_examples=N_FUZZED, deadline=None, print_blob=True)
if profile := os.environ.get("HYPOTHESIS_PROFILE"):
    settings.load_profile(profile)

# A process started by nohup ignores SIGHUP, and so would all processes that tests start.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# Likewise SIGINT in a process started in the background.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Node ids that may be skipped even where everything is installed: none.
MAY_SKIP_IN_CI: frozenset[str] = frozenset()

_skipped: dict[str, str] = {}  # node id -> reason


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure no coverage of tests with a time limit."""
    for item in items:
        if item.get_closest_marker("timed"):
            item.add_marker("no_cover")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record a skipped test; an expected failure is not one."""
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped[report.nodeid] = _reason(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Record a whole skipped file."""
    if report.skipped:
        _skipped[report.nodeid] = _reason(report)


def _must_run() -> list[str]:
    if os.environ.get("CI", "").lower() not in {"1", "true"}:
        return []
    return sorted(set(_skipped) - MAY_SKIP_IN_CI)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Turn success into failure if tests were left out on the build server."""
    if _must_run() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the skipped tests with reasons."""
    if not _skipped:
        return
    terminalreporter.section("tests that did not run here")
    for reason, n_tests in Counter(_skipped.values()).most_common():
        terminalreporter.write_line(f"{n_tests} skipped: {reason}")
    if must_run := _must_run():
        terminalreporter.write_line("CI is set, so every test must run; these did not:", red=True)
        for nodeid in must_run:
            terminalreporter.write_line(f"  {nodeid}", red=True)
