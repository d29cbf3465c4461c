"""Runs the tests of a checkout in tiers; ./heorot test calls it.

  ./heorot test             for newcomers, and after every change: five minutes
    ./heorot test --changed   units of changed files, and programs with changed sources: seconds
    ./heorot test --all       as on the build server, including checks of the sources
  ./heorot test PATH ...    pytest with these arguments: ./heorot test tests/unit -k statistics

--since REV goes with --changed: changes since that commit; by default since the last one. Logs and
results of each part are in build/tests/latest. Exit code 0: success, 1: failures, 2: a usage error.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.tiers import changed, ledger, messages, processes, tiers
from tests.tiers.again import Alone
from tests.tiers.part import PYTHON, Part
from tests.tiers.running import MARGIN, ROOT, Ran, Runner
from tests.tiers.verdict import PROGRAM_SECONDS, SLOW_SECONDS, Verdict, dear, verdict_on

_TIERS = ("--all", "--changed")
_LOGS = ROOT / "build" / "tests"
_N_KEPT = 5
_SETTLE_SECONDS = 10.0
_MOST_SLOW = 60  # limit of slow tests that are timed separately


@dataclass(frozen=True)
class Tier:
    """A set of parts that run together.

    Attributes:
        parts: its parts.
        left_to_others: tests that it leaves out, with the command that runs them.
        budget: of the whole [s]; None if budgets of parts suffice.
        whole: whether it is the build server's, and enters the ledger.
    """

    parts: Sequence[Part]
    left_to_others: Sequence[str]
    budget: float | None = None
    whole: bool = False


def _asked_to_end(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


def _stop(said: str, hint: str) -> None:
    sys.stderr.write(f"heorot: {said}\nhint: {hint}\n")
    raise SystemExit(2)


def chosen(words: Sequence[str]) -> Tier:
    """The requested tier."""
    if not words:
        return Tier(tiers.BRIEF, tiers.NOT_BRIEF, tiers.BRIEF_SECONDS)
    if list(words) == ["--all"]:
        return Tier(tiers.ALL, tiers.NOT_ALL, tiers.ALL_SECONDS, whole=True)
    since = None
    if words[0] == "--changed" and words[1:]:
        option, *since_words = words[1:]
        since = since_words[0] if option == "--since" and len(since_words) == 1 else ""
    if words[0] == "--all" or since == "":
        _stop(f"cannot understand {' '.join(words)}", "./heorot test --help")
    parts, why = changed.parts(since)
    if not parts:
        sys.stdout.write(f"nothing to test: {why}\n")
        raise SystemExit(0)
    return Tier(parts, (f"everything else, for {why}: ./heorot test",))


def _folder() -> Path:
    """A new folder for logs; the last few are kept."""
    folder = _LOGS / time.strftime("%Y%m%d-%H%M%S")
    folder.mkdir(parents=True, exist_ok=True)
    latest = _LOGS / "latest"
    latest.unlink(missing_ok=True)
    latest.symlink_to(folder.name)
    for old in sorted(path for path in _LOGS.iterdir() if path.name[:1].isdigit())[:-_N_KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def _environment() -> dict[str, str]:
    """The environment of all parts: builds exist, and compilers use ccache if it is installed."""
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if shutil.which("ccache"):
        ours.setdefault("CMAKE_CXX_COMPILER_LAUNCHER", str(ROOT / "tools" / "cached-compiler"))
    return {**ours, "HEOROT_TESTS_BUILT": "1", "PYTHONUNBUFFERED": "1"}


def _judge(tier: Tier, ended: Sequence[Ran], screen: messages.Screen, seconds: float) -> Verdict:
    """The verdict on the parts; prints the time of each, and of the programs' tests."""
    verdict = verdict_on(ended)
    for text in messages.table(ended, verdict.slowdown):
        screen.line(text)
    missing = {part.name for part in tier.parts} - {ran.part.name for ran in ended}
    verdict.broken += [f"{name} did not run: what it needs failed" for name in sorted(missing)]
    if tier.budget is not None:
        screen.line(f"{'all':12} {seconds:6.0f} s of {tier.budget:5.0f} s")
        if seconds > MARGIN * tier.budget * verdict.slowdown:
            verdict.broken.append(f"all parts took {messages.clock(seconds)}")
    for text in messages.programs(verdict):
        screen.line(text)
    return verdict


