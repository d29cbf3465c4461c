"""What somebody does to jobs of a day by hand, as far as it can be seen.

A hold that ends before the queue is asked again is not seen; a change of priority never is.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from heorot.files import read_regular
from heorot.jobs.ending import JobEnd
from heorot.jobs.facts import BY_US, BatchFacts
from heorot.writing import append

# JobHeldUser and JobHeldAdmin of Slurm; others say it in their own sentences.
_HELD = re.compile(r"\bheld\b|JobHeld", re.IGNORECASE)
_FILE = "interventions"


def is_held(facts: BatchFacts) -> bool:
    """Whether somebody holds a job that waits."""
    return facts.waits and bool(_HELD.search(facts.reason))


def note(place: Path, what: str) -> None:
    """Keep that something was done to a job; on a full disk it is forgotten.

    Args:
        place: directory of the job.
        what: was done, one word.
    """
    with suppress(OSError):
        append(place / _FILE, f"{what}\n")


def interventions_of(end: JobEnd) -> tuple[str, ...]:
    """What was done to a job by hand, in the order in which it was seen."""
    try:
        seen = read_regular(end.status.directory / _FILE, 1 << 16).decode(errors="replace").split()
    except OSError:
        seen = []
    seen += ["resubmitted"] * (len(end.status.hosts) - 1)
    told = end.facts.state if end.facts and end.facts.raw != BY_US else None
    return (*seen, *(("cancelled",) if told == end.state == "cancelled" else ()))
