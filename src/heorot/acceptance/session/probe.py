"""A probe job: a plain script that records its observations, and their reader.

Each of its shells (an array has several) writes a `status.jsonl` like job scripts; it takes
precedence over the batch system.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from heorot.jobs.events import Event, Observation, Own
from heorot.jobs.facts import BatchState
from heorot.jobs.outcome import classify_outcome
from heorot.jobs.status import JobStatus
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.batch_client import BatchJob
from heorot.model.batch.states import JobState
from heorot.writing import EXECUTABLE, append, write

# After its time limit a job that the batch system cannot end lasts no longer than this [s].
_STAY_SECONDS = 180.0
_SCRIPT = r"""
unset HOSTNAME
events=@EVENTS@ go=@GO@ asked=
mine=$events/$(uname -n).$$
now() { local LC_ALL=C; [[ ${EPOCHREALTIME:-} ]] && echo "$EPOCHREALTIME" || date +%s.%N; }
line() { echo "{\"event\":\"$1\",\"time\":$(now)${2:-}}" >>"$mine/status.jsonl"; }
record() {
    local word words=
    for word in "${@:2}"; do words+=",\"${word//[\"\\[:cntrl:]]/}\""; done
    line said ",\"what\":\"$1\",\"words\":[${words#,}]"
}
until_released() { while [[ ! -e $go ]] && ((SECONDS < @STAY@)); do sleep 0.1; done; }
pause() { sleep "$1" & wait $!; }
beat() { while ((SECONDS < @STAY@)); do record "$1"; sleep 0.5; done; }
mkdir -p "$mine"
line job ",\"host\":\"$(uname -n)\""
record task "@ID@" "@INDEX@"
trap 'code=$?; kill $(jobs -p) 2>/dev/null
    [[ $asked ]] || line end ",\"exit_code\":$code"; exit "$code"' EXIT
trap 'asked=1; line interrupted; exit 143' TERM
record hosts $(@HOSTS@)
@BODY@
"""


@dataclass
class ProbeJob:
    """A job of the check.

    Attributes:
        name: unique, in the queue.
        number: its id; None if unknown or refused.
        submitted: when the submitting command was called, Unix time [s].
        submit_seconds: duration of that command [s].
        limit_seconds: time limit [s].
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
        """The job in its batch system, once submitted."""
        return BatchJob(self.number or "", self.name)

    @property
    def script(self) -> Path:
        """The submitted script."""
        return self.folder / "script.sh"

    @property
    def output(self) -> Path:
        """The file of its output."""
        return self.script.with_suffix(".out")

    def write(
        self, header: Sequence[str], body: str, *, own_id: str, index: str, hosts: str
    ) -> None:
        """Write the script and its folder.

        Args:
            header: directive lines; they come first.
            own_id: shell expression of its id.
            index: variable of its index in an array; empty for none.
            hosts: command that lists its hosts.

        Raises:
            OSError: the disk is full.
        """
        (self.folder / "events").mkdir(parents=True)
        values = {
            "@EVENTS@": shlex.quote(str(self.folder / "events")),
            "@GO@": shlex.quote(str(self.folder / "go")),
            "@STAY@": str(int(self.limit_seconds + _STAY_SECONDS)),
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
        """Release a job that waits for our signal."""
        append(self.folder / "go", "")

    @property
    def all_shells(self) -> list[JobStatus]:
        """Events of each of its shells so far, and of its remaining children."""
        with suppress(OSError):  # not there yet, or the file system is unreachable
            for path in sorted((self.folder / "events").iterdir()):
                self._tails.setdefault(path.name, StatusTail(path, ()))
        for tail in self._tails.values():
            tail.read(0)
        return [tail.status for tail in self._tails.values()]

    @property
    def shells(self) -> list[JobStatus]:
        """The same of its shells that have started."""
        return [one for one in self.all_shells if one.begun is not None]

    def _events(self, kind: str) -> list[Event]:
        found = [one for shell in self.all_shells for one in shell.events if one.event == kind]
        return sorted(found, key=lambda event: event.time)

    def observed(self, what: str) -> list[Observation]:
        """Its observations of a name so far, by time."""
        found = (one for one in self._events("said") if isinstance(one, Observation))
        return [one for one in found if one.what == what]

    def first(self, what: str) -> Observation | None:
        """The first of them; None if there is none."""
        return next(iter(self.observed(what)), None)

    @property
    def starts(self) -> list[Event]:
        """Starts of its scripts, with host, by time."""
        return self._events("job")

    @property
    def ends(self) -> list[Event]:
        """Ends of its scripts, with exit codes."""
        return self._events("end")

    @property
    def start(self) -> float | None:
        """Start of its script [s]."""
        return next((event.time for event in self.starts), None)

    @property
    def end(self) -> float | None:
        """When all its scripts had ended; None if one has not [s]."""
        times = [shell.over for shell in self.shells]
        known = [time for time in times if time is not None]
        return max(known) if known and len(known) == len(times) else None

    @property
    def heard(self) -> float | None:
        """Time of its latest event; None if there is none [s]."""
        return max((one.heard for one in self.all_shells if one.heard is not None), default=None)

    @property
    def own(self) -> Own | None:
        """End of its scripts by their own record; None if one has none."""
        ways = {shell.own(()) for shell in self.shells} or {None}
        order: tuple[Own | None, ...] = ("interrupted", None, "timeout", "failed", "ok")
        return next(way for way in order if way in ways)

    def became(self, reported: BatchState | None) -> JobState:
        """The final state, by its own record, else by the batch system.

        Args:
            reported: the batch system's latest report; None without one.
        """
        return classify_outcome(self.own, "rejected" if self.refused else reported)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Its allocated hosts, in order; the hosts it ran on if it could not list them."""
        reported = [host for one in self.observed("hosts") for host in one.words]
        return tuple(dict.fromkeys(reported or [event.host for event in self.starts]))

    @property
    def label(self) -> str:
        """Its name in evidence."""
        return f"job {self.number}" if self.number else f"job {self.name}"
