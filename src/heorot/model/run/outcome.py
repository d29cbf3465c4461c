"""How a step ended: a failure is data, not an exception."""

from __future__ import annotations

from typing import Literal

from heorot.model.base import Count, Int64, Record, UnixTime
from heorot.model.run.records import CheckLine, EndLine, NoteLine, RunLine

State = Literal["completed", "failed", "timed_out", "lost", "refused"]

# Exit codes of programs, as in native/harness/program.hpp.
WRONG_USAGE = 2
CANNOT_RUN = 3


class Exit(Record):
    """How the job script recorded the end of a step.

    Attributes:
        started: Unix time [s].
        ended: Unix time [s].
        code: exit code of the launcher; 124 or 137 after a timeout.
        timed_out: whether the step was killed for taking too long.
        clock_set: change of the host's clock while the step ran; both times are in terms of the
            clock at its end [s].
    """

    step: str
    started: UnixTime
    ended: UnixTime
    code: Int64
    timed_out: bool
    clock_set: Int64 = 0


class Left(Record):
    """Processes that remained after the end of their step; the job script ended them.

    Attributes:
        steps: ids of the steps that may have left them: several if steps ran at the same time.
        names: names of their programs, each once; only some if there are many.
    """

    steps: tuple[str, ...]
    n: Count
    names: tuple[str, ...] = ()


class Outcome(Record):
    """How one step ended.

    Attributes:
        state: `lost` means it never reported its end, `refused` that the program cannot run here.
        reason: one line, empty if completed.
        exit: the end as the job script recorded it, None if lost or never started.
        last_output: the last lines of the program's output.
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
        """Whether it failed, timed out or was lost; a refusal does not count."""
        return self.state not in {"completed", "refused"}
