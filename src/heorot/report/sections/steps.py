"""What became of every step: each with its outcome, and their account in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from heorot.model.evaluation import Evaluation
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.report.wording import count, word_layout


@dataclass(frozen=True)
class Ending:
    """A step with what became of it."""

    step: Step
    outcome: Outcome

    @property
    def state(self) -> str:
        """One word, or two."""
        return self.outcome.state.replace("_", " ")

    @property
    def description(self) -> str:
        """Program, case, layout and toolchain in one line."""
        step = self.step
        layout = word_layout(step.ranks, step.threads, step.nodes)
        return f"{step.benchmark}, {step.case}, launch {step.launch}, {layout}, {step.toolchain}"

    @property
    def seconds(self) -> float | None:
        """How long it took [s], None if unknown."""
        ended = self.outcome.exit
        return ended.ended - ended.started if ended else None


def pair_endings(evaluation: Evaluation) -> tuple[Ending, ...]:
    """Every step with its outcome: in planned order, then those that repeat others."""
    pairs = zip(evaluation.steps, evaluation.outcomes, strict=True)
    return tuple(Ending(step, outcome) for step, outcome in pairs)


@dataclass(frozen=True)
class Skipped:
    """A case that did not run.

    Attributes:
        reason: one line.
        n_refused: launches in which the program refused to run; 0 if the case was not planned.
    """

    benchmark: str
    case: str
    toolchain: str
    reason: str
    n_refused: int = 0


def find_skipped(evaluation: Evaluation) -> tuple[Skipped, ...]:
    """The cases that were not planned, then those that programs refused to run."""
    refused: Counter[tuple[Setup, str]] = Counter()
    for ending in pair_endings(evaluation):
        if ending.outcome.state == "refused":
            refused[ending.step.setup, ending.outcome.reason] += 1
    return (
        *(
            Skipped(case.benchmark, case.case, case.toolchain, case.reason)
            for case in evaluation.plan.skipped
        ),
        *(
            Skipped(one.benchmark, one.case, str(one.stack), reason, n_refused=n)
            for (one, reason), n in refused.items()
        ),
    )


def word_account(evaluation: Evaluation) -> str:
    """How many launches and repeats ended in which way, in a sentence."""
    account, n_skipped = evaluation.account, len(evaluation.plan.skipped)
    states = ("completed", "failed", "timed_out", "lost", "refused")
    tally = {state: getattr(account, state) for state in states}
    parts = ", ".join(
        f"{n} {state.replace('_', ' ')}" for state, n in tally.items() if n or state == "completed"
    )
    skipped = f"; {count(n_skipped, 'case')} left out beforehand" * bool(n_skipped)
    n_dropped = len(evaluation.dropped)
    dropped = f"; {count(n_dropped, 'planned launch')} given up for want of time" * bool(n_dropped)
    return f"{evaluation.counts.runs}: {parts}{skipped}{dropped}."


def find_dropped(evaluation: Evaluation) -> tuple[Skipped, ...]:
    """Launches that were planned and given up, those of a case with one reason together."""
    launches: dict[tuple[Setup, str], list[int]] = {}
    for one in evaluation.dropped:
        key = (one.setup, one.reason)
        launches.setdefault(key, []).append(one.launch)
    return tuple(
        Skipped(
            one.benchmark, f"{one.case}, launch {', '.join(map(str, each))}", one.toolchain, reason
        )
        for (one, reason), each in launches.items()
    )
