"""How fast a machine seems: looked at, and remembered for single programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.model.machine.pace import Pace
from heorot.session.cluster import pace
from tests.unit.analyse.builders import a_machine


def test_a_single_program_takes_what_an_earlier_look_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = [Pace(scalar_speed=speed) for speed in (3.0, 2.0, 1.0)]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pace, "probe", lambda *_: looks.pop())
    here, other = a_machine(2), a_machine(4)
    assert pace.pace_of(here, anew=False).scalar_speed == 1.0
    assert pace.pace_of(here, anew=False).scalar_speed == 1.0
    assert pace.pace_of(here, anew=True).scalar_speed == 2.0
    assert pace.pace_of(here, anew=False).scalar_speed == 2.0
    assert pace.pace_of(other, anew=False).scalar_speed == 3.0


def test_a_damaged_note_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pace, "probe", lambda *_: Pace(scalar_speed=2.0))
    pace.pace_of(a_machine(2), anew=False)
    (note,) = tmp_path.glob("heorot/pace-*")
    note.write_text('{"scalar_speed": -1}')
    assert pace.pace_of(a_machine(2), anew=False) == Pace(scalar_speed=2.0)
    assert Pace.model_validate_json(note.read_text()) == Pace(scalar_speed=2.0)
