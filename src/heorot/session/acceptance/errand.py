"""A job of the check: a plain script that says what it sees, and what it has said so far.

It writes lines such as `1764000000.123456 start n3 17` into a file of its own, which is believed
before the batch system is.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from heorot.files import open_regular
from heorot.jobs.ending import classify_outcome
from heorot.jobs.events import Own
from heorot.jobs.facts import Told
from heorot.launch.adapters.ask import BatchJob
from heorot.model.batch.states import JobState
from heorot.writing import EXECUTABLE, append, write

_MOST_BYTES = 1 << 20
_LATEST = 1e11
_SCRIPT = r"""
unset HOSTNAME
events=@EVENTS@ go=@GO@
mine=$events/$(uname -n).$$
now() { local LC_ALL=C; [[ ${EPOCHREALTIME:-} ]] && echo "$EPOCHREALTIME" || date +%s.%N; }
say() { echo "$(now) $*" >>"$mine"; }
until_told() { while [[ ! -e $go ]]; do sleep 0.1; done; }
pause() { sleep "$1" & wait $!; }
beat() { while :; do say "$1"; sleep 0.5; done; }
say start "$(uname -n)" "@ID@" "@INDEX@"
trap 'code=$?; kill $(jobs -p) 2>/dev/null; say end "$code"; exit "$code"' EXIT
trap 'say asked; exit 143' TERM
say hosts $(@HOSTS@)
@BODY@
"""


@dataclass(frozen=True)
class Event:
    """Something that a job said.

    Attributes:
        time: when, Unix time by the clock of its node [s].
        what: the first word.
        words: the others.
        file: which of its shells said it.
    """

    time: float
    what: str
    words: tuple[str, ...] = ()
    file: str = ""


@dataclass
class Errand:
    """A job of the check.

    Attributes:
        feature: that it is of.
        name: unique, in the queue.
        folder: of its own.
        nodes: that it asked for.
        number: its id; None while nobody knows, and if it was refused.
        submitted: when the submitting command was called, Unix time [s].
        submit_seconds: how long that took [s].
        limit_seconds: after which it is to be ended [s].
        refused: whether the batch system refused it.
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
    _seen: dict[str, tuple[int, list[Event]]] = field(default_factory=dict, repr=False)

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
            body: what it does.
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

    def tell(self) -> None:
        """Let a job go on that waits until it is told."""
        append(self.folder / "go", "")

    def events(self, what: str = "") -> list[Event]:
        """What it has said so far, in the order of time.

        Args:
            what: only events of this kind; empty for all.
        """
        found: list[Event] = []
        with suppress(OSError):  # it comes later, or the file system is away
            for path in sorted((self.folder / "events").iterdir()):
                found += self._read(path)
        found.sort(key=lambda event: event.time)
        return [event for event in found if not what or event.what == what]

    def _read(self, path: Path) -> list[Event]:
        """The events of one file, which is read again only when it has grown."""
        try:
            # Network file systems ask anew for what is opened, and not for what is looked at.
            with open_regular(path) as file:
                size = os.fstat(file.fileno()).st_size
                known, events = self._seen.get(path.name, (-1, []))
                if size == known:
                    return events
                text = file.read(_MOST_BYTES).decode(errors="replace")
        except OSError:  # it comes later, or the file system is away
            return []
        whole = text[: text.rfind("\n") + 1]
        events = [event for line in whole.splitlines() if (event := _event(line, path.name))]
        self._seen[path.name] = (len(whole.encode()), events)
        return events

    def first(self, what: str) -> Event | None:
        """The first thing it said of a kind; None if it has not."""
        return next(iter(self.events(what)), None)

    @property
    def start(self) -> float | None:
        """When its script began [s]."""
        event = self.first("start")
        return event.time if event else None

    @property
    def end(self) -> float | None:
        """When all its scripts had come to their ends; None if one has not [s]."""
        ends = self.events("end")
        return ends[-1].time if ends and len(ends) >= len(self.events("start")) else None

    @property
    def own(self) -> Own | None:
        """How its scripts say that they ended; None if one of them does not."""
        if self.end is None or self.events("asked"):
            return "interrupted" if self.events("asked") else None
        return "ok" if all(one.words[:1] == ("0",) for one in self.events("end")) else "failed"

    def became(self, told: Told | None) -> JobState:
        """What became of it, as it says itself, else as the batch system does.

        Args:
            told: what that said last; None if that is nothing.
        """
        return classify_outcome(self.own, "rejected" if self.refused else told)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that it was given, in order; where it ran if it could not tell."""
        told = [host for event in self.events("hosts") for host in event.words]
        told = told or [event.words[0] for event in self.events("start") if event.words]
        return tuple(dict.fromkeys(told))

    @property
    def label(self) -> str:
        """How evidence calls it."""
        return f"job {self.number}" if self.number else f"job {self.name}"


def _event(line: str, file: str) -> Event | None:
    words = line.split()
    try:
        time = float(words[0])
    except (ValueError, IndexError):
        return None
    if len(words) < 2 or not 0.0 <= time < _LATEST:  # noqa: PLR2004 (when and what)
        return None
    return Event(time, words[1], tuple(words[2:]), file)
