"""Outcome of a job: evaluation, throughput and acceptance agree, whatever files are left.

A script may be killed after any byte and started again; the latest report of its batch system may
be missing, truncated, or as old as the process that stored it. No source is certain to exist, and
the script's own record takes precedence.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heorot.acceptance.session.probe import ProbeJob
from heorot.collect.collect import collect
from heorot.jobs.events import Own
from heorot.jobs.facts import BatchState
from heorot.jobs.outcome import classify_outcome, read_end
from heorot.jobs.status import read_status
from heorot.jobs.tail import StatusTail
from heorot.model.batch.jobs import JobAccount
from heorot.model.batch.states import JobState
from heorot.throughput.model.throughput import ThroughputJob
from heorot.throughput.session.job_outcomes import classify_job
from heorot.throughput.session.work import Work, work_of
from tests.unit.collect.conftest import make_step
from tests.unit.damage import damaged_bytes, damaged_json
from tests.unit.throughput.session.conftest import kind_of_words, make_arrival

STEPS = ("P1", "P2")
REPORTED: tuple[BatchState, ...] = (
    *("submitted", "pending", "running", "ok", "failed", "timeout", "node_fail", "cancelled"),
    *("rejected", "vanished"),
)
GAVE_UP = b"# opening\nheorot: job J0001 stopped: no space left\n"


def _line(event: str, time: float, **more: object) -> bytes:
    return json.dumps({"event": event, "time": time, **more}).encode() + b"\n"


@st.composite
def lives(draw: st.DrawFn) -> bytes:
    """Output of a script over all its runs; each was killed, terminated, or reached its end."""
    lines: list[bytes] = []
    left = list(STEPS)
    for start in range(draw(st.integers(1, 3))):
        time = 100.0 * (start + 1)
        lines.append(_line("job", time, host="n1", hosts=["n1"]))
        for step in left[: draw(st.integers(0, len(left)))]:
            lines.append(_line("start", time + 1.0, step=step))
            if draw(st.booleans()):
                break
            ended = {"code": draw(st.sampled_from((0, 0, 3))), "timed_out": False}
            lines.append(_line("exit", time + 2.0, step=step, started=time + 1.0, **ended))
            left.remove(step)
        ways = [b"", _line("interrupted", time + 3.0)]
        ways.append(_line("interrupted", time + 3.0, cause="time_limit"))
        lines.append(draw(st.sampled_from(ways if left else [*ways, _line("end", time + 3.0)])))
    text = b"".join(lines)
    return text[: draw(st.integers(0, len(text)) | st.just(len(text)))]


def _facts(state: BatchState, **more: object) -> bytes:
    facts = {"system": "slurm", "name": "J0001-x", "id": "7", "state": state, **more}
    return json.dumps(facts).encode()


@st.composite
def kept(draw: st.DrawFn) -> bytes | None:
    """Stored report of a batch system: nothing, a truncated file, or any state."""
    begun = draw(st.sampled_from((None, 200.0, 300.0)))  # when it was last seen to begin
    raw = draw(st.sampled_from(("", "no answer", "X")))
    whole = _facts(draw(st.sampled_from(REPORTED)), raw=raw, own_start=begun)
    cut = st.integers(0, len(whole)).map(lambda end: whole[:end])
    return draw(st.none() | st.just(whole) | cut | damaged_bytes(whole) | damaged_json(whole))


complained = st.none() | st.integers(0, len(GAVE_UP)).map(lambda end: GAVE_UP[:end])


def _remains(place: Path, files: Mapping[str, bytes | None]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if content is not None:
            (place / name).write_bytes(content)


def _work(place: Path) -> Work:
    kind = kind_of_words("true", "true")
    return work_of(
        place, "one1", "one", kind, exclusive=False, cores_per_node=4, toolchains={"": "gnu"}
    )


def _answers(
    status: bytes | None, batch: bytes | None, stderr: bytes | None
) -> tuple[JobAccount, ThroughputJob]:
    """The outcome by evaluation and by throughput of a job with these files."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "jobs" / "J0001"
        _remains(place, {"status.jsonl": status, "batch.json": batch, "stderr": stderr})
        steps = [make_step(id=step) for step in STEPS]
        (account,) = collect(steps, place.parent, asked={"J0001": STEPS}).jobs
        return account, classify_job(_work(place), make_arrival(), 0.0)


