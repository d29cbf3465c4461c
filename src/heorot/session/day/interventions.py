"""What somebody does to jobs of a day by hand, as far as it can be seen.

A hold that ends before the queue is asked again is not seen; a change of priority never is.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from heorot.collect.status import JobStatus
from heorot.files import read_regular
from heorot.model.batch.states import BatchFacts
from heorot.writing import append

# JobHeldUser and JobHeldAdmin of Slurm; others say it in their own sentences.
_HELD = re.compile(r"\bheld\b|JobHeld", re.IGNORECASE)
_FILE = "interventions"
_OURS = "by Heorot"


def is_held(facts: BatchFacts) -> bool:
    """Whether somebody holds a job that waits.

    Args:
        facts: what is known of it.
    """
    return facts.state in {"submitted", "pending"} and bool(_HELD.search(facts.reason))


def note(place: Path, what: str) -> None:
    """Keep that something was done to a job; on a full disk it is forgotten.

    Args:
        place: directory of the job.
        what: was done, one word.
    """
    with suppress(OSError):
        append(place / _FILE, f"{what}\n")


def interventions_of(place: Path, status: JobStatus, facts: BatchFacts | None) -> tuple[str, ...]:
    """What was done to a job by hand, in the order in which it was seen.

    Args:
        place: directory of the job.
        status: what its script wrote.
        facts: what its batch system said; None without one.
    """
    try:
        seen = read_regular(place / _FILE, 1 << 16).decode(errors="replace").split()
    except OSError:
        seen = []
    seen += ["resubmitted"] * (len(status.hosts) - 1)
    if facts is not None and facts.state == "cancelled" and facts.raw != _OURS:
        seen.append("cancelled")
    return tuple(seen)
