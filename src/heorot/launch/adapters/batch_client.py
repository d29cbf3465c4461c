"""Client of a batch system: calls its commands and reads their answers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from heorot import process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.jobs.facts import QueueState, States
from heorot.launch.batch.dialect import Dialect, Question, Submission
from heorot.process import Finished

T = TypeVar("T")
_PATIENCE_SECONDS = 30.0
_SUBMIT_SECONDS = 60.0
_FED = 'exec "$@" <"$0"'


@dataclass(frozen=True)
class BatchJob:
    """A job as it was submitted.

    The id alone does not identify a job: a batch system that was killed resumes from its last saved
    state, and may give other users' jobs ids that it used before.

    Attributes:
        id: its id in the batch system.
        name: its unique name; None if it is not known.
    """

    id: str
    name: str | None


@dataclass(frozen=True)
class JobAnswer:
    """Answer of a batch system about a job.

    Attributes:
        state: state of the job; None if the job is unknown.
        answered: whether there was an answer at all.
        taken: whether another job has its id now.
    """

    state: QueueState | None = None
    answered: bool = True
    taken: bool = False

    @property
    def over(self) -> bool:
        """Whether the job is no longer in the queue."""
        return self.answered and (self.state is None or self.state.phase == "ended")


def answer_about(job: BatchJob, states: States) -> JobAnswer:
    """The answer about a job, unless another job has its id now."""
    state = None if states is None else states.get(job.id)
    if state is None or None in (state.name, job.name) or state.name == job.name:
        return JobAnswer(state, states is not None)
    return JobAnswer(taken=True)


class BatchClient:
    """Calls the commands of one batch system.

    Attributes:
        dialect: their names and the format of their answers.
        commands: their directory; None finds them by PATH.
        variables: environment variables of the commands, which jobs inherit.
    """

    def __init__(
        self,
        dialect: Dialect,
        commands: Path | None = None,
        timeout_seconds: float = _PATIENCE_SECONDS,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.dialect, self.variables = dialect, dict(variables or {})
        self.commands = commands.absolute() if commands else None
        self._timeout_seconds = timeout_seconds

    def environment(self) -> dict[str, str]:
        """The environment of the commands, without variables that would change the answers."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(self.dialect.mute)
        }
        if self.commands:
            kept["PATH"] = f"{self.commands}:{kept.get('PATH', os.defpath)}"
        return kept | self.variables

    def argv(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """A command with the path of its directory, if that is known."""
        return (str(self.commands / words[0]), *words[1:]) if self.commands else words

    def ask(self, question: Question[T]) -> T:
        """The answer of a command; it is killed after a time limit."""
        return question.read(self.run(question.argv, self._timeout_seconds))

    def send(self, question: Question[Submission], folder: Path) -> Submission:
        """Call a submitting command; some read the script from their standard input."""
        before = ("bash", "-c", _FED, str(question.stdin)) if question.stdin is not None else ()
        return question.read(self.run(question.argv, _SUBMIT_SECONDS, before, folder))

    def run(
        self,
        words: Sequence[str],
        timeout_seconds: float,
        before: tuple[str, ...] = (),
        folder: Path | None = None,
    ) -> Finished:
        """The output of a command.

        Args:
            timeout_seconds: time after which it is killed [s].
        """
        return process.run(
            (*before, *self.argv(tuple(words))),
            timeout_seconds=timeout_seconds,
            cwd=folder,
            environment=dict(self.environment(), LC_ALL="C"),
        )

    def state(self, job: BatchJob) -> JobAnswer:
        """The state of a job in the queue."""
        return self.states_of([job])[job.id]

    def states_of(self, jobs: Iterable[BatchJob]) -> dict[str, JobAnswer]:
        """The states of some jobs in the queue, by id, from one query."""
        by_id = {job.id: job for job in jobs}
        states = self.ask(self.dialect.query(sorted(by_id)))
        return {number: answer_about(job, states) for number, job in by_id.items()}

    def account(self, job: BatchJob, *, ended: bool = True) -> QueueState | None:
        """The final state of a job from the first source that knows it; None if none does.

        Args:
            ended: whether states of jobs that have not ended are ignored.
        """
        for question in self.dialect.account([job.id]):
            state = answer_about(job, self.ask(question)).state
            if state is not None and (state.phase == "ended" or not ended):
                return state
        return None

    def interrupt(self, job: BatchJob) -> str:
        """Ask the script of a job to end; returns an objection in one line, or an empty text."""
        return self._act(self.dialect.interrupt(job.id), job)

    def cancel(self, job: BatchJob) -> str:
        """Cancel a job; returns an objection in one line, or an empty text."""
        return self._act(self.dialect.cancel(job.id), job)

    def cancel_unended(self, jobs: Sequence[BatchJob]) -> tuple[dict[BatchJob, str], bool]:
        """Cancel the jobs that have not ended.

        Returns:
            Objections by job, empty for none; and whether the queue answered.
        """
        reported = self.states_of(jobs) if jobs else {}
        left = [job for job in jobs if not reported[job.id].over]
        return {job: self.cancel(job) for job in left}, all(
            one.answered for one in reported.values()
        )

    def _act(self, question: Question[str], job: BatchJob) -> str:
        """Apply a command to a job, unless another job has its id now."""
        only = self.dialect.only(job.name) if job.name else ()
        if not only and (doubt := self.doubt(job)):
            return doubt
        *words, number = question.argv
        return self.ask(replace(question, argv=(*words, *only, number)))

    def doubt(self, job: BatchJob) -> str:
        """Why it is uncertain that a job still has its id, one line; empty if it has."""
        reported = self.states_of([job])[job.id]
        system = self.dialect.system
        if not reported.answered:
            return f"{system} does not answer"
        if reported.taken:
            return f"{system} has given the id {job.id} to another job"
        if reported.state is None:
            return f"{system} knows no job {job.id}"
        return "" if reported.state.name else f"{system} does not report the name of job {job.id}"

    def find(self, name: str) -> tuple[str | None, bool]:
        """The id of our job with a name, None if there is none; and whether there was an answer."""
        answered = False
        for question in self.dialect.find(name):
            states: States = self.ask(question)
            answered = answered or states is not None
            for job, state in (states or {}).items():
                if state.name == name:
                    return job, True
        return None, answered


class CachingBatchClient(BatchClient):
    """Calls the commands of a batch system for many jobs, with one query about all of them.

    The answer is reused for a while.
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
        """Set the jobs that queries cover."""
        self._followed = set(jobs)

    def state(self, job: BatchJob) -> JobAnswer:
        """The recent state of a job in the queue."""
        known = job.id in self._followed
        self._followed.add(job.id)
        if not known or self._clock.monotonic() - self._asked > self._keep_seconds:
            self._states = self.ask(self.dialect.query(sorted(self._followed)))
            self._asked = self._clock.monotonic()
        return answer_about(job, self._states)
