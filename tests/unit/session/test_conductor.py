"""The conductor derives the remaining work of a run from its jobs, however many there are."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from heorot.errors import BuildError, Interrupted, UsageError
from heorot.launch.adapters.adapter import Adapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.target import ExecutionTarget
from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import Need
from heorot.model.evaluation import RunFacts
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.plan import Plan
from heorot.model.run.request import Chosen, Request
from heorot.session import conductor, programs
from heorot.session.exclusive_use import concurrent_runs
from heorot.session.preparation import Prepared, prepare
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from tests.toolchains import some_compilers
from tests.unit.collect.conftest import make_step
from tests.unit.session.conftest import NODE, FakeAdapter, Reported

HUGE = Case(name="chosen", options={}, ranks=4096, needs=Need(seconds=1.0))


def test_what_does_not_compile_is_a_failed_case(run: RunDirectory) -> None:
    plan = run.plan()
    other = make_step(4, benchmark="npb/ep")
    plan = plan.model_copy(update={"steps": (*plan.steps, other)})
    left = conductor._without(plan, {plan.steps[0].setup: "stream.cpp:1: error"})
    assert left.steps == (other,)
    assert left.seconds == 1.0
    (case,) = left.skipped
    assert (case.benchmark, case.case, case.failed) == ("memory/stream", "all_cores", True)
    assert case.reason == "did not compile: stream.cpp:1: error"


def test_if_nothing_compiles_nothing_is_run_and_nothing_left(
    tmp_path: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    toolchain = Toolchain(name="gnu", compilers=some_compilers("g++", "GNU 12"), mpi=None)
    machine = Machine(hostname="n1", nodes=(NODE,))
    steps = (make_step(1), make_step(2, benchmark="npb/ep"))
    plan = Plan(profile="smoke", seed=1, budget_seconds=None, seconds=2.0, steps=steps, skipped=())
    prepared = Prepared(machine, (toolchain,), plan)
    failures = {("gnu", "memory/stream"): "a.cpp:1: error", ("gnu", "npb/ep"): "b.cpp:2: error"}
    monkeypatch.setattr(conductor, "prepare", lambda *_, **__: prepared)
    monkeypatch.setattr(programs, "build_programs", lambda *_: ({}, failures))
    with pytest.raises(BuildError) as caught:
        conductor.evaluate(Request(out=tmp_path / "run"), reported)
    assert str(caught.value) == (
        "nothing can run: did not compile: a.cpp:1: error (and 1 more reason)"
    )
    assert caught.value.hint == "heorot doctor shows the compilers"
    assert not (tmp_path / "run").exists()


@pytest.mark.slow  # it looks at the machine
@pytest.mark.parametrize(
    ("changes", "message", "hint"),
    [
        ({"budget_seconds": 1e-3}, r"nothing can run: takes about .* use the budget", "--budget"),
        ({"chosen": Chosen(benchmark="npb/ep", case=HUGE)}, "needs 4096 cores", "--oversubscribe"),
    ],
)
def test_if_nothing_fits_one_line_states_why(
    changes: dict[str, object], message: str, hint: str
) -> None:
    request = Request.model_validate({"only": ("npb/*",), **changes})
    with pytest.raises(UsageError, match=message) as caught:
        prepare(request)
    assert len(str(caught.value)) < 200
    assert hint in caught.value.hint


def test_a_mistake_leaves_nothing_behind_but_a_kill_does(
    tmp_path: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    error: BaseException = UsageError("no benchmark matches", "see the list")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(conductor, "_plan_and_build", fail)
    request = Request(out=tmp_path / "run")
    with pytest.raises(UsageError):
        conductor.evaluate(request, reported)
    assert not (tmp_path / "run").exists()
    error = KeyboardInterrupt()
    with pytest.raises(Interrupted) as caught:
        conductor.evaluate(request, reported)
    assert caught.value.run == tmp_path / "run"
    request = Request(out=tmp_path / "second")
    error = OSError(errno.EIO, "the node died")
    with pytest.raises(OSError, match="the node died"):
        conductor.evaluate(request, reported)
    assert RunDirectory.open(tmp_path / "second").facts().request == request


def test_from_the_first_file_on_an_interrupted_run_can_be_resumed(
    tmp_path: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = RunDirectory.write_facts

    def before(*_: object) -> None:
        raise KeyboardInterrupt

    def after(run: RunDirectory, facts: RunFacts) -> None:
        write(run, facts)
        raise KeyboardInterrupt

    for name, moment in {"before": before, "after": after}.items():
        monkeypatch.setattr(RunDirectory, "write_facts", moment)
        with pytest.raises(KeyboardInterrupt) as caught:
            conductor.evaluate(Request(out=tmp_path / name), reported)
        assert isinstance(caught.value, Interrupted) == (name == "after")
    assert [place.name for place in tmp_path.iterdir()] == ["after"]


@pytest.mark.parametrize(
    ("adapter", "anyway", "order"),
    [
        (LocalAdapter(), False, ["alone", "measured", "others may"]),
        (LocalAdapter(), True, ["measured"]),
        (FakeAdapter(), False, ["measured"]),  # of a batch system, which allocates the nodes
    ],
)
def test_it_uses_this_machine_exclusively_by_default(
    run: RunDirectory,
    monkeypatch: pytest.MonkeyPatch,
    adapter: Adapter,
    anyway: bool,
    order: list[str],
) -> None:
    seen: list[str] = []

    @contextmanager
    def alone(path: Path, _: Progress) -> Iterator[None]:
        assert path == run.path
        seen.append("alone")
        yield
        seen.append("others may")

    target = ExecutionTarget(adapter, Site(), 1)
    monkeypatch.setattr(conductor, "resolve_target", lambda *_: target)
    monkeypatch.setattr(concurrent_runs, "alone", alone)
    monkeypatch.setattr(conductor, "measure", lambda *_: seen.append("measured"))
    monkeypatch.setattr(conductor, "conclude", lambda *_, **__: None)
    conductor.resume(run.path, Progress(), anyway=anyway)
    assert seen == order
