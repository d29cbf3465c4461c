"""Submission, queries and waiting with missing or inconsistent answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import EndedError, RefusedError, UntestedError
from heorot.acceptance.session.features import FEATURES, nodes
from heorot.acceptance.session.poller import Poller
from heorot.acceptance.session.probe import ProbeJob
from heorot.acceptance.session.registry import Registry
from heorot.acceptance.session.runner import CheckRunner, _choose
from heorot.jobs.facts import QueueState
from heorot.launch.batch.controls import Controls, Policy
from heorot.launch.batch.dialect import NodeState, Question, Submission
from heorot.session import laboratory
from tests.unit.acceptance.session.conftest import target_of
from tests.unit.acceptance.session.pretended.pretend import Pretend

Set = Callable[..., FeatureContext]


@pytest.fixture
def context(pretend: Pretend, tmp_path: Path) -> Iterator[Set]:
    """A feature of a check."""
    runners: list[CheckRunner] = []

    def make(granted: int | None = None, **changes: object) -> FeatureContext:
        target = target_of(pretend, granted)
        registry = Registry(tmp_path / "registry", {})
        runner = CheckRunner(target, tmp_path / "jobs", registry, 10.0, clock=pretend.clock)
        for name, value in changes.items():
            setattr(runner, name, value)
        runner.poller.start()
        runners.append(runner)
        return FeatureContext(runner, "feature")

    yield make
    for runner in runners:
        runner.clean()
        runner.poller.stop()


@pytest.mark.parametrize("name", sorted({
    "hold", "dependency", "arrays", "memory-limit", "node-sharing", "exclusive", "unlike-nodes",
    "leftovers", "node-failure", "drain", "interactive", "fair-share",
}))  # fmt: skip
def test_what_is_not_known_is_not_tested(context: Set, name: str) -> None:
    made = context(controls=Controls(), policy=Policy())
    feature = next(feature for feature in FEATURES if feature.name == name)
    with pytest.raises(UntestedError, match="not known for slurm"):
        feature.check(made)


def test_an_unclear_submission_is_looked_for(
    context: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = context()
    send = pretend.send

    def lost(*given: object) -> Submission:
        send(*given)  # type: ignore[arg-type]
        return Submission("unclear", message="Socket timed out")

    monkeypatch.setattr(pretend, "send", lost)
    probe = made.submit("true")
    assert probe.number == "101"
    made.ended(probe)
    monkeypatch.setattr(pretend, "send", lambda *_: Submission("unclear", message="no"))
    with pytest.raises(UntestedError, match="unclear whether"):
        made.submit("true")


def test_a_refusal_is_noted(context: Set, pretend: Pretend) -> None:
    made = context()
    pretend.refusal = "Invalid account"
    with pytest.raises(RefusedError) as caught:
        made.submit("true")
    assert caught.value.answer == "Invalid account"
    assert made.probes[0].number is None
    assert made.runner.cancel(made.probes[0]) == ""


def test_jobs_stay_on_the_nodes_that_were_chosen(context: Set, pretend: Pretend) -> None:
    made = context(granted=2)
    assert made.runner.chosen == ("n1", "n2")
    for probe in [made.submit("true") for _ in range(3)]:
        made.ended(probe)
    assert [task.on for task in pretend.tasks] == [("n1",), ("n2",), ("n1",)]
    assert made.runner.pick(2) == ("n1", "n2")


def test_nodes_that_take_no_jobs_are_reported(context: Set, pretend: Pretend) -> None:
    pretend.drained |= dict.fromkeys(pretend.cores, "broken")
    made = context()
    with pytest.raises(UntestedError, match=r"needs 1 node, none take jobs \(n1 drained"):
        made.started(made.submit("true"))


def test_a_job_that_ends_without_a_word_is_reported(
    context: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = context()
    monkeypatch.setattr(ProbeJob, "_events", lambda *_: [])
    with pytest.raises(UntestedError, match="do all nodes see"):
        made.started(made.submit("true"))
    assert pretend.tasks[0].state == "COMPLETED"


def test_the_end_ends_all_waiting(context: Set, pretend: Pretend) -> None:
    made = context()
    made.runner.stop()
    with pytest.raises(EndedError, match="was ended"):
        made.wait(lambda: False, 10.0)
    other = context()
    pretend.clock.sleep(601.0)
    with pytest.raises(EndedError, match="no time"):
        other.submit("true")


def test_a_job_that_does_not_end_is_reported(context: Set) -> None:
    made = context()
    with pytest.raises(UntestedError, match="did not come to its end"):
        made.ended(made.submit("until_released", limit_seconds=6000.0), 0.5)


def test_a_job_that_the_queue_has_forgotten_is_asked_for(
    context: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = context()
    ended = QueueState("ended", "ok", "COMPLETED", code=0)
    monkeypatch.setattr(pretend, "account", lambda _job: ended)
    probe = made.submit("true")
    made.ended(probe)
    assert made.wait(lambda: pretend.tasks[0].over, 2.0)
    made.runner.poller._ended.clear()
    pretend.tasks.clear()
    reported = made.reported_end(probe)
    assert reported == ended


def test_no_answer_is_no_news(
    context: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = context()
    probe = made.submit("true")
    monkeypatch.setattr(pretend, "ask", lambda _question: None)
    made.runner.poller.ask()
    assert made.runner.poller.ended(probe.number) is None
    assert made.word(made.runner.new("feature")) == "the batch system does not report it"


def test_a_dead_node_of_a_lab_is_healed(context: Set, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, str, str]] = []
    monkeypatch.setattr(laboratory, "kill", lambda lab, host: done.append(("kill", lab, host)))
    monkeypatch.setattr(laboratory, "heal", lambda lab, host: done.append(("heal", lab, host)))
    made = context(lab="box")
    with pytest.raises(ZeroDivisionError), nodes._dead(made, "n2"):
        raise ZeroDivisionError
    assert done == [("kill", "box", "n2"), ("heal", "box", "n2")]
    made.runner.registry.close()
    assert not made.runner.registry.folder.exists()


def test_a_node_that_was_not_healed_is_left_to_the_next(
    context: Set, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(laboratory, "kill", lambda *_: None)
    monkeypatch.setattr(laboratory, "heal", fail)
    made = context(lab="box")
    with pytest.raises(ZeroDivisionError), nodes._dead(made, "n2"):
        pass
    made.runner.registry.close()
    assert "killed n2" in (made.runner.registry.folder / "traces").read_text()


def test_a_node_that_was_not_resumed_is_left_to_the_next(
    context: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = context()
    ask = pretend.ask

    def refuse(question: Question[str]) -> str:
        return "Access denied" if "State=RESUME" in question.argv else ask(question)

    monkeypatch.setattr(pretend, "ask", refuse)
    with nodes._dead(made, "n2"):
        pass
    drain = next(feature for feature in FEATURES if feature.name == "drain")
    monkeypatch.setattr(nodes, "_while_drained", lambda *_: lambda: None)
    drain.check(made)
    assert made.runner.registry.undone == (("drained", "n1"), ("drained", "n2"))


def test_an_unreported_job_is_left_to_the_next_check(
    context: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = context()
    monkeypatch.setattr(pretend, "send", lambda *_: Submission("unclear", message="timed out"))
    with pytest.raises(UntestedError, match="unclear whether"):
        made.submit("true")
    assert made.runner.clean() == []
    monkeypatch.setattr(pretend, "find", lambda _name: (None, False))
    (line,) = made.runner.clean()
    assert "it is unknown whether it is in the queue" in line


def test_a_poller_that_never_began_can_be_stopped(pretend: Pretend) -> None:
    Poller(pretend).stop()


def test_lines_that_are_none_are_passed_over(tmp_path: Path) -> None:
    probe = ProbeJob("feature", "name", tmp_path)
    assert (probe.start, probe.end, probe.heard, probe.own) == (None, None, None, None)
    shell = tmp_path / "events/n1.1"
    shell.mkdir(parents=True)
    lines = (
        'x job\n12.5\n\n{"event":"job","time":-1}\n{"event":"job","time":1e99}\n'
        '{"event":"job","time":20.5,"host":"n1"}\n'
        '{"event":"said","time":21,"what":"hosts","words":["n1","n2"]}\n'
        '{"event":"said","time":21}\n{"event":"end","time":30.5,"exit_code":0}\n{"event":"end"'
    )
    (shell / "status.jsonl").write_text(lines)
    assert [event.event for event in probe.shells[0].events] == ["job", "said", "end"]
    assert (probe.start, probe.end, probe.hosts) == (20.5, 30.5, ("n1", "n2"))
    assert (probe.heard, probe.own, probe.label) == (30.5, "ok", "job name")
    (tmp_path / "events/n1.2").symlink_to(tmp_path / "gone")
    assert (probe.end, probe.own) == (30.5, "ok")
    (tmp_path / "events/n1.3").mkdir()
    (tmp_path / "events/n1.3/status.jsonl").write_text('{"event":"job","time":40}\n')
    assert (probe.end, probe.own) == (None, None)


def test_nodes_are_chosen_by_how_busy_they_are() -> None:
    states = [NodeState("a", "allocated"), NodeState("b", "down"), NodeState("c", "mixed"),
              NodeState("d", "idle")]  # fmt: skip
    assert _choose(states, 2) == ("c", "d")
    assert _choose(states, 9) == ("a", "c", "d")


def test_a_stranger_with_the_reused_id_of_a_job_is_not_cancelled(
    context: Set, pretend: Pretend
) -> None:
    made = context()
    probe = made.submit("true", options=("--hold",))
    (task,) = pretend.tasks
    task.name = "of-a-stranger"
    made.runner.poller.ask()
    assert made.runner.poller.taken(probe.number)
    assert made.word(probe) == "the batch system lost it and gave its id to another job"
    release = made.controls.act("release", str(probe.number))
    assert release is not None
    assert "to another job" in made.act(release, probe)
    assert task.held
    assert made.holding(probe).nodes is None
    with pytest.raises(UntestedError, match="its id was given to another job"):
        made.started(probe)
    made.runner.cancel(probe)
    assert made.runner.clean() == []
    assert (pretend.cancelled, task.over) == ([], False)
