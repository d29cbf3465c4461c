"""Submits a job exactly once, also if Heorot is killed meanwhile.

A shell script in a session of its own calls the submitting command and keeps the answer, so killing
Heorot does not kill it. The folder `submit` of the job has, for attempt 1:

    lock        held by that script and by the command until both have ended
    1.begun     written before the command is called: time, and length of status.jsonl
    1.answer    written after it: exit code and time; 1.said and 1.complained are its output
    1.id        the job's id, written by the job itself when it starts

An attempt with `begun`, without answer and with a free lock was cut off: only then is the job
searched by its unique name.
"""

from __future__ import annotations

import fcntl
import os
import shlex
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from heorot import interruption, process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.files import read_from
from heorot.jobs.facts import is_job_id
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.batch.dialect import Submission
from heorot.launch.batch.parsing import unix_time
from heorot.launch.job import Job
from heorot.process import Finished
from heorot.writing import EXECUTABLE, open_staying, write

# Where locks do not work, an attempt this old was cut off: the command is killed earlier.
_OLD_SECONDS = 240.0
_TURN_SECONDS = 0.02
# A block of the file system is reserved first: nothing is submitted on a full one.
_SUBMIT = r"""
export LC_ALL=C
folder=$1 n=$2 input=$3; shift 3
now() { [[ ${EPOCHREALTIME:-} ]] && echo "$EPOCHREALTIME" || date +%s.%N; }
exec 9>>"$folder/lock" || exit 74
flock -w 200 9 2>/dev/null; (($? == 1)) && exit 75
set -C
size=$(wc -c 2>/dev/null <"$folder/../status.jsonl") || size=0
printf '%s %s%4096s\n' "$(now)" "$size" '' >"$folder/$n.room" || exit 74
ln "$folder/$n.room" "$folder/$n.begun" 2>/dev/null || {
    [[ -e $folder/$n.begun ]] && { rm -f "$folder/$n.room"; exit 0; }
    cat "$folder/$n.room" >"$folder/$n.begun" || exit 74
}
rm -f "$folder/$n.room"
sync "$folder/$n.begun" "$folder" 2>/dev/null
set +C
timeout -k 10 180 "$@" <"${input:-/dev/null}" >"$folder/$n.said" 2>"$folder/$n.complained"
code=$?
printf '%s %s\n' "$code" "$(now)" >"$folder/$n.part" && mv "$folder/$n.part" "$folder/$n.answer"
flock -u 9 2>/dev/null # what the command has left may hold it open
"""
_ROOM = "free some space, or choose another directory with --out"


@dataclass(frozen=True)
class Attempt:
    """One submission of a job, as far as recorded.

    Attributes:
        number: from 1; 0 for none.
        begun: when the submitting command was called, Unix time [s].
        since: length of the status file at that time [B].
        answered: when the command had answered, None if it has not [s].
        came: the result of the submission, None if there is no answer.
    """

    number: int
    begun: float | None = None
    since: int = 0
    answered: float | None = None
    came: Submission | None = None