def _own_word(status: bytes | None) -> Own | None:
    """The content of a status file, by the simplest reader."""
    events = []
    for line in (status or b"").split(b"\n"):
        try:
            events.append(json.loads(line))
        except ValueError:
            continue
    if {each["step"] for each in events if each["event"] == "exit"} == set(STEPS):
        return "ok"
    last = events[-1] if events else {}
    if last.get("event") != "interrupted":
        return None
    return "timeout" if last.get("cause") == "time_limit" else "interrupted"


@pytest.mark.slow
@given(st.none() | lives(), kept(), complained)
@example(None, None, None)
@example(None, _facts("pending"), GAVE_UP)
def test_evaluation_and_throughput_give_one_answer(
    status: bytes | None, batch: bytes | None, stderr: bytes | None
) -> None:
    account, job = _answers(status, batch, stderr)
    if account.fate == "ok":  # its programs may have failed, which only throughput tests report
        failed = any(part.code for part in job.parts)
        assert job.fate == ("failed" if failed else "ok")
        assert account.why == ""
    else:
        assert (job.fate, job.why) == (account.fate, account.why)
        assert len(job.why.splitlines()) == 1


@pytest.mark.slow
@given(st.none() | lives(), kept(), complained)
def test_what_a_script_wrote_is_never_overruled(
    status: bytes | None, batch: bytes | None, stderr: bytes | None
) -> None:
    state = _answers(status, batch, stderr)[0].fate
    match _own_word(status):
        case "ok":
            assert state == "ok"
        case "timeout":
            assert state == "timeout"
        case "interrupted":  # the batch system may know why
            assert state in {"cancelled", "timeout", "node_fail", "failed"}
        case _:
            assert state != "ok"


WELL = b"".join(
    [
        _line("job", 100.0, host="n1", hosts=["n1"]),
        *(_line(event, 101.0, step=step, code=0, timed_out=False, started=101.0)
          for step in STEPS for event in ("start", "exit")),
        _line("end", 102.0),
    ]
)  # fmt: skip


@pytest.mark.parametrize("state", REPORTED)
def test_a_script_that_came_to_its_end_did_well_whatever_was_kept(state: BatchState) -> None:
    account, job = _answers(WELL, _facts(state), GAVE_UP)
    assert (account.fate, job.fate, job.interventions) == ("ok", "ok", ())
    cut = WELL[: WELL.index(b'{"event": "end"')]  # it was killed before its last word
    account, job = _answers(cut, _facts(state), None)
    assert (account.fate, job.fate, job.own_end) == ("ok", "ok", 101.0)


@pytest.mark.slow
@given(lives(), st.lists(st.integers(0, 999), max_size=6), st.integers(0, 20))
def test_who_follows_a_file_reads_what_others_read_later(
    text: bytes, cuts: list[int], n_earlier: int
) -> None:
    text = text[: text.rfind(b"\n") + 1]  # an incomplete line is waited for
    since = sum(map(len, text.splitlines(keepends=True)[:n_earlier]))
    with tempfile.TemporaryDirectory() as folder:
        tail = StatusTail(Path(folder), STEPS)
        for end in (*sorted(cuts), len(text)):
            _remains(Path(folder), {"status.jsonl": text[:end]})
            tail.read(since)
        whole = read_status(Path(folder))
        _remains(Path(folder), {"status.jsonl": text[since:]})
        now = read_status(Path(folder))
    assert tail.status.events == whole.events
    assert tail.now.events == now.events
    assert (tail.began, tail.ended) == (now.last_begun, now.over)
    assert tail.done == (now.own(()) == "ok" or whole.exits.keys() == set(STEPS))


EVENTS = (
    _line("job", 100.0, host="n1"),
    _line("said", 100.1, what="hosts", words=["n1"]),
    _line("interrupted", 101.0),
)


@pytest.mark.slow
@given(st.data(), st.sampled_from((None, *REPORTED)))
def test_acceptance_gives_the_same_answer(data: st.DataObject, reported: BatchState | None) -> None:
    asked = data.draw(st.booleans())
    lines = EVENTS if asked else (*EVENTS[:2], _line("end", 102.0, exit_code=0))
    text = b"".join(lines)
    text = text[: data.draw(st.integers(0, len(text)) | st.just(len(text)))]
    said = text[: text.rfind(b"\n") + 1]
    status = b""
    if b"job" in said:
        status = _line("job", 100.0, host="n1", hosts=["n1"])
    if b"interrupted" in said:
        status += _line("interrupted", 101.0)
    elif b"end" in said:
        status = WELL
    account, job = _answers(status, _facts(reported) if reported else None, None)
    with tempfile.TemporaryDirectory() as folder:
        _remains(Path(folder) / "events/n1.7", {"status.jsonl": text})
        probe = ProbeJob("hold", "hc1-1", Path(folder), number="7")
        assert probe.became(reported) == account.fate == job.fate


