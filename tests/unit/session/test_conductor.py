"""The conductor finds what is left of a run by looking at its jobs, however many there are."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from heorot.errors import UsageError
from heorot.model.run.request import Request
from heorot.session import conductor
from heorot.store.directory import RunDirectory
from tests.unit.collect.conftest import make_step
from tests.unit.session.conftest import Told


def test_what_does_not_compile_is_a_failed_case(run: RunDirectory) -> None:
    plan = run.plan()
    other = make_step(4, benchmark="npb/ep")
    plan = plan.model_copy(update={"steps": (*plan.steps, other)})
    left = conductor._without(plan, {("gnu", "memory/stream"): "stream.cpp:1: error"})
    assert left.steps == (other,)
    assert left.seconds == 1.0
    (case,) = left.skipped
    assert (case.benchmark, case.case, case.failed) == ("memory/stream", "all_cores", True)
    assert case.reason == "did not compile: stream.cpp:1: error"


def test_a_mistake_leaves_nothing_behind_but_a_kill_does(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    error: BaseException = UsageError("no benchmark matches")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(conductor, "_plan_and_build", fail)
    request = Request(out=tmp_path / "run")
    with pytest.raises(UsageError):
        conductor.evaluate(request, told)
    assert not (tmp_path / "run").exists()
    error = OSError(errno.EIO, "the node died")
    with pytest.raises(OSError, match="the node died"):
        conductor.evaluate(request, told)
    assert RunDirectory.open(tmp_path / "run").facts().request == request
