"""The place of one feature at the bench: its jobs, its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from heorot.launch.batch.controls import Controls, Holding
from heorot.launch.batch.dialect import Question, QueueState
from heorot.session.acceptance.bench import Bench
from heorot.session.acceptance.errand import Errand
from heorot.session.acceptance.feature import UntestedError
from heorot.session.acceptance.ground import CheckGround
from heorot.session.acceptance.poller import wait_for
from heorot.units import format_duration

T = TypeVar("T")
START_SECONDS = 90.0
_SETTLE_SECONDS = 45.0


class Stand:
    """Through which one feature works.

    Args:
        bench: of the check.
        feature: its name.
    """

    def __init__(self, bench: Bench, feature: str) -> None:
        self.bench, self.feature = bench, feature
        self.errands: list[Errand] = []

    @property
    def ground(self) -> CheckGround:
        """Where the check goes."""
        return self.bench.ground

    @property
    def controls(self) -> Controls:
        """What is known of the batch system."""
        return self.ground.controls

    def known(self, value: T | None, what: str) -> T:
        """What the batch system knows how to do.

        Args:
            value: None if that is not known.
            what: it is, for the reason.

        Raises:
            UntestedError: it is not known.
        """
        if value is None:
            raise UntestedError(f"how to {what} is not known for {self.ground.dialect.system}")
        return value

    def submit(
        self,
        body: str,
        *,
        nodes: int = 1,
        cores: int | None = 1,
        limit_seconds: float = 60.0,
        exclusive: bool = False,
        options: Iterable[str] = (),
        on: Sequence[str] = (),
        more: Iterable[str] = (),
    ) -> Errand:
        """Submit a job; as `Bench.submit`."""
        n_before = len(self.bench.errands)
        try:
            return self.bench.submit(
                self.feature,
                body,
                nodes=nodes,
                cores=cores,
                limit_seconds=limit_seconds,
                exclusive=exclusive,
                options=options,
                on=on,
                more=more,
            )
        finally:
            own = [each for each in self.bench.errands[n_before:] if each.feature == self.feature]
            self.errands += own

    def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is so; returns whether it is."""
        return wait_for(condition, seconds, self.bench.require_time)

    def started(self, errand: Errand, seconds: float | None = None) -> float:
        """Wait until a job's script has begun; returns when, by its own clock [s].

        Raises:
            UntestedError: it does not begin.
        """
        seconds = START_SECONDS if seconds is None else seconds
        check = self.bench.require_nodes(errand)
        wait_for(lambda: errand.start is not None, seconds, check)
        if errand.start is None:
            raise UntestedError(
                f"{errand.label} did not start within {format_duration(seconds)}"
                f" ({self.word(errand)})"
            )
        return errand.start

    def ended(self, errand: Errand, seconds: float | None = None) -> float:
        """Wait until a job's script has come to its end; returns when, by its own clock [s].

        Raises:
            UntestedError: it does not.
        """
        self.started(errand, seconds)
        seconds = START_SECONDS if seconds is None else seconds
        if not self.wait(lambda: errand.end is not None, seconds) or errand.end is None:
            raise UntestedError(
                f"{errand.label} did not come to its end within {format_duration(seconds)}"
                f" ({self.word(errand)})"
            )
        return errand.end

    def settled(self, errand: Errand, seconds: float | None = None) -> QueueState | None:
        """Wait until the batch system says that a job has ended; None if it does not."""
        seconds = _SETTLE_SECONDS if seconds is None else seconds
        self.wait(lambda: self.bench.poller.ended(errand.number) is not None, seconds)
        if self.bench.poller.ended(errand.number) is None:
            return None
        told = self.ground.caller.account(str(errand.number))
        return told or self.bench.state(errand)

    def word(self, errand: Errand) -> str:
        """What the batch system last said of a job."""
        state = self.bench.state(errand)
        if state is None:
            return "the batch system says nothing of it"
        return ", ".join(filter(None, (state.raw or state.phase, state.reason)))

    def ask(self, question: Question[T]) -> T:
        """Put a question."""
        return self.ground.caller.ask(question)

    def holding(self, errand: Errand) -> Holding:
        """What a job has, as the batch system tells; nothing if it is not known how to ask."""
        question = self.controls.holding(str(errand.number))
        return self.ask(question) if question else Holding()
