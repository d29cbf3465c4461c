"""The memory of the MPI library, by the notes of launches."""

from __future__ import annotations

from heorot.families.messages.among_all.startup import STARTUP
from heorot.families.messages.derived.among_all import library_memory
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine
from tests.unit.analyse.builders import a_context, a_result, a_step

_NOTE = "library_bytes_per_rank_largest"


def test_memory_is_the_most_of_all_launches_of_a_case() -> None:
    outcomes, steps = [], []
    for number, (case, value) in enumerate([("two", 5e6), ("two", 7e6), ("four", 9e6)]):
        step = a_step(id=f"S{number:04}", benchmark=STARTUP.name, case=case)
        note = NoteLine(type="note", name=_NOTE, value=value)
        other = NoteLine(type="note", name="connect_bytes_per_rank_largest", value=1e9)
        steps.append(step)
        outcomes.append(Outcome(step=step.id, state="completed", notes=(note, other)))
    rows = [
        a_result(
            benchmark=STARTUP.name, region="init", metric="time", case=case, toolchain="gnu-12"
        )
        for case in ("two", "none")
    ]
    (found,) = library_memory(a_context(rows, steps=steps, outcomes=outcomes))
    assert (found.case, found.metric, found.unit) == ("two", "library_memory", "B")
    assert (found.median, found.ci_low) == (7e6, 5e6)
    assert found.derived
