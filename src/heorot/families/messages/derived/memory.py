"""What the MPI library keeps of a rank's memory once it has joined a job."""

from __future__ import annotations

from heorot.analyse.rows import derive
from heorot.families.messages.among_all.startup import LIBRARY_MEMORY, STARTUP
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Setup

_NOTE = "library_bytes_per_rank_largest"


def explain(context: Context) -> list[Result]:
    """The memory of a rank that its MPI library takes, the most of any rank and launch."""
    steps = {step.id: step for step in context.steps if step.benchmark == STARTUP.name}
    noted: dict[Setup, list[float]] = {}
    for outcome in context.outcomes:
        step = steps.get(outcome.step)
        for note in outcome.notes if step is not None else ():
            if step is not None and note.name == _NOTE and not isinstance(note.value, str):
                noted.setdefault(step.setup, []).append(float(note.value))
    derived = []
    for row in context.rows.find(STARTUP.name, "init", "time"):
        found = noted.get(row.setup)
        if found:
            values = (max(found), min(found), max(found))
            derived.append(derive([row], LIBRARY_MEMORY, "B", "lower", values, point=row.point))
    return derived
