"""Acts out the scripts of probe jobs by a clock: writes what a shell would, without a shell.

It knows the words used by features; `test_actors.py` runs the same bodies in bash.
"""

from __future__ import annotations

import itertools
import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

_POLL_SECONDS = 0.5
_BEAT_SECONDS = 0.5
_SHELL_SECONDS = 0.03
_KILLED = 137
_pids = itertools.count(5001)


class Clock(Protocol):
    """The clock of the actors."""

    def time(self) -> float: ...

    def after(self, seconds: float, act: Callable[[], object]) -> None: ...


@dataclass
class Node:
    """Leftovers of jobs on a node.

    Attributes:
        files: paths.
        left: processes in sessions of their own, by their ids.
    """

    files: set[str] = field(default_factory=set)
    left: dict[int, Play] = field(default_factory=dict)


class Play:
    """An activity that continues by itself until it ends or is killed.

    Args:
        clock: of the activity.
        steps: yields the time to the next step [s].
        over: called at its end, but not when it was killed.
    """

    def __init__(
        self, clock: Clock, steps: Iterator[float], over: Callable[[], object] = lambda: None
    ) -> None:
        self._clock, self._steps, self._over = clock, steps, over
        self.alive = True

    def go_on(self) -> None:
        """Take the next step."""
        if not self.alive:
            return
        try:
            self._clock.after(next(self._steps), self.go_on)
        except StopIteration:
            self.alive = False
            self._over()

    def kill(self) -> None:
        """Stop without an end."""
        self.alive = False


