"""How a step ended: a failure is data, not an exception."""

from __future__ import annotations

from typing import Literal

from heorot.model.base import Count, Moment, Record, Whole
from heorot.model.run.records import CheckLine, EndLine, NoteLine, RunLine

State = Literal["completed", "failed", "timed_out", "lost", "refused"]

# Exit codes of a program, as native/harness/program.hpp has them.
WRONG_USAGE = 2
CANNOT_RUN = 3


class Exit(Record):
    """What the job script wrote of a step.

    Attributes:
        started: Unix time [s].
        ended: Unix time [s].
        code: exit code of the launcher; 124 or 137 after a timeout.
        timed_out: whether the step was killed for taking too long.
        clock_set: by how much the clock of the script's host was set while it ran; both times are
            by the clock of its end [s].
    """

    step: str
    started: Moment
    ended: Moment
    code: Whole
    timed_out: bool
    clock_set: Whole = 0


class Left(Record):
    """Processes that were still there when their step had ended; the job script ended them.

    Attributes:
        steps: ids of the steps one of which left them: several where they ran at the same time.
        names: of their programs, each once; not of all if there are many.
    """

    steps: tuple[str, ...]
    n: Count
    names: tuple[str, ...] = ()


class Outcome(Record):
    """How one step ended.

    Attributes:
        state: `lost` means it never reported its end, `refused` that the program found that it
            cannot run here.
        reason: one line, empty if completed.
        exit: what the job script wrote, None if lost or never started.
        last_output: the end of what the program printed.
        run: the record's first line.
        left: processes that it left behind.
    """

    step: str
    state: State
    reason: str = ""
    exit: Exit | None = None
    last_output: str = ""
    run: RunLine | None = None
    end: EndLine | None = None
    checks: tuple[CheckLine, ...] = ()
    notes: tuple[NoteLine, ...] = ()
    left: tuple[Left, ...] = ()

    @property
    def troubled(self) -> bool:
        """Whether it did not end as it should; a refusal is no trouble."""
        return self.state not in {"completed", "refused"}
