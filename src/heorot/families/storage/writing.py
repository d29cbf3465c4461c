"""What a plan writes to file systems, before it does."""

from __future__ import annotations

from collections import defaultdict

from heorot.catalogue.asked import Asked
from heorot.families.storage import templates
from heorot.families.storage.latency import LATENCY
from heorot.families.storage.posix import POSIX
from heorot.model.catalogue.benchmark import Case
from heorot.model.run.plan import Plan, Step


def foresee(plan: Plan) -> list[str]:
    """The bytes that the launches of a plan write, by directory."""
    written: dict[str, float] = defaultdict(float)
    launches: dict[str, int] = defaultdict(int)
    for step in plan.steps:
        if step.benchmark in {POSIX.name, LATENCY.name}:
            where = str(step.options.get("directory", "")) or "the temporary directory"
            written[where] += _bytes(step)
            launches[where] += 1
    return [
        templates.WRITES.claim(where=where, gigabytes=total / 1e9, n=launches[where]).text
        for where, total in written.items()
    ]


def _bytes(step: Step) -> float:
    case = Case(name=step.case, options=dict(step.options), ranks=step.ranks, threads=step.threads)
    return Asked(step.benchmark, case).amount("written_bytes")