class Actor:
    """The script of a job on a node.

    Args:
        clock: of the script.
        script: of a probe, or of another user, who records nothing.
        node: of the script.
        setting: variables of its shell; HOST and HOSTS are its node and all of them.
        over: called with its exit code at its end.
    """

    def __init__(
        self,
        clock: Clock,
        script: Path,
        node: Node,
        setting: dict[str, str],
        over: Callable[[int], object],
    ) -> None:
        self._clock, self._node, self._setting, self._over = clock, node, setting, over
        text = script.read_text()
        self._folder = script.parent
        self._is_probe = "\nevents=" in text
        self._body = text.partition("\nrecord hosts ")[2].partition("\n")[2] or text
        self._pid = next(_pids)
        self._output = script.with_suffix(".out")
        self._children: list[Play] = []
        self._disowned: list[Play] = []
        self._code, self._records_end = 0, True
        self._main = Play(clock, self._act(), self._end)

    def begin(self) -> None:
        """Run the script."""
        self._main.go_on()

    def kill(self, *, clean: bool) -> None:
        """End it without a record.

        Args:
            clean: whether its children end, too.
        """
        self._main.kill()
        for child in (*self._children, *self._disowned) if clean else ():
            child.kill()

    def _record(self, *words: str, of: str = "") -> None:
        self._line("said", of, what=words[0], words=words[1:])

    def _line(self, event: str, of: str = "", **more: object) -> None:
        if self._is_probe:
            folder = self._folder / "events" / (of or f"{self._setting['HOST']}.{self._pid}")
            folder.mkdir(exist_ok=True)
            with (folder / "status.jsonl").open("a") as text:
                text.write(json.dumps({"event": event, "time": self._clock.time(), **more}) + "\n")

    def _act(self) -> Iterator[float]:
        host, number = self._setting["HOST"], self._setting.get("SLURM_JOB_ID", "")
        self._line("job", host=host)
        self._record("task", number, self._setting.get("SLURM_ARRAY_TASK_ID", ""))
        self._record("hosts", *self._setting["HOSTS"].split(","))
        yield _SHELL_SECONDS
        yield from self._whole() or self._statements()

    def _end(self) -> None:
        for child in self._children:
            child.kill()
        if self._records_end:
            self._line("end", exit_code=self._code)
        self._over(self._code)

    # --- words --------------------------------------------------------------------------------

    def _statements(self) -> Iterator[float]:
        for statement in re.split(r"[;\n]", self._body):
            for word, background in self._parts(statement):
                if background:
                    self._children.append(Play(self._clock, self._word(word)))
                    self._children[-1].go_on()
                    continue
                yield from self._word(word)
                if word.startswith(("exit", "kill -KILL $$")):
                    return

    @staticmethod
    def _parts(statement: str) -> Iterator[tuple[str, bool]]:
        *background, last = re.split(r"(?<!&)&(?!&)", re.sub(r"\d?>\S+", "", statement))
        for word in background:
            yield word.strip(), True
        if last.strip() and not last.strip().startswith("#"):
            yield last.strip(), False

    def _word(self, text: str) -> Iterator[float]:
        name, _, rest = text.partition(" ")
        if name == "until_released":
            while not (self._folder / "go").exists():
                yield _POLL_SECONDS
        elif name in {"pause", "sleep"}:
            yield float(rest)
        elif name == "beat":
            while True:
                self._record(rest)
                yield _BEAT_SECONDS
        else:
            self._at_once(name, rest)

    def _at_once(self, name: str, rest: str) -> None:
        """A command without duration."""
        if name == "record":
            self._record(*self._expand(rest))
        elif name == "disown":
            self._disowned.append(self._children.pop())
        elif name == "exit":
            self._code = int(rest)
        elif name == "kill":
            self._kill(rest)
        elif name == "trap":
            self._records_end = self._records_end and rest != "- EXIT"
        else:
            assert name == "true", name

    def _expand(self, text: str) -> list[str]:
        def known(found: re.Match[str]) -> str:
            return self._setting.get(found[1], "")

        if "Cpus_allowed_list" in text:
            return ["cpus", self._setting["CPUS"]]
        if found := re.search(r"\$\{(\w+):-\}.*od -An", text):
            return [text.partition(" ")[0], known(found).encode().hex()]
        return shlex.split(re.sub(r"\$(\w+)", known, text))

    def _kill(self, text: str) -> None:
        if text == "-KILL $$":
            self._code = _KILLED
        elif found := re.match(r"-KILL (\d+)\s*&& record killed (\d+)", text):
            child = self._node.left.get(int(found[1]))
            if child is not None and child.alive:
                child.kill()
                self._record("killed", found[2])

    # --- bodies that are one thing ------------------------------------------------------------

    def _whole(self) -> Iterator[float] | None:
        """The activity of a body without known words; None for other bodies."""
        for mark, act in (
            ("setsid", self._leave),
            ("record found", self._look),
            ("record has", self._have),
            ("of the output", self._print),
            ("for part in", self._report_parts),
        ):
            if mark in self._body:
                return act()
        return None

    def _find(self, pattern: str) -> str:
        found = re.search(pattern, self._body)
        assert found, self._body
        return found[1]

    def _leave(self) -> Iterator[float]:
        name = self._find(r">\$place/(heorot-check-\S+)")
        for place in self._find(r"for place in (.*);").split():
            self._node.files.add(f"{place}/{name}")
            self._record("left", place)
        pid = next(_pids)
        turns = int(self._find(r"i < (\d+); i\+\+\)\); do\n"))
        child = Play(self._clock, self._live(turns, pid))
        self._disowned.append(child)
        self._node.left[pid] = child
        child.go_on()
        yield _POLL_SECONDS

    def _live(self, turns: int, pid: int) -> Iterator[float]:
        for _ in range(turns):
            self._record("alive", str(pid), of="left")
            yield 1.0

    def _look(self) -> Iterator[float]:
        name = self._find(r"\$place/(heorot-check-\S+)")
        for place in self._find(r"for place in (.*);").split():
            if f"{place}/{name}" in self._node.files:
                self._record("found", place)
                self._node.files.remove(f"{place}/{name}")
        pid = self._find(r"/proc/(\w+)/cmdline")
        if pid.isdigit() and int(pid) in self._node.left and self._node.left[int(pid)].alive:
            self._record("found", "process")
        yield float(self._find(r"pause (\S+)"))

    def _have(self) -> Iterator[float]:
        self._record("has", self._find(r"head -c (\d+)"))
        for _ in range(int(self._find(r"i < (\d+)"))):
            self._record("beat")
            yield _BEAT_SECONDS
        self._record("kept")

    def _print(self) -> Iterator[float]:
        last = int(self._find(r"i <= (\d+)"))
        if "SILENT" not in self._setting:
            lines = [f"line {number} of the output\n" for number in range(1, last + 1)]
            self._output.write_text("".join(lines) + "last\n")
        yield 0.0

    def _report_parts(self) -> Iterator[float]:
        for part in (0, 1):
            names = self._setting.get(f"SLURM_JOB_NODELIST_HET_GROUP_{part}")
            if names:
                cpus = self._setting[f"SLURM_JOB_CPUS_PER_NODE_HET_GROUP_{part}"]
                self._record("part", str(part), cpus, *names.split(","))
        yield float(self._find(r"pause (\S+)"))
