"""Output of a run of tests: a line per part, progress, and a verdict at the end."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence

from tests.tiers.part import Part
from tests.tiers.running import MARGIN, Ran
from tests.tiers.verdict import Verdict

_SILENT_SECONDS = 8.0
_LIVE_SECONDS = 1.0
_N_DEAR = 5


def clock(seconds: float) -> str:
    """A duration in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


class Screen:
    """Prints the progress of a run.

    Args:
        streams: whether all output of parts is printed, each line after the name of its part.
        n_processors: processors shared by the parts.
    """

    def __init__(self, *, streams: bool, n_processors: int) -> None:
        self._streams, self._n_processors = streams, max(1, n_processors)
        self._live = sys.stdout.isatty() and not streams
        self._begun = self._spoken = time.monotonic()

    def line(self, text: str) -> None:
        """Print a line."""
        if self._live:
            sys.stdout.write("\r\033[K")
        print(text, flush=True)  # noqa: T201 (its purpose)
        self._spoken = time.monotonic()

    def tick(self, running: Sequence[Ran], waiting: Sequence[Part]) -> None:
        """Print the progress of everything, unless something was printed recently."""
        if self._streams:
            for ran in running:
                self._stream(ran)
        quiet = time.monotonic() - self._spoken
        if quiet < (_LIVE_SECONDS if self._live else _SILENT_SECONDS) or not running:
            return
        texts = [f"{ran.part.name} {_share(ran)}" for ran in running]
        left = self._left(running, waiting)
        text = f"... {clock(time.monotonic() - self._begun)}: {', '.join(texts)}; "
        text += f"about {clock(left)} left" if left > _LIVE_SECONDS else "nearly over"
        if self._live:
            sys.stdout.write(f"\r\033[K{text[:110]}")
            sys.stdout.flush()
            self._spoken = time.monotonic()
        else:
            self.line(text)

    def over(self, ran: Ran) -> None:
        """Print that a part has ended, with its output unless that was printed before."""
        if self._streams:
            self._stream(ran)
        elif ran.code:
            for text in ran.log.read_text(encoding="utf-8", errors="replace").splitlines()[-60:]:
                self.line(f"[{ran.part.name}] {text}")
        over, total = ran.progress()
        n_tests = f"{over} of {total} tests" if total else ran.part.what
        word = "FAIL" if ran.code else "LATE" if ran.late else "ok  "
        self.line(f"{word}  {ran.part.name:12} {ran.seconds:5.0f} s  {n_tests}")

    def _stream(self, ran: Ran) -> None:
        for text in ran.fresh():
            self.line(f"[{ran.part.name}] {text}")

    def _left(self, running: Sequence[Ran], waiting: Sequence[Part]) -> float:
        """Estimated remaining time [s], from the progress of the running parts."""
        lefts = []
        for ran in running:
            over, total = ran.progress()
            left = max(0.0, ran.part.budget / MARGIN - ran.seconds)
            if over and total:
                left = (left + ran.seconds * (total - over) / over) / 2
            lefts.append((left, ran.part.cores))
        lefts += [(part.budget / MARGIN, part.cores) for part in waiting]
        work = sum(left * cores for left, cores in lefts) / self._n_processors
        return max([work, *(left for left, _ in lefts)])


def _share(ran: Ran) -> str:
    over, total = ran.progress()
    return f"{over} of {total}" if total else clock(ran.seconds)


def table(ended: Sequence[Ran], slowdown: float) -> list[str]:
    """A line for each part with its seconds and its budget.

    Args:
        ended: the parts.
        slowdown: largest factor by which other load has slowed down a part.
    """
    lines = [
        f"{ran.part.name:12} {ran.seconds:6.0f} s of {ran.part.budget:5.0f} s"
        f"  {'failed' if ran.code else 'over its budget' if ran.late else 'ok'}"
        for ran in ended
    ]
    if slowdown > MARGIN:
        lines.append(f"other load: budgets multiplied by up to {slowdown:.1f}")
    return lines


def programs(verdict: Verdict) -> list[str]:
    """The programs whose tests take longest."""
    costs = verdict.programs
    if not costs:
        return []
    dearest = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in costs.most_common(_N_DEAR))
    mean = sum(costs.values()) / len(costs)
    return [f"{len(costs)} programs take {mean:.1f} s each; most: {dearest}"]


def skips(verdict: Verdict) -> list[str]:
    """Reasons of skipped tests."""
    reasons = Counter(verdict.skipped.values())
    return [f"{n} skipped: {reason}" for reason, n in reasons.most_common()]
