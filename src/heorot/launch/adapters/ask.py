"""Puts questions to a batch system."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from heorot import process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.launch.batch.dialect import Dialect, Question, QueueState, States

T = TypeVar("T")
_PATIENCE_SECONDS = 30.0


class Caller:
    """Calls the commands of one batch system.

    Attributes:
        dialect: what they are called and how they answer.
        commands: directory they are in; None finds them by PATH.
    """

    def __init__(
        self,
        dialect: Dialect,
        commands: Path | None = None,
        timeout_seconds: float = _PATIENCE_SECONDS,
    ) -> None:
        self.dialect = dialect
        self.commands = commands.absolute() if commands else None
        self._timeout_seconds = timeout_seconds

    def environment(self) -> dict[str, str]:
        """Ours, without what would change the answers."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(self.dialect.mute)
        }
        if self.commands:
            kept["PATH"] = f"{self.commands}:{kept.get('PATH', os.defpath)}"
        return kept

    def argv(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """A command with its directory, if that is known.

        Args:
            words: the command's name and its arguments.
        """
        return (str(self.commands / words[0]), *words[1:]) if self.commands else words

    def ask(self, question: Question[T]) -> T:
        """What a command answers; it is killed if it takes too long.

        Args:
            question: what to call and how to read it.
        """
        answer = process.run(
            self.argv(question.argv),
            timeout_seconds=self._timeout_seconds,
            environment=dict(self.environment(), LC_ALL="C"),
        )
        return question.read(answer)

    def state(self, job: str) -> tuple[QueueState | None, bool]:
        """How the queue has a job, None if it is not there; and whether there was an answer.

        Args:
            job: its id.
        """
        states = self.ask(self.dialect.query([job]))
        return (None, False) if states is None else (states.get(job), True)

    def told(self, job: str) -> QueueState | None:
        """What the first says that knows a job, whether it has ended or not; None if nobody does.

        Args:
            job: its id.
        """
        for question in self.dialect.account([job]):
            state = (self.ask(question) or {}).get(job)
            if state is not None:
                return state
        return None

    def account(self, job: str) -> QueueState | None:
        """How a job has ended, as the first says that knows; None if nobody does.

        Args:
            job: its id.
        """
        for question in self.dialect.account([job]):
            state = (self.ask(question) or {}).get(job)
            if state is not None and state.phase == "ended":
                return state
        return None

    def find(self, name: str) -> tuple[str | None, bool]:
        """The id of our job with a name, None if there is none; and whether anyone answered.

        Args:
            name: of the job.
        """
        answered = False
        for question in self.dialect.find(name):
            states: States = self.ask(question)
            answered = answered or states is not None
            for job, state in (states or {}).items():
                if state.name == name:
                    return job, True
        return None, answered


class CrowdCaller(Caller):
    """Calls the commands of a batch system for many jobs that are followed at the same time.

    One question about all of them answers for a while.
    """

    def __init__(
        self,
        dialect: Dialect,
        commands: Path | None = None,
        *,
        keep_seconds: float = 2.0,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        super().__init__(dialect, commands)
        self._clock = clock
        self._keep_seconds = keep_seconds
        self._followed: set[str] = set()
        self._states: States = None
        self._asked = float("-inf")

    def follow(self, jobs: Iterable[str]) -> None:
        """Say about which jobs there may be questions.

        Args:
            jobs: their ids.
        """
        self._followed = set(jobs)

    def state(self, job: str) -> tuple[QueueState | None, bool]:
        """How the queue had a job a moment ago, None if it was not there; whether it answered.

        Args:
            job: its id.
        """
        known = job in self._followed
        self._followed.add(job)
        if not known or self._clock.monotonic() - self._asked > self._keep_seconds:
            self._states = self.ask(self.dialect.query(sorted(self._followed)))
            self._asked = self._clock.monotonic()
        return (None, False) if self._states is None else (self._states.get(job), True)
