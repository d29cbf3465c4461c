"""A simulation from a workload to a timeline, with a core that stands in for the native one."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heorot import process
from heorot.errors import BuildError, SetupError, UsageError
from heorot.throughput.simulate.measured import workload_from_timeline
from heorot.throughput.simulate.run import TooSlowError, simulate
from heorot.throughput.simulate.setting import Reservation, Setting, parse_policy
from tests.unit.throughput.simulate.conftest import Made
from tests.unit.turned import TurnedClock

SETTING = Setting(parse_policy("fcfs"), 4)


def test_jobs_become_a_timeline(made: Made, core: Path) -> None:
    workload = made(
        (0, 10, 3), (1, 5, 2), (2, 5, 9), (3, -1, 1), executable=[7, -1, 7, 8],
        requested_seconds=[20, -1, 5, 5],
    )  # fmt: skip
    workload = replace(workload, names={"executable": {7: "flow"}})
    timeline = simulate(workload, SETTING, core)
    assert timeline.kind_names == ("flow", "job", "program 8")
    assert timeline.kinds.tolist() == [0, 1, 0, 2]
    assert timeline.labels == ("flow-1", "job-2", "flow-3", "program 8-4")
    assert timeline.submit.tolist() == timeline.eligible.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert timeline.start[:2].tolist() == [0.0, 10.0]
    assert timeline.end[:2].tolist() == [10.0, 15.0]
    assert np.isnan(timeline.start[2:]).all()
    assert np.isnan(timeline.end[2:]).all()
    states = [timeline.state_names[state] for state in timeline.states]
    assert states == ["ok", "ok", "rejected", "cancelled"]
    assert timeline.nodes.tolist() == timeline.cores.tolist() == [3, 2, 9, 1]
    assert timeline.limit[0] == 20.0
    assert np.isnan(timeline.limit[1])
    assert (timeline.n_nodes, timeline.cores_per_node) == (4, 1)
    assert timeline.places.tolist() == [0, 1, 2, 0, 3]
    assert timeline.offsets.tolist() == [0, 3, 5, 5, 5]


def test_jobs_that_were_left_out_have_no_places(made: Made, core: Path) -> None:
    timeline = simulate(made((0, -1, 1), (1, 5, 2), (2, 5, 1)), SETTING, core)
    assert timeline.offsets.tolist() == [0, 0, 2, 3]
    assert timeline.places.tolist() == [0, 1, 2]


def test_places_are_left_out_if_not_requested(made: Made, core: Path) -> None:
    timeline = simulate(made((0, 10, 3)), replace(SETTING, places=False), core)
    assert timeline.places.size == timeline.offsets.size == 0
    assert timeline.start.tolist() == [0.0]


def test_a_job_that_is_killed_timed_out(made: Made, core: Path) -> None:
    workload = made((0, 10, 3), requested_seconds=[4])
    timeline = simulate(workload, replace(SETTING, kill_at_limit=True), core)
    assert timeline.end.tolist() == [4.0]
    assert timeline.state_names[timeline.states[0]] == "timeout"


def test_many_jobs_have_no_labels(made: Made, core: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heorot.throughput.simulate.run.MOST_NAMED", 1)
    assert simulate(made((0, 1, 1), (0, 1, 1)), SETTING, core).labels == ()


def test_reservations_reach_the_core_in_order(made: Made, core: Path) -> None:
    late, early = Reservation(9.0, 10.0, 1), Reservation(1.0, 2.0, 2)
    timeline = simulate(made((0, 1, 1)), replace(SETTING, reservations=(late, early)), core)
    assert timeline.start.tolist() == [0.0]


def test_an_empty_workload(made: Made, core: Path) -> None:
    timeline = simulate(made(), SETTING, core)
    assert timeline.submit.size == 0
    assert timeline.kind_names == ()


def test_what_the_core_refuses_is_reported(made: Made, core: Path) -> None:
    trouble = Setting(parse_policy("priority+firstfit"), 4, allocation="contiguous")
    with pytest.raises(UsageError, match="it cannot be simulated: it went wrong") as refused:
        simulate(made((0, 1, 1)), trouble, core)
    assert refused.value.hint == "do not"


def test_a_core_that_dies_is_reported(made: Made, tmp_path: Path) -> None:
    program = tmp_path / "dies"
    program.write_text("#!/bin/sh\nkill -9 $$\n")
    program.chmod(0o755)
    with pytest.raises(UsageError, match="exit code -9"):
        simulate(made((0, 1, 1)), SETTING, program)


def test_an_outcome_that_is_cut_off_is_reported(made: Made, core: Path) -> None:
    cut = Setting(parse_policy("priority"), 4, allocation="contiguous")
    with pytest.raises(BuildError, match="the simulator left"):
        simulate(made((0, 1, 1)), cut, core)


def test_an_outcome_without_its_head_is_reported(made: Made, tmp_path: Path) -> None:
    program = tmp_path / "breaks"
    for words in ("echo no", ":"):
        program.write_text(f'#!/bin/sh\n{words} >"$2"\n')
        program.chmod(0o755)
        with pytest.raises(BuildError, match="the simulator left"):
            simulate(made((0, 1, 1)), SETTING, program)


def test_a_core_that_cannot_be_started_is_reported(
    made: Made, core: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SetupError, match=r"the simulator cannot be run: .*No such file"):
        simulate(made((0, 1, 1)), SETTING, tmp_path / "none")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "full"))
    with pytest.raises(SetupError, match="the simulator cannot be run"):
        simulate(made((0, 1, 1)), SETTING, core)


def test_time_begins_with_the_first_job_even_if_that_is_left_out(made: Made, core: Path) -> None:
    timeline = simulate(made((-100, -1, 1), (-10, 5, 1)), SETTING, core)
    assert timeline.submit.tolist() == [0.0, 90.0]


def test_progress_is_passed_on(made: Made, core: Path, tmp_path: Path) -> None:
    program = tmp_path / "slow"
    # It continues when its output was passed on; by itself, should that never be.
    words = """for n in 5 7; do
        echo ended $n of 9 >&2; i=0
        until [ -e "$0.$n" ] || [ $i = 1500 ]; do i=$((i + 1)); sleep 0.02; done
    done"""
    program.write_text(f'#!/bin/sh\n{words}\nexec {core} "$@"\n')
    program.chmod(0o755)
    reported: list[str] = []

    def tell(line: str) -> None:
        reported.append(line)
        program.with_name(f"slow.{line.split()[1]}").touch()

    assert simulate(made((0, 1, 1)), SETTING, program, tell).start.tolist() == [0.0]
    assert reported == ["ended 5 of 9", "ended 7 of 9"]


def test_one_that_takes_too_long_is_given_up(made: Made, tmp_path: Path) -> None:
    program, clock = tmp_path / "sleeps", TurnedClock()
    program.write_text("#!/bin/sh\necho ended 1 of 9 >&2\nsleep 60\n")
    program.chmod(0o755)
    with pytest.raises(TooSlowError, match="the simulation takes longer than 50 s"):
        simulate(made((0, 1, 1)), SETTING, program, lambda _: clock.sleep(51.0), 50.0, clock)


def test_an_interruption_ends_the_core(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "sleeps"
    program.write_text("#!/bin/sh\necho ended 1 of 9 >&2\nsleep 60\n")
    program.chmod(0o755)
    children: list[subprocess.Popen[bytes]] = []
    detach = process.detach

    def remember(*words: object, **named: object) -> subprocess.Popen[bytes]:
        children.append(detach(*words, **named))  # type: ignore[arg-type]
        return children[-1]

    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(process, "detach", remember)
    with pytest.raises(KeyboardInterrupt):
        simulate(made((0, 1, 1)), SETTING, program, interrupt)
    assert children[0].returncode == -9


def test_a_throughput_test_becomes_a_workload_again(made: Made, core: Path) -> None:
    workload = made((0, 10, 3), (1, 5, 2), (2, 5, 4), executable=[1, 2, 1])
    workload = replace(workload, names={"executable": {1: "flow", 2: "fire"}})
    timeline = simulate(workload, replace(SETTING, cores_per_node=2), core)
    timeline = replace(timeline, eligible=np.array([0.5, np.nan, 0.25]))
    again = workload_from_timeline(timeline, "that test")
    # By the time they became eligible; the second never did.
    assert again.jobs["number"].tolist() == [3, 1]
    assert again.jobs["submit"].tolist() == [0.25, 0.5]
    assert again.jobs["run"].tolist() == [5.0, 10.0]
    assert again.jobs["wait"].tolist() == [5.75, -1.0]
    assert again.jobs["requested_seconds"].tolist() == [-1.0, -1.0]
    assert again.jobs["executable"].tolist() == [1, 1]
    assert again.names["executable"] == {1: "flow", 2: "fire"}
    assert again.nodes.tolist() == [2, 2]
    assert again.jobs["processors"].tolist() == [4, 3]
    assert (again.processors_per_node, again.source) == (2, "that test")
