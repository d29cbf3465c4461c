"""A job is written once, started only if steps of it are missing, and followed to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import BuildError, RunError, SetupError
from heorot.model.run.allocation import Allocation
from heorot.session import jobs
from heorot.session.jobs import run_job
from heorot.store.directory import RunDirectory
from tests.unit.collect.conftest import make_step
from tests.unit.session.conftest import NODE, ONE_HOST, FakeAdapter, Told


def test_a_job_is_written_started_and_told_of(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    steps = (make_step(1), make_step(2))
    run_job(run, 3, steps, adapter, ONE_HOST, told)
    assert adapter.started == ["J0003"]
    assert run.steps(3) == steps
    assert told.finished_steps == ["S0001", "S0002"]
    script = (run.job(3) / "script.sh").read_text()
    assert "/b/stream --max-bytes 4194304 --record" in script


def test_a_job_that_has_ended_is_told_of_but_not_started_again(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    steps = (make_step(1),)
    run_job(run, 1, steps, adapter, ONE_HOST, told)
    run_job(run, 1, steps, adapter, ONE_HOST, told)
    assert adapter.started == ["J0001"]
    assert told.finished_steps == ["S0001", "S0001"]


def test_a_job_that_was_cut_off_goes_on(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    steps = (make_step(1), make_step(2))
    adapter.killed_before = "S0002"
    run_job(run, 1, steps, adapter, ONE_HOST, told)
    assert told.finished_steps == ["S0001"]
    script = (run.job(1) / "script.sh").read_text()
    adapter.killed_before = ""
    run_job(run, 1, steps, adapter, ONE_HOST, told)
    assert adapter.started == ["J0001", "J0001"]
    assert told.finished_steps == ["S0001", "S0001", "S0002"]
    assert (run.job(1) / "script.sh").read_text() == script


def test_ctrl_c_ends_the_job_and_says_how_to_go_on(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    adapter.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        run_job(run, 1, (make_step(1),), adapter, ONE_HOST, told)
    assert adapter.cancelled == ["J0001"]
    assert told.stages[-1] == "stopping all processes of this run"


def test_a_complaint_of_the_script_is_an_error(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    adapter.said = "job J0001 stopped: no space left"
    adapter.killed_before = "S0001"
    with pytest.raises(SetupError, match="no space left") as caught:
        run_job(run, 1, (make_step(1),), adapter, ONE_HOST, told)
    assert "--resume" in caught.value.hint
    adapter.killed_before = ""
    run_job(run, 1, (make_step(1),), adapter, ONE_HOST, told)  # there is space again


def test_a_step_on_several_nodes_gets_the_first_hosts(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    allocation = Allocation(hosts=("n1", "n2", "n3"), node=NODE)
    chosen = make_step(3, nodes=2, ranks=4, hosts=("n3", "n2"))
    steps = (make_step(1), make_step(2, nodes=2, ranks=4), chosen)
    run_job(run, 1, steps, adapter, allocation, told)
    assert [step.hosts for step in run.steps(1)] == [(), ("n1", "n2"), ("n3", "n2")]
    lines = (run.job(1) / "script.sh").read_text().splitlines()
    one, two, three = [line for line in lines if line.startswith("step S")]
    assert "-hosts" not in one
    assert " -n 4 -hosts n1,n2 -ppn 2 " in two
    assert " -n 4 -hosts n3,n2 -ppn 2 " in three


def test_changed_sources_are_refused(
    run: RunDirectory, adapter: FakeAdapter, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "source_digest", lambda _: "other")
    with pytest.raises(RunError, match="have changed since"):
        run_job(run, 1, (make_step(1),), adapter, ONE_HOST, told)
    assert adapter.started == []
    assert run.steps(1) == ()


def test_a_program_that_no_longer_compiles_is_an_error(
    run: RunDirectory, adapter: FakeAdapter, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: dict[tuple[str, str], Path] = {}
    failures = {("gnu", "memory/stream"): "stream.cpp:1: error"}
    monkeypatch.setattr(jobs, "build_programs", lambda *_: (broken, failures))
    with pytest.raises(BuildError, match=r"memory/stream no longer compiles with gnu: stream\.cpp"):
        run_job(run, 1, (make_step(1),), adapter, ONE_HOST, told)