def test_a_refused_or_failed_check_job_is_reported(tmp_path: Path) -> None:
    refused = ProbeJob("hold", "hc1-1", tmp_path, refused=True)
    assert refused.became(None) == "rejected"
    ended = EVENTS[0] + _line("end", 102.0, exit_code=7)
    _remains(tmp_path / "events/n1.7", {"status.jsonl": ended})
    assert ProbeJob("hold", "hc1-1", tmp_path, number="7").became("ok") == "failed"
    # Of an array, all scripts have to end.
    _remains(tmp_path / "events/n1.8", {"status.jsonl": EVENTS[0]})
    assert ProbeJob("hold", "hc1-1", tmp_path, number="7").became("running") == "unfinished"


@pytest.mark.parametrize("last", [None, *REPORTED])
@pytest.mark.parametrize("own", [None, *get_args(Own)])
def test_every_pair_of_words_has_an_answer(own: Own | None, last: BatchState | None) -> None:
    for gave_up in (False, True):
        assert classify_outcome(own, last, gave_up=gave_up) in get_args(JobState)
    if own is None:
        assert (classify_outcome(own, last) == "unfinished") == (last in {None, *REPORTED[:3]})
    if own == "interrupted":
        why = last if last in {"failed", "timeout", "node_fail", "cancelled"} else "cancelled"
        assert classify_outcome(own, last) == why


def test_a_script_that_gave_up_failed_unless_others_know_more(tmp_path: Path) -> None:
    status = _line("job", 100.0, host="n1", hosts=["n1"])
    files = {"status.jsonl": status, "stderr": GAVE_UP}
    _remains(tmp_path, files)
    end = read_end(tmp_path, STEPS)
    assert (end.state, end.why) == ("failed", "job J0001 stopped: no space left")
    _remains(tmp_path, {"batch.json": _facts("running", raw="RUNNING")})
    end = read_end(tmp_path, STEPS)
    assert end.state == "unfinished"
    assert end.why.startswith("job J0001 stopped: no space left; it was last heard of as running")
    # A process that cannot be killed is no reason to stop.
    (tmp_path / "stderr").write_bytes(
        b"heorot: job J0001: some of its processes cannot be killed\n"
    )
    (tmp_path / "batch.json").unlink()
    assert read_end(tmp_path, STEPS).state == "unfinished"


def test_what_a_batch_system_ended_is_no_fault_of_the_script(tmp_path: Path) -> None:
    begun = _line("job", 100.0, host="n1", hosts=["n1"])
    _remains(tmp_path, {"status.jsonl": begun})
    assert not read_end(tmp_path, STEPS).ended_by_system  # without one
    states: dict[BatchState, bool] = {"node_fail": True, "running": False, "rejected": False}
    for state, ended in states.items():
        _remains(tmp_path, {"batch.json": _facts(state)})
        assert read_end(tmp_path, STEPS).ended_by_system == ended
    _remains(tmp_path, {"batch.json": _facts("node_fail"), "stderr": GAVE_UP})
    assert not read_end(tmp_path, STEPS).ended_by_system


def test_what_was_said_before_a_script_was_started_again_counts_no_more(tmp_path: Path) -> None:
    begun = _line("job", 100.0, host="n1", hosts=["n1"])
    failed = _facts("node_fail", own_start=100.0)
    _remains(tmp_path, {"status.jsonl": begun, "batch.json": failed})
    assert read_end(tmp_path, STEPS).state == "node_fail"
    again = begun + _line("job", 200.0, host="n2", hosts=["n2"])
    _remains(tmp_path, {"status.jsonl": again})
    end = read_end(tmp_path, STEPS)
    assert end.state == "unfinished"
    assert end.why.startswith("it was last heard of as running; its script is silent since")
    _remains(tmp_path, {"status.jsonl": again + _line("interrupted", 201.0)})
    assert read_end(tmp_path, STEPS).why == "it was interrupted"
    _remains(tmp_path, {"batch.json": _facts("running", own_start=200.0, ending=True)})
    assert read_end(tmp_path, STEPS).why == "it was cancelled by Heorot"
