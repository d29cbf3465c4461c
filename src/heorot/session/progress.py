"""What a run tells whoever shows how far it is."""

from __future__ import annotations

from heorot.model.run.outcome import Exit, State
from heorot.model.run.plan import Plan, Step


class Progress:
    """What the conductor tells whoever shows how far a run is; this one shows nothing."""

    def stage(self, text: str) -> None:
        """A stage begins."""

    def begin(self, plan: Plan) -> None:
        """Measuring begins."""

    def started(self, step: Step) -> None:
        """A step begins."""

    def finished(self, step: Step, exit_: Exit, state: State) -> None:
        """A step has ended, and how, as far as its exit and the end of its record tell."""

    def dropped(self, step: Step) -> None:
        """A planned step will not run, as time gets short."""

    def close(self) -> None:
        """Nothing more will come."""
