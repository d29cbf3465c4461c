"""`heorot evaluate` and `heorot run`: their requests to the session, and their output."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from heorot.cli import evaluate, run
from heorot.collect.jobs import reconcile
from heorot.errors import UsageError
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Exit, Outcome
from heorot.model.run.plan import DroppedLaunch
from heorot.model.run.request import Request
from heorot.session import conductor, preparation
from heorot.session.exclusive_use import concurrent_runs
from heorot.session.preparation import Prepared
from heorot.session.progress import Progress
from heorot.session.runs import Ended
from tests.unit.model.keys import but
from tests.unit.report.samples import make_evaluation

EP = "npb/ep"


class Session:
    """A fake conductor that records its requests.

    Attributes:
        ended: what every run comes to.
        requests: what was asked for.
        resumed: the resumed runs.
        trusted: those of them that may be another's.
        anyway: of each, whether it may measure at the same time as others.
        busy: whether another job runs on this machine.
    """

    def __init__(self) -> None:
        evaluation = make_evaluation(2)
        # Printing them takes time: few are enough.
        few = [row for row in evaluation.analysis.results if row.benchmark in ("memory/stream", EP)]
        analysis = evaluation.analysis.model_copy(update={"results": tuple(few)})
        self.ended = Ended(replace(evaluation, analysis=analysis), Path("runs/first"), code=1)
        self.requests: list[Request] = []
        self.resumed: list[Path] = []
        self.trusted: list[Path] = []
        self.anyway: list[bool] = []
        self.busy = False

    def evaluate(self, request: Request, progress: Progress, *, anyway: bool, **_: bool) -> Ended:
        """Remember the request."""
        assert type(progress) is Progress
        self.requests.append(request)
        self.anyway.append(anyway)
        return self.ended

    def resume(self, path: Path, progress: Progress, *, trust: bool, anyway: bool) -> Ended:
        """Remember the run."""
        assert type(progress) is Progress
        self.resumed.append(path)
        self.trusted += [path] * trust
        self.anyway.append(anyway)
        return self.ended

    def require_quiet(self, resumed: Path | None = None) -> None:
        """Refuse if another job runs."""
        del resumed
        if self.busy:
            raise UsageError("a job still runs", "wait for it")

    def end_with(self, *outcomes: Outcome) -> None:
        """Set the outcomes of every run."""
        account = reconcile([outcome.step for outcome in outcomes], outcomes, ())
        evaluation = replace(self.ended.evaluation, outcomes=outcomes, account=account)
        self.ended = replace(self.ended, evaluation=evaluation)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    session = Session()
    monkeypatch.setattr(conductor, "evaluate", session.evaluate)
    monkeypatch.setattr(conductor, "resume", session.resume)
    monkeypatch.setattr(concurrent_runs, "require_quiet", session.require_quiet)
    return session


def _invoke(command: Any, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, standalone_mode=False)


def _evaluate(*arguments: str) -> Result:
    return _invoke(evaluate.command, "--quiet", *arguments)


def _run(*arguments: str) -> Result:
    return _invoke(run.command, "--quiet", *arguments)


def test_options_become_a_request(session: Session) -> None:
    done = _evaluate(
        *("--profile", "standard", "--only", "npb/*", "--only", "memory/*", "--launches", "7"),
        *("--nodes", "1,2", "--per-node", "1,2,all"),
        *("--budget", "30min", "--seed", "5", "--toolchain", "*mpich*", "--out", "runs/a"),
        *("--site", "site.yaml", "--timeout", "10min", "--recipe", "hpl", "--source", "npb=src"),
    )
    assert done.return_value == 1
    (request,) = session.requests
    assert request.command[0] == "heorot"
    assert request.model_dump(exclude={"command", "site"}) == {
        "profile": "standard",
        "only": ("npb/*", "memory/*"),
        "chosen": None,
        "toolchains": ("*mpich*",),
        "nodes": (1, 2),
        "per_node": (1, 2, "all"),
        "batch": None,
        "launches": 7,
        "budget_seconds": 1800.0,
        "timeout_seconds": 600.0,
        "seed": 5,
        "out": Path("runs/a"),
        "recipes": ("hpl",),
        "sources": {"npb": Path.cwd() / "src"},
    }
    assert request.site == Path.cwd() / "site.yaml"


@pytest.mark.parametrize("arguments", [["--out", "a"], ["--resume", "runs/a"]])
def test_nothing_is_measured_beside_another_job_unless_asked_for(
    session: Session, arguments: list[str]
) -> None:
    session.busy = True
    assert isinstance(_evaluate(*arguments).exception, UsageError)
    assert isinstance(_run("npb/ep").exception, UsageError)
    assert (session.requests, session.resumed) == ([], [])
    assert _evaluate("--anyway", *arguments).return_value == 1
    assert session.anyway == [True]
    assert len(session.requests) + len(session.resumed) == 1


def test_resuming_asks_for_no_new_run(session: Session) -> None:
    assert _evaluate("--resume", "runs/a").return_value == 1
    assert session.resumed == [Path("runs/a")]
    assert session.trusted == []
    assert _evaluate("--resume", "runs/a", "--trust").return_value == 1
    assert session.trusted == [Path("runs/a")]
    assert session.requests == []


@pytest.mark.parametrize(
    "arguments", [["--resume", "a", "--out", "b"], ["--resume", "a", "--profile", "full"]]
)
def test_what_contradicts_is_refused(session: Session, arguments: list[str]) -> None:
    done = _evaluate(*arguments)
    assert isinstance(done.exception, UsageError)
    assert str(done.exception) == f"--resume keeps the options of the run: {arguments[2]}"
    assert done.exception.hint
    assert not session.requests
    assert not session.resumed


@pytest.mark.parametrize(
    "arguments",
    [["--profile", "tiny"], ["--launches", "0"], ["--seed", "-1"], ["--batch", "condor"]],
)
def test_values_out_of_range_are_usage_errors(session: Session, arguments: list[str]) -> None:
    assert CliRunner().invoke(evaluate.command, arguments).exit_code == 2
    assert not session.requests


def test_a_dry_run_prints_the_plan_and_runs_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluation = session.ended.evaluation
    plan = evaluation.plan
    first = but(plan.steps[0], benchmark="npb/bt_mz", options={"class": "B"}, ranks=16)
    plan = plan.model_copy(update={"steps": (first, *plan.steps[1:])})
    prepared = Prepared(evaluation.machine, (), plan)
    monkeypatch.setattr(preparation, "prepare", lambda *_, **__: prepared)
    done = _evaluate("--dry-run")
    assert done.return_value == 0
    assert not session.requests
    assert "30 launches, about 3 min, profile standard, seed 20261120" in done.output
    assert "skipped: messages/pingpong two_nodes (gnu-12+mpich-5.0.2): needs two" in done.output
    assert "npb/bt_mz class B: 64 zones balance to 95.0 % or more on up to" in done.output


def test_the_summary_says_what_to_know(session: Session) -> None:
    said = _evaluate().output
    evaluation = session.ended.evaluation
    for sentence in evaluation.analysis.verdict:
        assert f"- {sentence.brief or sentence.text}" in said
    assert f"error: {evaluation.analysis.findings[0].text}" in said
    assert "2 cases left out and 1 launch refused; the report has the reasons" in said
    assert said.endswith("report: runs/first/report.html\n")


def test_launches_that_were_given_up_are_said(session: Session) -> None:
    drop = DroppedLaunch(step="S0040", setup=Setup("b", "c", "t"), launch=4, reason="no time")
    evaluation = replace(session.ended.evaluation, dropped=(drop, drop))
    session.ended = replace(session.ended, evaluation=evaluation)
    said = _evaluate().output
    assert (
        "2 cases left out, 1 launch refused and 2 launches given up; the report has the reasons"
        in said
    )


def test_a_single_benchmark_is_run_as_chosen(session: Session) -> None:
    done = _run("npb/ep", "--set", "class=A", "--ranks", "2", "--threads", "3", "--launches", "4")
    assert done.return_value == 1
    (request,) = session.requests
    assert request.chosen is not None
    assert request.chosen.benchmark == "npb/ep"
    case = request.chosen.case
    assert (case.options, case.ranks, case.threads, case.needs_cores) == ({"class": "A"}, 2, 3, 6)
    assert request.launches == 4
    assert request.timeout_seconds is None
    assert "error: " in done.output
    _run("npb/ep", "--timeout", "90s")
    assert session.requests[-1].timeout_seconds == 90.0
    _run("npb/ep", "--ranks", "2", "--oversubscribe")
    assert session.requests[-1].chosen is not None
    assert session.requests[-1].chosen.case.needs_cores == 1


@pytest.mark.parametrize("planned", [False, True])
def test_a_run_nobody_asked_to_keep_is_kept_only_if_it_can_be_gone_on_with(
    session: Session, monkeypatch: pytest.MonkeyPatch, planned: bool
) -> None:
    def interrupt(request: Request, progress: Progress, **_: bool) -> Ended:
        del progress
        assert request.out
        session.requests.append(request)
        request.out.mkdir()
        if planned:
            (request.out / "plan.json").touch()
        raise KeyboardInterrupt

    _run("npb/ep")
    assert session.requests[-1].out
    assert not session.requests[-1].out.parent.exists()
    monkeypatch.setattr(conductor, "evaluate", interrupt)
    _run("npb/ep")
    out = session.requests[-1].out
    assert out
    assert out.exists() is planned
    shutil.rmtree(out.parent, ignore_errors=True)


@pytest.mark.parametrize("setting", ["class", "=A"])
def test_a_setting_is_name_and_value(session: Session, setting: str) -> None:
    done = _run("npb/ep", "--set", setting)
    assert isinstance(done.exception, UsageError)
    assert "NAME=VALUE" in str(done.exception)
    assert not session.requests


def _wrong_option(output: str) -> Outcome:
    ended = Exit(step="S0001", started=1.0, ended=2.0, code=2, timed_out=False)
    return Outcome(step="S0001", state="failed", exit=ended, last_output=output)


@pytest.mark.parametrize(
    ("outcome", "message", "hint"),
    [
        (_wrong_option("heorot: no class 'Z'\nhint: S to F\n"), "no class 'Z'", "S to F"),
        (_wrong_option(""), "the program refused its options", "correct the values of --set"),
        (
            Outcome(step="S0001", state="refused", reason="needs at least 2 ranks, has 1"),
            "npb/ep cannot run here: needs at least 2 ranks, has 1",
            "heorot list shows all benchmarks",
        ),
    ],
)
def test_what_the_program_says_of_its_use_is_the_users_mistake(
    session: Session, outcome: Outcome, message: str, hint: str
) -> None:
    session.end_with(outcome)
    done = _run("npb/ep")
    assert isinstance(done.exception, UsageError)
    assert (str(done.exception), done.exception.hint) == (message, hint)


def test_the_last_output_of_a_failure_is_shown(session: Session) -> None:
    session.end_with(Outcome(step="S0001", state="failed", last_output="Segmentation fault"))
    assert "Segmentation fault" in _run("npb/ep").stderr


def test_one_refusal_among_results_hides_none_of_them(session: Session) -> None:
    assert any(outcome.state == "refused" for outcome in session.ended.evaluation.outcomes)
    done = _run("npb/ep")
    assert done.return_value == 1
    assert "triad" in done.output
