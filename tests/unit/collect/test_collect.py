"""The final state of a step follows from its files, and no file raises an exception."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from heorot.collect.collect import collect
from heorot.collect.records import read_record
from heorot.model.run.plan import Step
from heorot.model.run.program_record import ProgramRecord
from heorot.model.run.records import PAIRED
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.collect.conftest import Remains


def test_a_completed_step_gives_its_samples(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    remains.record("S0001", "stream")
    collected = remains.collect(step)
    (outcome,) = collected.outcomes
    assert (outcome.state, outcome.reason) == ("completed", "")
    assert outcome.exit is not None
    assert outcome.exit.ended - outcome.exit.started == 10.0
    assert outcome.run is not None
    assert outcome.end is not None
    assert len(outcome.checks) == outcome.end.checks
    copy = collected.series[1]
    assert (copy.step, copy.region, copy.launch, copy.cores) == ("S0001", "copy", 2, 2)
    assert copy.options == {"max-bytes": 4194304}
    assert copy.seconds.dtype == np.float64
    assert np.all(copy.seconds > 0)
    assert {series.verified for series in collected.series} == {"passed"}
    assert collected.account.balanced


def test_a_series_says_whose_samples_they_are(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    path = remains.record("S0001", "stream")
    # Two nodes and a second attempt; whole numbers for seconds.
    placed = but(step, nodes=2, per_node=1, attempt=2)
    text = path.read_text().replace('"seconds":[0.000129803,', '"seconds":[1,')
    path.write_text(text)
    collected = remains.collect(placed)
    copy = collected.series[1]
    region = next(region for region in read_record(path).regions if region.name == "copy")
    of_step = ("benchmark", "case", "launch", "attempt", "toolchain", "nodes", "ranks", "threads")
    of_region = (
        *("point", "counts", "repetitions", "synchronisation", "stopped"),
        *("elapsed_seconds", "second_clock", "disturbance"),
    )
    for field in (*of_step, "per_node"):
        assert getattr(copy, field) == getattr(placed, field), field
    for field in of_region:
        assert getattr(copy, field) == getattr(region, field), field
    assert copy.seconds.tolist() == list(region.seconds)
    assert collected.outcomes[0].notes == read_record(path).notes


def test_phases_come_with_the_samples(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    path = remains.record("S0001", "stream")
    values = '"communication_seconds":[0,0],"messages":[0,0],"bytes":[0,0],"collectives":[0,0]'
    phases = f'"phases":[{{"name":"rest","computation_seconds":[2,1],{values}}}]'
    head = '{"type":"region","name":"copy",'
    path.write_text(path.read_text().replace(head, f"{head}{phases},"))
    found = {series.region: series.phases for series in remains.collect(step).series}
    assert [phase.computation_seconds for phase in found["copy"]] == [(2.0, 1.0)]
    assert found["triad"] == ()


def test_a_sweep_keeps_its_points(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    remains.record("S0001", "pingpong")
    collected = remains.collect(but(step, benchmark="messages/pingpong"))
    assert collected.outcomes[0].state == "completed", collected.outcomes[0].reason
    points = [(series.region, *series.point.items()) for series in collected.series]
    assert len(set(points)) == len(points) > 5


def test_a_failed_verification_marks_only_the_region_concerned(
    remains: Remains, step: Step
) -> None:
    remains.ended("S0001", code=1)
    remains.record("S0001", "corrupted")
    collected = remains.collect(step)
    (outcome,) = collected.outcomes
    assert outcome.state == "failed"
    assert outcome.reason.startswith("verification failed: largest relative deviation 0.001 > 0")
    assert outcome.reason.endswith("(copy)")
    verdicts = {series.region: series.verified for series in collected.series}
    assert verdicts.pop("copy") == "failed"
    assert set(verdicts.values()) == {"passed"}


def test_a_failed_check_of_the_whole_program_marks_every_region(
    remains: Remains, step: Step
) -> None:
    remains.ended("S0001", code=1)
    path = remains.record("S0001", "corrupted")
    path.write_text(path.read_text().replace('"region":"copy","point":{}', '"region":null'))
    verdicts = {series.verified for series in remains.collect(step).series}
    assert verdicts == {"failed"}


def test_several_failed_checks_are_counted(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=1)
    path = remains.record("S0001", "corrupted")
    lines = path.read_text().splitlines()
    bad = next(line for line in lines if '"passed":false' in line and '"check"' in line)
    whole = bad.replace('"region":"copy","point":{}', '"region":null')
    for n_bad, first in ((2, bad), (3, whole)):
        end = lines[-1].replace('"checks":7', f'"checks":{7 + n_bad - 1}')
        end = end.replace('"failed":1', f'"failed":{n_bad}')
        body = [first if line == bad else line for line in lines[:-1]]
        others = [first.replace('"name":"', f'"name":"{n}th ', 1) for n in range(1, n_bad)]
        path.write_text("\n".join([*body, *others, end]) + "\n")
        reason = remains.collect(step).outcomes[0].reason
        where = " (copy)" if first == bad else ""
        assert reason.endswith(f"> 0{where} and {n_bad - 1} more"), reason


def test_the_exit_code_of_a_refusal_is_enough(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=3)
    outcome = remains.collect(step).outcomes[0]
    assert (outcome.state, outcome.reason) == ("refused", "the program gave no reason")


def test_a_region_without_any_check_is_unchecked(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    path = remains.record("S0001", "stream")
    lines = [line for line in path.read_text().splitlines() if '"type":"check"' not in line]
    n_checks = path.read_text().count('"type":"check"')
    lines[-1] = lines[-1].replace(f'"checks":{n_checks}', '"checks":0')
    path.write_text("\n".join(lines) + "\n")
    collected = remains.collect(step)
    assert collected.outcomes[0].state == "completed"
    assert {series.verified for series in collected.series} == {"unchecked"}


def test_a_check_that_says_passed_but_is_not_is_not_believed(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    path = remains.record("S0001", "corrupted")
    text = path.read_text().replace('"passed":false', '"passed":true')
    path.write_text(text.replace('"failed":1', '"failed":0'))
    assert remains.collect(step).outcomes[0].state == "failed"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (0, "ended without an end line (exit code 0)"),
        (9, "ended without an end line (exit code 9)"),
        (128, "ended without an end line (exit code 128)"),
        (139, "ended without an end line (exit code 139, killed by signal SIGSEGV)"),
        (134, "ended without an end line (exit code 134, killed by signal SIGABRT)"),
        (255, "ended without an end line (exit code 255)"),
    ],
)
def test_a_record_without_an_end_is_a_failure(
    remains: Remains, step: Step, code: int, reason: str
) -> None:
    remains.ended("S0001", code=code)
    path = remains.record("S0001", "stream")
    path.write_bytes(path.read_bytes()[:-10])
    remains.output("S0001", b"before the end\n")
    collected = remains.collect(step)
    assert collected.outcomes[0].state == "failed"
    assert collected.outcomes[0].reason == reason
    assert collected.outcomes[0].last_output == "before the end"
    assert collected.series == ()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (0, "wrote no record (exit code 0)"),
        (126, "wrote no record (exit code 126, the command cannot be executed)"),
        (127, "wrote no record (exit code 127, the command was not found)"),
    ],
)
def test_a_silent_program_is_a_failure(
    remains: Remains, step: Step, code: int, reason: str
) -> None:
    remains.ended("S0001", code=code)
    assert remains.collect(step).outcomes[0].reason == reason


def test_garbage_in_the_record_is_a_failure(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    path = remains.record("S0001", "stream")
    path.write_bytes(b"\x00\xffgarbage\n" + path.read_bytes())
    collected = remains.collect(step)
    assert collected.outcomes[0].state == "failed"
    assert collected.outcomes[0].reason.startswith("line 1 of the record is not valid: ")
    assert collected.series == ()


def test_a_timeout(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=124, timed_out=True)
    path = remains.record("S0001", "stream")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    collected = remains.collect(step)
    assert collected.outcomes[0].state == "timed_out"
    assert collected.outcomes[0].reason == "killed after 10.0 s without an end"
    assert collected.series == ()


def test_what_hangs_after_its_end_has_measured(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=124, timed_out=True)
    remains.record("S0001", "stream")
    collected = remains.collect(step)
    assert collected.outcomes[0].state == "timed_out"
    assert "while exiting" in collected.outcomes[0].reason
    assert {series.verified for series in collected.series} == {"passed"}


def test_the_command_that_hung_is_named(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=124, timed_out=True)
    record = ProgramRecord(at="solve")
    (outcome,) = collect([step], remains.jobs, lambda *_: record).outcomes
    assert outcome.reason == "killed after 10.0 s in `solve`, without an end"


def test_a_good_record_with_a_bad_exit_code_is_a_failure(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=17)
    remains.record("S0001", "stream")
    (outcome,) = remains.collect(step).outcomes
    assert outcome.state == "failed"
    assert outcome.reason == "its record is complete, but it failed (exit code 17)"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"benchmark": "npb/ep"}, "the record is of memory/stream, not of npb/ep"),
        ({"ranks": 4}, "ran with 2 ranks instead of 4"),
        ({"threads": 2}, "ran with 1 threads per rank instead of 2"),
    ],
)
def test_a_record_of_another_step_is_a_failure(
    remains: Remains, step: Step, changes: dict[str, object], reason: str
) -> None:
    remains.ended("S0001")
    remains.record("S0001", "stream")
    collected = remains.collect(but(step, **changes))
    assert (collected.outcomes[0].state, collected.outcomes[0].reason) == ("failed", reason)
    assert collected.series == ()


def test_a_case_of_a_kind_of_core_says_so(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    remains.record("S0001", "stream")
    kind = step.model_copy(update={"kind": "E-core"})
    for one, has in ((step, None), (kind, "E-core")):
        assert {series.point.get("core_kind") for series in remains.collect(one).series} == {has}


def test_a_case_of_each_node_is_placed_where_its_ranks_were(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    path = remains.record("S0001", "stream")
    alone = step.model_copy(update={"each_node": True})
    assert {one.point["node"] for one in remains.collect(alone).series} == {"vm"}
    text = path.read_text().replace('"host":"vm"', '"host":"n2"', 1)
    path.write_text(text.replace('"host":"vm"', '"host":"n1"', 1))
    pair = but(alone, nodes=2, per_node=1)
    points = [one.point for one in remains.collect(pair).series]
    assert {point["pair"] for point in points} == {f"n1{PAIRED}n2"}
    assert not any("node" in point for point in points)
    assert not any("pair" in one.point for one in remains.collect(step).series)


def forget_placement(path: Path) -> None:
    """Remove the places of ranks from a record."""
    first, *rest = path.read_text().splitlines()
    run = {**json.loads(first), "placement": []}
    path.write_text("\n".join([json.dumps(run), *rest]) + "\n")


def test_what_does_not_say_where_it_was_is_placed_by_its_job(remains: Remains, step: Step) -> None:
    remains.event("start", step="S0001", hosts=["n7"])
    remains.event("exit", step="S0001", code=0, timed_out=False, started=1000.0)
    forget_placement(remains.record("S0001", "stream"))
    alone = step.model_copy(update={"each_node": True})
    assert {one.point["node"] for one in remains.collect(alone).series} == {"n7"}


def test_what_nobody_has_placed_is_somewhere(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    forget_placement(remains.record("S0001", "stream"))
    alone = step.model_copy(update={"each_node": True})
    assert {one.point["node"] for one in remains.collect(alone).series} == {"unknown"}
