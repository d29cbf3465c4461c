"""A run's directory: created once, validated when read, never half written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from heorot.errors import RunError, SetupError, UsageError
from heorot.model.analysis.result import Finding, RecordedClaims, Sentence
from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import CheckedFile, Need, Space
from heorot.model.evaluation import RunFacts
from heorot.model.machine.machine import Machine, Node, Processor
from heorot.model.machine.toolchain import Toolchain
from heorot.model.point import Options
from heorot.model.resource import LINK, filesystem
from heorot.model.run.identity import Setup
from heorot.model.run.plan import DroppedLaunch, Plan, SkippedCase, Step
from heorot.model.run.request import Chosen, Request
from heorot.store.directory import RunDirectory
from heorot.throughput.store import ThroughputDirectory
from tests.toolchains import some_compilers


@pytest.fixture
def facts() -> RunFacts:
    toolchain = Toolchain(name="gnu", compilers=some_compilers("/usr/bin/g++", "GNU 12"), mpi=None)
    return RunFacts(
        name="first",
        heorot_version="0.1.0",
        python_version="3.11",
        request=Request(only=("npb/*",), command=("evaluate", "--only", "npb/*")),
        source_digest="b",
        started=1.5,
        toolchains=(toolchain,),
    )


@pytest.fixture
def plan() -> Plan:
    step = Step(
        id="S0001",
        setup=Setup(
            benchmark="memory/stream",
            case="one_core",
            toolchain="gnu",
            options=Options({"n": 1, "quick": True, "share": 0.5, "kernels": "all"}),
        ),
        launch=1,
        seconds=1.0,
        memory_bytes=1,
        timeout_seconds=9.0,
    )
    skipped = SkippedCase(
        setup=Setup(benchmark="npb/ep", case="D", toolchain="gnu"), reason="too large"
    )
    return Plan(
        profile="smoke", seed=1, budget_seconds=None, seconds=1.0, steps=(step,), skipped=(skipped,)
    )


def test_what_is_written_is_read(tmp_path: Path, facts: RunFacts, plan: Plan) -> None:
    machine = Machine(hostname="n1", nodes=(Node(names=("n1",), processor=Processor(isa="x")),))
    finding = Finding(text="slow", severity="warning", evidence=("S0001",))
    claims = RecordedClaims(verdict=(Sentence(text="It is slow."),), findings=(finding,))
    run = RunDirectory.create(tmp_path / "runs" / "first")
    run.write_facts(facts)
    run.write_machine(machine)
    run.write_plan(plan)
    run.write_claims(claims)
    again = RunDirectory.open(tmp_path / "runs" / "first")
    assert again.facts() == facts
    assert again.machine() == machine
    assert again.plan() == plan
    assert again.plan().digest == plan.digest
    assert again.claims() == claims
    run.write_facts(facts.model_copy(update={"ended": 9.5}))
    assert again.facts().ended == 9.5
    names = {path.name for path in run.path.iterdir()}
    assert names == {"run.json", "machine.json", "plan.json", "findings.json", "jobs"}


def test_jobs_and_their_steps(tmp_path: Path, plan: Plan) -> None:
    run = RunDirectory.create(tmp_path / "run")
    assert run.job(3) == run.jobs / "J0003"
    assert run.steps(1) == ()
    assert run.next_job() == 1
    again = plan.steps[0].model_copy(update={"id": "S0002", "attempt": 2})
    run.write_plan(plan)
    run.write_steps(1, plan.steps)
    run.write_steps(2, (again,))
    (run.jobs / "Jother").mkdir()
    assert run.steps(2) == (again,)
    assert run.job_numbers() == (1, 2)
    assert run.next_job() == 3
    run.job(10_000).mkdir()
    assert run.job_numbers() == (1, 2, 10_000)
    assert run.next_job() == 10_001
    assert run.all_steps() == (*plan.steps, again)


def test_a_planned_launch_that_was_given_up_is_no_step(tmp_path: Path, plan: Plan) -> None:
    run = RunDirectory.create(tmp_path / "run")
    second = plan.steps[0].model_copy(update={"id": "S0002", "launch": 2})
    run.write_plan(plan.model_copy(update={"steps": (*plan.steps, second)}))
    assert run.dropped() == ()
    given_up = DroppedLaunch(
        step="S0002",
        setup=Setup(benchmark="b", case="c", toolchain="t"),
        launch=2,
        reason="no time",
    )
    run.write_dropped(2, (given_up,))
    assert run.dropped() == (given_up,)
    assert run.steps(2) == ()
    assert run.all_steps() == plan.steps


def test_only_one_heorot_works_on_a_run(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "run")
    with run.exclusive(), pytest.raises(UsageError, match="another heorot"), run.exclusive():
        pass
    with run.exclusive():
        pass


def test_a_run_whose_lock_finds_no_space_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    run = RunDirectory.create(tmp_path / "run")
    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(SetupError, match="No space left"), run.begun():
        pass
    assert not run.path.exists()


def test_a_run_without_a_plan_leaves_nothing_but_what_others_put_there(
    tmp_path: Path, facts: RunFacts, plan: Plan
) -> None:
    run = RunDirectory.create(tmp_path / "run")
    run.write_facts(facts)
    run.discard_if_unplanned()
    assert not run.path.exists()
    run = RunDirectory.create(tmp_path / "run")
    run.write_facts(facts)
    run.write_plan(plan)
    run.discard_if_unplanned()
    assert run.facts() == facts
    (run.path / "plan.json").unlink()
    (run.path / "letter.txt").write_text("dear")
    run.discard_if_unplanned()
    assert [path.name for path in run.path.iterdir()] == ["letter.txt"]


def test_a_directory_with_something_in_it_is_refused(tmp_path: Path, facts: RunFacts) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="not empty and holds no run") as caught:
        RunDirectory.create(tmp_path)
    assert "--out" in caught.value.hint
    with pytest.raises(UsageError, match="is not a directory"):
        RunDirectory.create(tmp_path / "thesis.tex")
    run = RunDirectory.create(tmp_path / "run")
    run.write_facts(facts)
    with pytest.raises(UsageError, match="already has a run") as caught:
        RunDirectory.create(tmp_path / "run")
    assert "--resume" in caught.value.hint


@pytest.mark.parametrize("kind", [RunDirectory, ThroughputDirectory])
def test_a_run_killed_before_its_facts_can_begin_again(
    tmp_path: Path, kind: type[RunDirectory]
) -> None:
    killed = kind.create(tmp_path)
    with killed.exclusive():
        (tmp_path / ".run.json.4711.part").write_text('{"name": ')
    with kind.create(tmp_path).exclusive():
        pass
    killed.job(0).mkdir()
    with pytest.raises(UsageError, match="not empty and holds no run"):
        kind.create(tmp_path)


def test_a_request_alone_is_the_beginning_of_a_day(tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text("{}")
    ThroughputDirectory.create(tmp_path)
    with pytest.raises(UsageError, match="not empty and holds no run"):
        RunDirectory.create(tmp_path)


def test_what_is_no_run_is_refused(tmp_path: Path, facts: RunFacts) -> None:
    RunDirectory.create(tmp_path / "here").write_facts(facts)
    with pytest.raises(RunError, match="no such directory") as caught:
        RunDirectory.open(tmp_path / "hre")
    assert "here" in caught.value.hint
    (tmp_path / "empty").mkdir()
    with pytest.raises(RunError, match=r"has no run\.json"):
        RunDirectory.open(tmp_path / "empty")


@pytest.mark.parametrize("text", ["", "{", '{"name": "first"', "[]", '{"name": 1}', "\0\0\0"])
def test_a_damaged_file_is_one_line_with_a_hint(tmp_path: Path, text: str, facts: RunFacts) -> None:
    run = RunDirectory.create(tmp_path / "run")
    run.write_facts(facts)
    run.facts_file.write_text(text)
    with pytest.raises(RunError, match=r"run\.json is damaged") as caught:
        RunDirectory.open(run.path)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    with pytest.raises(RunError, match="cannot be read"):
        run.plan()


def test_a_file_of_another_version_is_one_line_with_a_hint(tmp_path: Path, plan: Plan) -> None:
    run = RunDirectory.create(tmp_path / "run")
    run.write_plan(plan)
    path = run.path / "plan.json"
    path.write_text(path.read_text().replace('"case": "one_core"', '"case": "one", "colour": 1'))
    with pytest.raises(RunError, match=r"by another version: steps\.0\.setup\.colour is") as caught:
        run.plan()
    assert "\n" not in str(caught.value)
    assert "run.json" in caught.value.hint


@pytest.mark.parametrize("failing", ["fsync", "rename"])
def test_a_full_disk_leaves_what_was_there(
    tmp_path: Path, facts: RunFacts, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def full(*_: object, **_directories: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    run = RunDirectory.create(tmp_path / "run")
    run.write_facts(facts)
    with monkeypatch.context() as patch:
        patch.setattr(os, failing, full)
        with pytest.raises(SetupError, match="No space left on device") as caught:
            run.write_facts(facts.model_copy(update={"name": "second"}))
    assert "free some space" in caught.value.hint
    assert run.facts() == facts
    assert {path.name for path in run.path.iterdir()} == {"run.json", "jobs"}


def test_a_path_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SetupError, match="Not a directory"):
        RunDirectory.create(tmp_path / "file" / "run")


@pytest.mark.parametrize("mode", [0o777, 0o1777])
def test_no_run_begins_where_others_may_write(tmp_path: Path, mode: int) -> None:
    """Other users could put links into its directories, now or later."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run").chmod(mode)
    (tmp_path / "link").symlink_to(tmp_path / "run")
    for name in ("run", "link"):
        with pytest.raises(UsageError, match="all users may write") as caught:
            RunDirectory.create(tmp_path / name)
        assert caught.value.hint == "choose a new directory with --out"
    assert not (tmp_path / "run/jobs").exists()