class Submitter:
    """Submits one job."""

    def __init__(self, client: BatchClient, job: Job, clock: Clock = SYSTEM_CLOCK) -> None:
        self._client = client
        self._clock = clock
        self._job = job
        self._folder = job.directory / "submit"

    def last(self) -> Attempt:
        """The latest attempt."""
        number = 0
        while (self._folder / f"{number + 1}.begun").exists():
            number += 1
        return self.attempt(number)

    def attempt(self, number: int) -> Attempt:
        """The recorded state of an attempt.

        Args:
            number: from 1.
        """
        begun = self._words(f"{number}.begun")
        if not begun:
            return Attempt(0)
        answer = self._words(f"{number}.answer")
        came = None
        if len(answer) == 2 and answer[0].isdigit():  # noqa: PLR2004 (code and time)
            output, complaint = (self._text(f"{number}.{name}") for name in ("said", "complained"))
            question = self._client.dialect.submit(Path("-"), "-")
            came = question.read(Finished(int(answer[0]), output, complaint))
        own = self._text(f"{number}.id").strip()
        if is_job_id(own) and (came is None or came.outcome != "accepted"):
            came = Submission("accepted", own)
        return Attempt(
            number=number,
            begun=unix_time(begun[0]),
            since=int(begun[1]) if len(begun) > 1 and begun[1].isdigit() else 0,
            answered=unix_time(answer[1]) if came and len(answer) > 1 else None,
            came=came,
        )

    def cut_off(self, attempt: Attempt) -> bool:
        """Whether an attempt without answer is abandoned: its lock is free."""
        old = attempt.begun is None or abs(self._clock.time() - attempt.begun) > _OLD_SECONDS
        try:
            handle = open_staying(self._folder / "lock", os.O_RDWR)
        except OSError:
            return old
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return old
        finally:
            os.close(handle)
        # The answer may have come between the two reads.
        return self.attempt(attempt.number).came is None

    def found(self, attempt: Attempt, job: str) -> Attempt:
        """Record the id of a job that was found by its name."""
        with suppress(OSError):  # it can be found again
            write(self._folder / f"{attempt.number}.id", f"{job}\n", sync=False)
        return replace(attempt, came=Submission("accepted", job))

    def submit(self, number: int, after: str | None) -> None:
        """Begin an attempt, unless another process has; returns when it is answered or cut off.

        Args:
            after: id of a job that must have ended before; None for none.

        Raises:
            SetupError: nothing can be written, or bash cannot be started.
        """
        dialect = self._client.dialect
        name = dialect.name(self._job.marker, number)
        script = self._folder / f"{number}.sh"
        self._write(script, number)
        question = dialect.submit(script, name, after)
        words = ["bash", "-c", _SUBMIT, "heorot-submit", str(self._folder), str(number)]
        words += [str(question.stdin or ""), *self._client.argv(question.argv)]
        try:
            child = process.detach(
                words,
                cwd=self._job.directory,
                environment=self._client.environment(),
                out=self._folder / "log",
                err=self._folder / "log",
            )
        except OSError as error:
            raise SetupError(f"cannot submit {script}: {error}", _ROOM) from error
        while child.poll() is None:
            interruption.raise_if_asked()
            self._clock.sleep(_TURN_SECONDS)
        if not (self._folder / f"{number}.begun").exists():
            raise SetupError(f"cannot write in {self._folder}: no space left?", _ROOM)

    def _write(self, script: Path, number: int) -> None:
        """Write the script that is submitted: directives, then a call of the job's own script."""
        mark = self._client.dialect.mark
        text = read_from(self._job.script, 0).decode("utf-8", "surrogateescape")
        header: list[str] = []
        for line in text.splitlines()[1:]:
            if not line.startswith("#"):
                break
            header += [line] * line.startswith(mark)
        job = self._job.directory
        quoted = [shlex.quote(str(path)) for path in (self._folder / f"{number}.id", job)]
        path = [f"PATH=$PATH:{shlex.quote(str(self._client.commands))}"] * bool(
            self._client.commands
        )
        lines = [
            "#!/bin/bash",
            *header,
            f'echo "{self._client.dialect.own_id}" >{quoted[0]}',
            f"cd -- {quoted[1]} || exit 74",
            *path,
            # Login nodes export their own name, which shells on other nodes would keep.
            "unset HOSTNAME",
            "exec bash ./script.sh >>stdout 2>>stderr </dev/null",
        ]
        try:
            self._folder.mkdir(exist_ok=True)
            write(script, "\n".join(lines) + "\n", EXECUTABLE, sync=False)
        except OSError as error:
            raise SetupError(f"cannot write {script}: {error.strerror}", _ROOM) from error

    def _text(self, name: str) -> str:
        return read_from(self._folder / name, 0)[: 1 << 20].decode(errors="replace")

    def _words(self, name: str) -> list[str]:
        return self._text(name).split()
