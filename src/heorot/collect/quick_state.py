"""Quick state of an ended step: from its exit code and the last line of its record.

Used while a run is followed: reading whole records would take processors from the measurement.
"""

from __future__ import annotations

from pathlib import Path

from heorot.collect.records import read_last_line
from heorot.model.run.outcome import CANNOT_RUN, Exit, State
from heorot.model.run.records import EndLine, RefusedLine


def quick_state(exit_: Exit, job: Path) -> State:
    """The state of an ended step.

    An exit code of 0 is not enough: some launchers return it after the death of a node.

    Args:
        exit_: its exit event in the job's status file.
        job: directory of its job.
    """
    if exit_.timed_out:
        return "timed_out"
    last = read_last_line(job / "records" / f"{exit_.step}.jsonl")
    if isinstance(last, EndLine):
        return "completed" if last.passed and exit_.code == 0 else "failed"
    refused = isinstance(last, RefusedLine) or exit_.code == CANNOT_RUN
    return "refused" if refused else "failed"
