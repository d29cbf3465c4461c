"""Notes of the own scheduler: also those that earlier versions wrote."""

from __future__ import annotations

import pytest

from heorot.throughput.session.schedulers.fcfs_scheduler import read_note
from heorot.throughput.session.schedulers.scheduler import SchedulerNote
from tests.unit.throughput.session.conftest import Make

_NOTE = SchedulerNote(queued=1.0, started=2.0, hosts=("n1",))


@pytest.mark.parametrize("name", ["scheduler.json", "desk.json"])
def test_a_note_is_read_by_its_present_and_its_former_name(make: Make, name: str) -> None:
    work = make("one1", "echo hello")
    work.place.mkdir(parents=True, exist_ok=True)
    (work.place / name).write_text(_NOTE.model_dump_json())
    assert read_note(work) == _NOTE


def test_of_two_notes_the_one_with_the_present_name_counts(make: Make) -> None:
    work = make("one1", "echo hello")
    work.place.mkdir(parents=True, exist_ok=True)
    (work.place / "desk.json").write_text(_NOTE.model_dump_json())
    later = _NOTE.model_copy(update={"ended": 3.0})
    (work.place / "scheduler.json").write_text(later.model_dump_json())
    assert read_note(work) == later
