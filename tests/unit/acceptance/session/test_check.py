"""A check as a whole: its announcement, its results, its clean-up."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from heorot import interruption
from heorot.acceptance.session import check, registry
from heorot.acceptance.session.check import Intent, Reporter
from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import EndedError, Feature, Judged, UntestedError
from heorot.acceptance.session.features import FEATURES
from heorot.acceptance.session.runner import CheckRunner
from heorot.errors import SetupError, UsageError
from heorot.model.batch.acceptance import CheckRequest, Verdict
from heorot.session.verification.verify import verify
from tests.unit.acceptance.session.conftest import target_of
from tests.unit.acceptance.session.pretended.pretend import Pretend

Make = Callable[..., Intent]


@pytest.fixture
def make(pretend: Pretend, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path) -> Make:
    """The announcement of a check of the pretended batch system."""
    del cache

    def intend(*features: Feature, **asked: object) -> Intent:
        monkeypatch.setattr(check, "resolve_checked", lambda *_: target_of(pretend))
        if features:
            monkeypatch.setattr(check, "FEATURES", features)
        return check.intend(CheckRequest.model_validate({"out": tmp_path / "out", **asked}))

    return intend


def test_features_have_names_and_questions_of_their_own() -> None:
    assert len({feature.name for feature in FEATURES}) == len(FEATURES)
    assert all(feature.question.endswith("?") for feature in FEATURES)
    assert check.chosen(()) == FEATURES
    limits = check.chosen(("*-limit",))
    assert [feature.name for feature in limits] == ["time-limit", "memory-limit"]
    with pytest.raises(UsageError, match="no feature matches nothing"):
        check.chosen(("nothing",))


def test_what_is_intended_is_bounded(make: Make) -> None:
    intent = make(only=("latency", "backfill", "drain"))
    assert intent.n_jobs == 6
    assert 0.0 < intent.node_minutes < 10.0
    assert 0.0 < intent.seconds < 600.0
    assert intent.left_out == {"drain": "it needs an administrator: --admin"}
    assert make(only=("drain",), admin=True).left_out == {}


def test_a_check_writes_what_it_found_and_leaves_nothing(
    make: Make, pretend: Pretend, cache: Path, tmp_path: Path
) -> None:
    reported: list[Verdict] = []
    intent = make(only=("exit-codes", "fair-share", "drain"))
    found, directory = check.accept(intent, Reporter(judged=reported.append), pretend.clock)
    assert directory == tmp_path / "out"
    assert [verdict.feature for verdict in found.verdicts] == ["exit-codes", "fair-share", "drain"]
    statuses = [verdict.status for verdict in found.verdicts]
    assert statuses == ["passed", "absent", "untested"]
    assert len(reported) == 3
    assert found.code == 0
    assert len(found.jobs) == 3
    assert all(job.own_start and job.number for job in found.jobs)
    assert [job.state for job in found.jobs] == ["ok", "failed", "failed"]  # the last was killed
    assert json.loads((directory / "acceptance.json").read_text())["system"] == "slurm"
    assert "exit-codes" in (directory / "acceptance.html").read_text()
    assert verify(directory)[0].summary.endswith(" files agree")
    assert list(cache.iterdir()) == []
    assert all(task.over for task in pretend.tasks)
    with pytest.raises(UsageError, match="is there already"):
        check.accept(intent, Reporter(), pretend.clock)


def _sleeper(context: FeatureContext) -> Judged:
    context.started(context.submit("pause 30", limit_seconds=6000.0))
    raise UntestedError("there is no more to see")


def _waiter(context: FeatureContext) -> Judged:
    context.submit("true", options=("--hold",))
    context.wait(lambda: False, 60.0)
    raise AssertionError


def test_what_a_feature_leaves_running_is_cancelled(make: Make, pretend: Pretend) -> None:
    feature = Feature("sleeper", "Does it?", _sleeper)
    found = check.check(make(feature), make().request.out or Path(), Reporter(), pretend.clock)
    assert found.verdicts[0].text == "there is no more to see"
    assert pretend.cancelled == ["101"]


def test_only_own_jobs_are_cancelled(make: Make, pretend: Pretend, tmp_path: Path) -> None:
    script = tmp_path / "others.sh"
    script.write_text("#!/bin/bash\n#SBATCH --time=100\nsleep 30\n")
    question = pretend.dialect.submit(script, "others")
    pretend.send(question, tmp_path)
    check.check(
        make(Feature("sleeper", "Does it?", _sleeper)), tmp_path / "jobs", Reporter(), pretend.clock
    )
    assert pretend.cancelled == ["102"]
    assert pretend.tasks[0].state == "RUNNING"


@pytest.mark.parametrize("act", ["quiet", "beside"])
def test_ctrl_c_leaves_nothing(
    make: Make, pretend: Pretend, cache: Path, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    came: list[int] = []
    monkeypatch.setattr(interruption, "_came", came)
    feature = Feature("waiter", "Does it?", _waiter, act=act)  # type: ignore[arg-type]
    intent = make(feature, Feature("other", "Does it?", _waiter))

    require_time = CheckRunner.require_time

    def notice(runner: CheckRunner) -> None:
        # Like a signal, which reaches the main thread only.
        if threading.current_thread() is threading.main_thread():
            interruption.raise_if_asked()
        require_time(runner)

    monkeypatch.setattr(CheckRunner, "require_time", notice)
    pretend.clock.after(5.0, lambda: came.append(2))
    with pytest.raises(KeyboardInterrupt):
        check.check(intent, cache.parent / "jobs", Reporter(), pretend.clock)
    assert all(task.over for task in pretend.tasks)
    assert list(cache.iterdir()) == []


def test_what_cannot_be_cancelled_is_left_to_the_next(
    make: Make, pretend: Pretend, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretend, "cancel", lambda _job: "no answer")
    lines: list[str] = []
    reported = Reporter(cleaned=lines.append)
    check.check(
        make(Feature("sleeper", "Does it?", _sleeper)),
        cache.parent / "jobs",
        reported,
        pretend.clock,
    )
    name = pretend.tasks[0].name
    assert lines == [f"left to the next check: job 101 ({name}): no answer"]
    (left,) = registry.left(cache)
    assert left.jobs == {"101": pretend.tasks[0].name}


def test_time_and_nodes_are_bounds(make: Make, pretend: Pretend, tmp_path: Path) -> None:
    long = Feature("long", "Does it?", _waiter, seconds=100.0)
    found = check.check(make(long, minutes=0.5), tmp_path / "jobs", Reporter(), pretend.clock)
    assert found.verdicts[0].text == "no time was left"
    assert pretend.tasks == []

    def greedy(context: FeatureContext) -> Judged:
        context.submit("true", nodes=4)
        raise AssertionError

    found = check.check(
        make(Feature("greedy", "Does it?", greedy)), tmp_path / "more", Reporter(), pretend.clock
    )
    assert found.verdicts[0].text == "it takes 4 nodes, and 3 are granted"
    assert pretend.tasks == []


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (EndedError("no time was left"), "no time was left"),
        (OSError(28, "No space left on device", "/out"), "/out: No space left on device"),
        (UsageError("wrong", "do it right"), "wrong; do it right"),
    ],
)
def test_troubles_are_verdicts(
    make: Make, pretend: Pretend, tmp_path: Path, error: Exception, text: str
) -> None:
    def trouble(_context: FeatureContext) -> Judged:
        raise error

    found = check.check(
        make(Feature("trouble", "Any?", trouble)), tmp_path / "jobs", Reporter(), pretend.clock
    )
    assert (found.verdicts[0].status, found.verdicts[0].text) == ("untested", text)


def test_a_folder_that_cannot_be_made_is_a_verdict(
    make: Make, pretend: Pretend, tmp_path: Path
) -> None:
    def trouble(context: FeatureContext) -> Judged:
        (tmp_path / "jobs/trouble-1").touch()
        context.submit("true")
        raise AssertionError

    found = check.check(
        make(Feature("trouble", "Any?", trouble)), tmp_path / "jobs", Reporter(), pretend.clock
    )
    assert found.verdicts[0].status == "untested"


def test_jobs_that_were_killed_had_nodes_too(make: Make, pretend: Pretend, tmp_path: Path) -> None:
    found = check.check(make(only=("time-limit",)), tmp_path / "jobs", Reporter(), pretend.clock)
    assert (found.jobs[0].own_end, found.jobs[0].state) == (None, "timeout")
    assert 55.0 < found.node_seconds < 65.0


@pytest.mark.slow
@pytest.mark.parametrize(("late", "minutes"), [(0.0, 2.0), (10.0, 10.0), (30.0, 20.0)])
def test_all_pass_where_jobs_begin_late(
    make: Make, pretend: Pretend, tmp_path: Path, late: float, minutes: float
) -> None:
    pretend.machine.round_seconds = late
    pretend.settings["hetero"] = "yes"
    intent = make(minutes=minutes, admin=True)
    found = check.check(intent, tmp_path / "jobs", Reporter(), pretend.clock)
    others = {v.feature: v.status for v in found.verdicts if v.status != "passed"}
    assert others == {"fair-share": "absent"}
    assert all(task.over for task in pretend.tasks)


def test_time_that_late_jobs_take_is_foreseen(make: Make, pretend: Pretend, tmp_path: Path) -> None:
    pretend.machine.round_seconds = 30.0
    intent = make(only=("latency", "hold", "environment"), minutes=3.2)
    found = check.check(intent, tmp_path / "jobs", Reporter(), pretend.clock)
    texts = {verdict.feature: verdict.text for verdict in found.verdicts}
    assert texts["hold"] == "no time was left"
    assert texts["environment"] == "variables of the submitting shell reach the job"
    assert {job.feature for job in found.jobs} == {"latency", "environment"}


def test_mistakes_of_ours_are_not_hidden(make: Make, pretend: Pretend, tmp_path: Path) -> None:
    def broken(_context: FeatureContext) -> Judged:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        check.check(
            make(Feature("broken", "Is it?", broken)), tmp_path / "jobs", Reporter(), pretend.clock
        )


def test_a_place_that_cannot_be_written_is_reported(
    make: Make, pretend: Pretend, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SetupError, match="cannot write"):
        check.check(
            make(only=("fair-share",)), tmp_path / "file" / "jobs", Reporter(), pretend.clock
        )


def test_a_check_needs_a_private_directory(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(UsageError, match="all users may write"):
        check.require_empty(tmp_path)
    tmp_path.chmod(0o700)
    assert check.require_empty(tmp_path) == tmp_path
