"""Damaged status files: every requested step is accounted for."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heorot.jobs.status import read_status
from heorot.model.run.collected import Collected
from tests.unit.collect.conftest import Remains, make_step
from tests.unit.damage import damaged_bytes, damaged_json_lines, damaged_lines

_RECORDED = Path(__file__).parents[2] / "samples/runs/peak_0.1.0/jobs/J0001/status.jsonl"
STEPS = tuple(make_step(number) for number in range(1, 5))


def _whole() -> bytes:
    """What the script of a job with all steps writes: the recorded events, step by step."""
    job, start, ended, end = _RECORDED.read_bytes().splitlines(keepends=True)
    middle = [line.replace(b"S0001", step.id.encode()) for step in STEPS for line in (start, ended)]
    return b"".join([job, *middle, end])


WHOLE = _whole()


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Remains, Remains]:
    """Two jobs whose steps all have a complete record; the collected values stay the same."""
    folder = tmp_path_factory.mktemp("jobs")
    first, second = Remains(folder, "J0001"), Remains(folder, "J0002")
    for remains in (first, second):
        for step in STEPS:
            remains.record(step.id, "stream")
    return first, second


def _collect(jobs: tuple[Remains, Remains], content: bytes, second: bytes = b"") -> Collected:
    """Collect the jobs with these status files."""
    for remains, text in zip(jobs, (content, second), strict=True):
        (remains.directory / "status.jsonl").write_bytes(text)
    return jobs[0].collect(*STEPS)


def _assert_accounted_for(collected: Collected) -> None:
    """Each step has one outcome; an unbalanced account names the wrong ends."""
    account = collected.account
    assert [outcome.step for outcome in collected.outcomes] == [step.id for step in STEPS]
    assert account.submitted == account.ended == len(STEPS)
    assert account.balanced == (not account.repeated and not account.unknown)
    assert not {step.id for step in STEPS} & set(account.unknown)
    for outcome in collected.outcomes:
        assert (outcome.reason == "") == (outcome.state == "completed")
        assert len(outcome.reason.splitlines()) <= 1


def test_the_undamaged_one_has_all_steps_completed(jobs: tuple[Remains, Remains]) -> None:
    collected = _collect(jobs, WHOLE)
    assert [outcome.state for outcome in collected.outcomes] == ["completed"] * len(STEPS)
    assert collected.account.balanced


@given(damaged_bytes(WHOLE))
def test_wrong_bytes_lose_no_step(jobs: tuple[Remains, Remains], content: bytes) -> None:
    _assert_accounted_for(_collect(jobs, content))


@given(damaged_json_lines(WHOLE))
def test_wrong_values_lose_no_step(jobs: tuple[Remains, Remains], content: bytes) -> None:
    _assert_accounted_for(_collect(jobs, content))


@pytest.mark.slow
@given(damaged_lines(WHOLE), damaged_lines(WHOLE) | st.just(b""))
def test_lost_and_doubled_lines_are_seen(
    jobs: tuple[Remains, Remains], content: bytes, second: bytes
) -> None:
    collected = _collect(jobs, content, second)
    _assert_accounted_for(collected)
    text = content + b"\n" + second
    for step, outcome in zip(STEPS, collected.outcomes, strict=True):
        n_ends = sum(_is_end(line, step.id) for line in text.split(b"\n"))
        assert outcome.state == ("completed" if n_ends else "lost")
        assert (step.id in collected.account.repeated) == (n_ends > 1)


def _is_end(line: bytes, step: str) -> bool:
    try:
        event = json.loads(line)
    except ValueError:
        return False
    return isinstance(event, dict) and (event.get("event"), event.get("step")) == ("exit", step)


@pytest.mark.slow
@given(
    st.lists(
        st.fixed_dictionaries(
            {"event": st.sampled_from(["job", "start", "exit", "interrupted", "end"])},
            optional={
                "step": st.sampled_from(["S0001", "S0002", "S0009", ""]),
                "time": st.floats() | st.integers(),
                "started": st.floats(),
                "code": st.integers(),
                "timed_out": st.booleans(),
            },
        ),
        max_size=12,
    )
)
@example([{"event": "exit", "step": "S0001", "time": 1.0}])
@example([{"event": "exit", "step": "S0001", "time": 1.0, "timed_out": False, "started": 1.0}])
def test_an_end_without_its_facts_is_none(
    jobs: tuple[Remains, Remains], events: list[dict[str, object]]
) -> None:
    collected = _collect(jobs, "".join(json.dumps(event) + "\n" for event in events).encode())
    _assert_accounted_for(collected)
    facts = {"step", "time", "started", "code", "timed_out"}
    reported = {
        event["step"] for event in events if event["event"] == "exit" and event.keys() >= facts
    }
    ended = {outcome.step for outcome in collected.outcomes if outcome.exit is not None}
    assert ended | set(collected.account.unknown) <= reported


@given(st.binary(max_size=200), st.binary(max_size=200))
@example(b"[" * 100_000, b"")
@example(b'{"event":"end","time":' + b"9" * 5000 + b"}", b"")
@example(b'{"event":"end","time":1e400}', b"")
@example(b"", b"heorot: a\rb\n")
@example(b"", "heorot: a\u2028b\n".encode())
def test_any_bytes_are_a_status(status: bytes, said: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "status.jsonl").write_bytes(status)
        (Path(folder) / "stderr").write_bytes(b"heorot: " + said)
        read = read_status(Path(folder))
    assert len(read.complaint.splitlines()) <= 1
