"""How a step ended, at a glance: by its exit and the last line of its record, not by its samples.

It is for whoever watches a run: reading whole records would take processors from what is measured.
"""

from __future__ import annotations

from pathlib import Path

from heorot.collect.records import read_last_line
from heorot.model.run.outcome import CANNOT_RUN, Exit, State
from heorot.model.run.records import EndLine, RefusedLine


def quick_state(exit_: Exit, job: Path) -> State:
    """How a step that has ended did.

    An exit code of 0 is not enough: some launchers end with it when a node has died.

    Args:
        exit_: what the job script wrote of its end.
        job: directory of its job.
    """
    if exit_.timed_out:
        return "timed_out"
    last = read_last_line(job / "records" / f"{exit_.step}.jsonl")
    if isinstance(last, EndLine):
        return "completed" if last.passed and exit_.code == 0 else "failed"
    refused = isinstance(last, RefusedLine) or exit_.code == CANNOT_RUN
    return "refused" if refused else "failed"