def test_no_run_begins_in_a_directory_of_another(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a directory to another user")
    (tmp_path / "run").mkdir()
    os.chown(tmp_path / "run", 65534, 65534)
    with pytest.raises(UsageError, match="belongs to nobody"):
        RunDirectory.create(tmp_path / "run")


def test_needs_and_resources_are_read_as_they_were_written(
    tmp_path: Path, facts: RunFacts, plan: Plan
) -> None:
    directory = RunDirectory.create(tmp_path / "run")
    needs = Need(
        devices={"gpu": 2},
        files={"scratch": Space(bytes=8, inodes=1)},
        inputs=(CheckedFile(path=Path("/data/mesh"), sha256="0f" * 32),),
        exclusive=(filesystem("scratch"), LINK),
    )
    case = Case(name="chosen", options={}, needs=needs)
    request = Request(chosen=Chosen(benchmark="storage/write", case=case))
    directory.write_facts(facts.model_copy(update={"request": request}))
    assert directory.facts().request == request
    (step,) = plan.steps
    update = {"id": "S0002", "resources": needs.resources, "inputs": needs.inputs}
    using = step.model_copy(update=update)
    directory.write_plan(plan.model_copy(update={"steps": (step, using)}))
    assert [one.resources for one in directory.plan().steps] == [(), needs.resources]
    assert [one.inputs for one in directory.plan().steps] == [(), needs.inputs]
    # A plan of cores and memory only has the same text as before.
    text = (directory.path / "plan.json").read_text()
    assert (text.count('"resources"'), text.count('"inputs"')) == (1, 1)
