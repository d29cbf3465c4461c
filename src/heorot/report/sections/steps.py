"""What became of every step: the plan and its outcomes, reconciled."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.evaluation import Evaluation
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import SkippedCase, Step
from heorot.report.wording import count, word_layout


@dataclass(frozen=True)
class Ending:
    """A step with what became of it; either half may be missing.

    Attributes:
        id: the step's id.
        step: what was to run, None if only its outcome is known.
        outcome: None if it never started.
    """

    id: str
    step: Step | None
    outcome: Outcome | None

    @property
    def state(self) -> str:
        """One word, or two."""
        return self.outcome.state.replace("_", " ") if self.outcome else "not started"

    @property
    def completed(self) -> bool:
        """Whether it ended as it should."""
        return self.outcome is not None and self.outcome.state == "completed"

    @property
    def benchmark(self) -> str:
        """The program."""
        if self.step:
            return self.step.benchmark
        run = self.outcome.run if self.outcome else None
        return run.benchmark if run else "unknown program"

    @property
    def toolchain(self) -> str:
        """Name of the toolchain, if the plan knows the step."""
        return self.step.toolchain if self.step else ""

    @property
    def description(self) -> str:
        """Program, case, layout and toolchain in one line."""
        if self.step is None:
            return self.benchmark
        step = self.step
        layout = word_layout(step.ranks, step.threads, step.nodes)
        return f"{step.benchmark}, {step.case}, launch {step.launch}, {layout}, {step.toolchain}"

    @property
    def reason(self) -> str:
        """Why it is not completed, one line."""
        if self.outcome is None:
            return "the run ended before its turn"
        return self.outcome.reason or self.state

    @property
    def seconds(self) -> float | None:
        """How long it took [s], None if unknown."""
        ended = self.outcome.exit if self.outcome else None
        return ended.ended - ended.started if ended else None


@dataclass(frozen=True)
class Reconciliation:
    """Submitted = completed + failed + timed out + lost + not started.

    Attributes:
        endings: of all steps in planned order, then of those that repeat others.
        skipped: cases that were not planned, with reasons.
    """

    endings: tuple[Ending, ...]
    skipped: tuple[SkippedCase, ...]

    @property
    def troubled(self) -> list[Ending]:
        """The steps that did not complete."""
        return [each for each in self.endings if not each.completed]

    @property
    def sentence(self) -> str:
        """The sum, in words."""
        states = ("completed", "failed", "timed out", "lost", "not started")
        tally = {state: sum(each.state == state for each in self.endings) for state in states}
        parts = ", ".join(f"{n} {state}" for state, n in tally.items() if n or state == "completed")
        skipped = f"; {count(len(self.skipped), 'case')} skipped beforehand" * bool(self.skipped)
        return f"{count(len(self.endings), 'step')}: {parts}{skipped}."


def reconcile(evaluation: Evaluation) -> Reconciliation:
    """Puts plan and outcomes together, so that nothing is left out silently.

    Args:
        evaluation: the run.
    """
    outcomes = {outcome.step: outcome for outcome in evaluation.outcomes}
    planned = {step.id: step for step in (*evaluation.plan.steps, *evaluation.steps)}
    endings = [Ending(name, step, outcomes.get(name)) for name, step in planned.items()]
    endings += [
        Ending(name, None, outcome) for name, outcome in outcomes.items() if name not in planned
    ]
    return Reconciliation(tuple(endings), evaluation.plan.skipped)