def _try_again(
    verdict: Verdict, screen: messages.Screen, folder: Path, environment: dict[str, str]
) -> dict[str, Path]:
    """Repeat failed and slow tests separately; flaky ones are no failures."""
    if verdict.failed or verdict.slow:
        screen.line("repeating failed and slow tests separately")
    alone = Alone(folder, environment, lambda: screen.line("... one by one"))
    flaky = alone.flaky_of(verdict.failed, verdict.races)
    for name in flaky:
        del verdict.failed[name]
        verdict.passed += 1
    longest = sorted(verdict.slow, key=lambda name: -verdict.slow[name])[:_MOST_SLOW]
    # Load that was there all the time is likely to remain.
    slow = alone.still_slow(longest, SLOW_SECONDS * verdict.slowdown)
    for name, seconds in slow.items():
        verdict.broken.append(f"{name} takes {seconds:.2f} s by itself, and is not marked slow")
    for name in dear(verdict.programs):
        seconds = sum(alone.seconds(verdict.tests_of[name]).values())
        if dear({name: seconds}):
            limit = f"and may take {PROGRAM_SECONDS:.0f} s"
            verdict.broken.append(f"tests of {name} take {seconds:.0f} s by themselves, {limit}")
    return flaky


def _conclude(
    tier: Tier,
    screen: messages.Screen,
    verdict: Verdict,
    flaky: dict[str, Path],
    started: float,
) -> int:
    """Print the verdict; returns the exit code."""
    ci = os.environ.get("CI", "").lower() in {"1", "true"}
    wrong = list(verdict.broken)
    wrong += [f"failed: {name}" for name in verdict.failed]
    wrong += [f"skipped where no test may be: {name}" for name in verdict.skipped if ci]
    if tier.whole:
        often = ledger.too_often(list(flaky), ledger.recent())
        wrong += [f"flaky in two of the last {ledger.N_RUNS} runs: {name}" for name in often]
        seconds = time.monotonic() - started
        line = ledger.record(seconds, verdict.passed, len(verdict.failed), list(flaky))
        screen.line(f"ledger, {ledger.IN_REPOSITORY.relative_to(ROOT)}: {line}")
    for text in messages.skips(verdict):
        screen.line(text)
    for text in tier.left_to_others:
        screen.line(f"not tried here: {text}")
    for name, path in flaky.items():
        screen.line(f"FLAKY {name}: failed with others, passed separately; {path}")
    for text in wrong:
        screen.line(f"FAILED {text}")
    screen.line(
        f"{'FAILED' if wrong else 'all well'} in {messages.clock(time.monotonic() - started)}"
    )
    n_skipped = f", {len(verdict.skipped)} skipped" if verdict.skipped else ""
    n_failed = len(verdict.failed) + (1 if wrong and not verdict.failed else 0)
    screen.line(f"{verdict.passed} passed, {n_failed} failed{n_skipped}")
    return 1 if wrong else 0


def run(tier: Tier, folder: Path) -> int:
    """Run a tier; returns the exit code.

    Args:
        tier: its parts.
        folder: for logs and results.
    """
    signal.signal(signal.SIGTERM, _asked_to_end)
    started, where = time.monotonic(), os.path.relpath(folder, ROOT)
    environment = _environment()
    n_processors = len(os.sched_getaffinity(0))
    screen = messages.Screen(streams=tier.whole, n_processors=n_processors)
    screen.line(f"{len(tier.parts)} parts; logs are in {where}")
    processes.adopt_orphans()
    ended: list[Ran] = []

    def over(ran: Ran) -> None:
        ended.append(ran)
        screen.over(ran)

    try:
        Runner(folder, environment, screen.tick, over).run(tier.parts)
        verdict = _judge(tier, ended, screen, time.monotonic() - started)
        flaky = _try_again(verdict, screen, folder, environment)
        left = processes.await_end(_SETTLE_SECONDS)
        verdict.broken += [f"left running: {command}" for command in left.values()]
        return _conclude(tier, screen, verdict, flaky, started)
    except KeyboardInterrupt:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        screen.line(f"ended before it was over; logs are in {where}")
        return 130
    finally:
        processes.kill_all()


def main() -> None:
    """Run the tests chosen by the command line."""
    words = sys.argv[1:]
    if words[:1] == ["--help"]:
        sys.stdout.write(str(__doc__))
        return
    if words and words[0] not in _TIERS:
        pytest = [sys.executable, "-I", *PYTHON[1:], "-m", "pytest", *words]
        os.execv(sys.executable, pytest)  # noqa: S606 (replaces this process)
    tier = chosen(words)
    try:
        raise SystemExit(run(tier, _folder()))
    except OSError as error:  # a full disk, another user's checkout
        _stop(
            f"cannot keep logs in {os.path.relpath(_LOGS)}: {error.strerror or error}",
            "the checkout has to be writable, with some free space",
        )


if __name__ == "__main__":
    main()
