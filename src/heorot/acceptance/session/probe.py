"""A job of the check: a plain script that says what it sees, and what it has said so far.

Each of its shells, of which an array has several, writes a `status.jsonl` as job scripts do, which
is believed before the batch system is.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from heorot.jobs.events import Event, Own, Said
from heorot.jobs.facts import BatchState
from heorot.jobs.outcome import classify_outcome
from heorot.jobs.status import JobStatus
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.batch_client import BatchJob
from heorot.model.batch.states import JobState
from heorot.writing import EXECUTABLE, append, write

_SCRIPT = r"""
unset HOSTNAME
events=@EVENTS@ go=@GO@ asked=
mine=$events/$(uname -n).$$
now() { local LC_ALL=C; [[ ${EPOCHREALTIME:-} ]] && echo "$EPOCHREALTIME" || date +%s.%N; }
line() { echo "{\"event\":\"$1\",\"time\":$(now)${2:-}}" >>"$mine/status.jsonl"; }
say() {
    local word words=
    for word in "${@:2}"; do words+=",\"${word//[\"\\[:cntrl:]]/}\""; done
    line said ",\"what\":\"$1\",\"words\":[${words#,}]"
}
until_told() { while [[ ! -e $go ]]; do sleep 0.1; done; }
pause() { sleep "$1" & wait $!; }
beat() { while :; do say "$1"; sleep 0.5; done; }
mkdir -p "$mine"
line job ",\"host\":\"$(uname -n)\""
say task "@ID@" "@INDEX@"
trap 'code=$?; kill $(jobs -p) 2>/dev/null
    [[ $asked ]] || line end ",\"exit_code\":$code"; exit "$code"' EXIT
trap 'asked=1; line interrupted; exit 143' TERM
say hosts $(@HOSTS@)
@BODY@
"""


@dataclass
class ProbeJob:
    """A job of the check.

    Attributes:
        name: unique, in the queue.
        number: its id; None while nobody knows, and if it was refused.
        submitted: when the submitting command was called, Unix time [s].
        submit_seconds: how long that took [s].
        limit_seconds: after which it is to be ended [s].
    """

    feature: str
    name: str
    folder: Path
    nodes: int = 1
    number: str | None = None
    submitted: float = 0.0
    submit_seconds: float = 0.0
    limit_seconds: float = 60.0
    refused: bool = False
    _tails: dict[str, StatusTail] = field(default_factory=dict, repr=False)

    @property
    def job(self) -> BatchJob:
        """What it is to its batch system, once that has taken it."""
        return BatchJob(self.number or "", self.name)

    @property
    def script(self) -> Path:
        """What is submitted."""
        return self.folder / "script.sh"

    @property
    def output(self) -> Path:
        """What the batch system keeps of its output."""
        return self.script.with_suffix(".out")

    def write(
        self, header: Sequence[str], body: str, *, own_id: str, index: str, hosts: str
    ) -> None:
        """Write the script and what it needs.

        Args:
            header: directive lines; they come first.
            own_id: what its shell expands to its id.
            index: variable of its index in an array; empty for none.
            hosts: command that lists its hosts.

        Raises:
            OSError: there is no room.
        """
        (self.folder / "events").mkdir(parents=True)
        values = {
            "@EVENTS@": shlex.quote(str(self.folder / "events")),
            "@GO@": shlex.quote(str(self.folder / "go")),
            "@ID@": own_id,
            "@INDEX@": f"${{{index}:-}}" if index else "",
            "@HOSTS@": hosts,
            "@BODY@": body,
        }
        text = _SCRIPT
        for key, value in values.items():
            text = text.replace(key, value)
        write(self.script, "\n".join(["#!/bin/bash", *header, text]), EXECUTABLE)

    def proceed(self) -> None:
        """Let a job go on that waits until it is told."""
        append(self.folder / "go", "")

    @property
    def all_shells(self) -> list[JobStatus]:
        """What each of its shells has written so far, and what it has left running."""
        with suppress(OSError):  # it comes later, or the file system is away
            for path in sorted((self.folder / "events").iterdir()):
                self._tails.setdefault(path.name, StatusTail(path, ()))
        for tail in self._tails.values():
            tail.read(0)
        return [tail.status for tail in self._tails.values()]

    @property
    def shells(self) -> list[JobStatus]:
        """The same of those of its shells that have begun."""
        return [one for one in self.all_shells if one.begun is not None]

    def _events(self, kind: str) -> list[Event]:
        found = [one for shell in self.all_shells for one in shell.events if one.event == kind]
        return sorted(found, key=lambda event: event.time)

    def said(self, what: str) -> list[Said]:
        """What it has said so far about something, in the order of time."""
        found = (one for one in self._events("said") if isinstance(one, Said))
        return [one for one in found if one.what == what]

    def first(self, what: str) -> Said | None:
        """The first thing it said about something; None if it has not."""
        return next(iter(self.said(what)), None)

    @property
    def starts(self) -> list[Event]:
        """When and where its scripts began, in the order of time."""
        return self._events("job")

    @property
    def ends(self) -> list[Event]:
        """When its scripts came to their ends, and with which exit codes."""
        return self._events("end")

    @property
    def start(self) -> float | None:
        """When its script began [s]."""
        return next((event.time for event in self.starts), None)

    @property
    def end(self) -> float | None:
        """When all its scripts had ended; None if one has not [s]."""
        times = [shell.over for shell in self.shells]
        known = [time for time in times if time is not None]
        return max(known) if known and len(known) == len(times) else None

    @property
    def heard(self) -> float | None:
        """When it wrote last; None if it never did [s]."""
        return max((one.heard for one in self.all_shells if one.heard is not None), default=None)

    @property
    def own(self) -> Own | None:
        """How its scripts say that they ended; None if one of them does not."""
        ways = {shell.own(()) for shell in self.shells} or {None}
        order: tuple[Own | None, ...] = ("interrupted", None, "timeout", "failed", "ok")
        return next(way for way in order if way in ways)

    def became(self, reported: BatchState | None) -> JobState:
        """What became of it, as it says itself, else as the batch system does.

        Args:
            all_shells: what that said last; None if that is nothing.
        """
        return classify_outcome(self.own, "rejected" if self.refused else reported)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that it was given, in order; where it ran if it could not tell."""
        reported = [host for one in self.said("hosts") for host in one.words]
        return tuple(dict.fromkeys(reported or [event.host for event in self.starts]))

    @property
    def label(self) -> str:
        """How evidence calls it."""
        return f"job {self.number}" if self.number else f"job {self.name}"
