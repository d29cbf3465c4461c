"""Short commands during the load: each response is a line, none is lost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from heorot.errors import SetupError
from heorot.throughput.model.kinds import Interactive
from heorot.throughput.model.throughput import Response
from heorot.throughput.session.interactive import InteractiveUsers, ask_here
from tests.unit.turned import TurnedClock


def _read(file: Path) -> list[Response]:
    return [Response.model_validate_json(line) for line in file.read_text().splitlines()]


def test_so_many_commands_of_each_kind(tmp_path: Path) -> None:
    kinds = [
        Interactive(name="well", command=("true",), think_seconds=0.01),
        Interactive(name="ill", command=("false",), think_seconds=5.0),
    ]
    file = tmp_path / "responses.jsonl"
    with InteractiveUsers(kinds, file, ask_here, loaded=False, most=3, pause=0.02) as typists:
        typists.wait()
    answers = _read(file)
    assert sorted((one.name, one.code) for one in answers) == [("ill", 1)] * 3 + [("well", 0)] * 3
    assert all(one.seconds > 0.0 and not one.loaded for one in answers)


def test_they_type_until_the_load_has_ended(tmp_path: Path) -> None:
    asked = threading.Event()

    def ask(one: Interactive) -> int:
        asked.set()
        return len(one.name)

    file = tmp_path / "responses.jsonl"
    one = Interactive(name="one", command=("true",), think_seconds=1000.0)
    with InteractiveUsers([one], file, ask, loaded=True):
        assert asked.wait(30.0)
    (answer,) = _read(file)
    assert (answer.code, answer.loaded) == (3, True)


def test_they_are_not_waited_for_when_the_test_is_interrupted(tmp_path: Path) -> None:
    def ask(one: Interactive) -> int:
        del one
        raise KeyboardInterrupt

    one = Interactive(name="one", command=("true",))
    with (
        pytest.raises(KeyboardInterrupt),
        InteractiveUsers([one], tmp_path / "r", ask, loaded=True),
    ):
        raise KeyboardInterrupt
    assert not (tmp_path / "r").exists()


def test_one_that_gets_no_answer_is_reported_of_and_the_next_is_given(tmp_path: Path) -> None:
    clock, answers = TurnedClock(), iter((0, None, 0))

    def ask(one: Interactive) -> int:
        clock.sleep(3.0)
        if (code := next(answers)) is None:
            raise SetupError(one.name, "the batch system does not answer")
        return code

    file = tmp_path / "responses.jsonl"
    one = Interactive(name="one", command=("true",), think_seconds=60.0)
    with InteractiveUsers([one], file, ask, loaded=False, most=3, clock=clock) as typists:
        typists.wait()
    reported = _read(file)
    assert [response.code for response in reported] == [0, -1, 0]
    assert [response.seconds for response in reported] == [3.0] * 3
    assert reported[2].started - reported[1].started == pytest.approx(63.0)
