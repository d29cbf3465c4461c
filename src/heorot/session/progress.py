"""Progress of a run, for displays."""

from __future__ import annotations

from heorot.model.run.outcome import Exit, State
from heorot.model.run.plan import Plan, Step


class Progress:
    """Progress of a run; this base class shows nothing."""

    def stage(self, text: str) -> None:
        """A stage begins."""

    def begin(self, plan: Plan) -> None:
        """Measuring begins."""

    def started(self, step: Step) -> None:
        """A step begins."""

    def finished(self, step: Step, exit_: Exit, state: State) -> None:
        """A step has ended, with its state by its exit and the end of its record."""

    def dropped(self, step: Step) -> None:
        """A planned step will not run, for lack of time."""

    def close(self) -> None:
        """The run has ended."""
