"""Submitting, asking and waiting, when answers do not come or make no sense."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heorot.jobs.facts import QueueState
from heorot.launch.batch.controls import Controls, Policy
from heorot.launch.batch.dialect import NodeState, Question, Submission
from heorot.session import laboratory
from heorot.session.acceptance.bench import Bench, _choose
from heorot.session.acceptance.errand import Errand
from heorot.session.acceptance.feature import EndedError, RefusedError, UntestedError
from heorot.session.acceptance.features import FEATURES, nodes
from heorot.session.acceptance.poller import Poller
from heorot.session.acceptance.registry import Registry
from heorot.session.acceptance.stand import Stand
from tests.unit.session.acceptance.conftest import target_of
from tests.unit.session.acceptance.pretended.pretend import Pretend

Set = Callable[..., Stand]


@pytest.fixture
def stand(pretend: Pretend, tmp_path: Path) -> Iterator[Set]:
    """A stand at a bench."""
    benches: list[Bench] = []

    def make(granted: int | None = None, **changes: object) -> Stand:
        target = target_of(pretend, granted)
        registry = Registry(tmp_path / "registry", {})
        bench = Bench(target, tmp_path / "jobs", registry, 10.0, clock=pretend.clock)
        for name, value in changes.items():
            setattr(bench, name, value)
        bench.poller.start()
        benches.append(bench)
        return Stand(bench, "feature")

    yield make
    for bench in benches:
        bench.clean()
        bench.poller.stop()


@pytest.mark.parametrize("name", sorted({
    "hold", "dependency", "arrays", "memory-limit", "node-sharing", "exclusive", "unlike-nodes",
    "leftovers", "node-failure", "drain", "interactive", "fair-share",
}))  # fmt: skip
def test_what_is_not_known_is_not_tested(stand: Set, name: str) -> None:
    made = stand(controls=Controls(), policy=Policy())
    feature = next(feature for feature in FEATURES if feature.name == name)
    with pytest.raises(UntestedError, match="not known for slurm"):
        feature.check(made)


def test_an_unclear_submission_is_looked_for(
    stand: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand()
    send = pretend.send

    def lost(*given: object) -> Submission:
        send(*given)  # type: ignore[arg-type]
        return Submission("unclear", said="Socket timed out")

    monkeypatch.setattr(pretend, "send", lost)
    errand = made.submit("true")
    assert errand.number == "101"
    made.ended(errand)
    monkeypatch.setattr(pretend, "send", lambda *_: Submission("unclear", said="no"))
    with pytest.raises(UntestedError, match="not clear whether"):
        made.submit("true")


def test_a_refusal_is_noted(stand: Set, pretend: Pretend) -> None:
    made = stand()
    pretend.refusal = "Invalid account"
    with pytest.raises(RefusedError) as caught:
        made.submit("true")
    assert caught.value.said == "Invalid account"
    assert made.errands[0].number is None
    assert made.bench.cancel(made.errands[0]) == ""


def test_jobs_stay_on_the_nodes_that_were_chosen(stand: Set, pretend: Pretend) -> None:
    made = stand(granted=2)
    assert made.bench.chosen == ("n1", "n2")
    for errand in [made.submit("true") for _ in range(3)]:
        made.ended(errand)
    assert [task.on for task in pretend.tasks] == [("n1",), ("n2",), ("n1",)]
    assert made.bench.pick(2) == ("n1", "n2")


def test_nodes_that_take_no_jobs_are_told(stand: Set, pretend: Pretend) -> None:
    pretend.drained |= dict.fromkeys(pretend.cores, "broken")
    made = stand()
    with pytest.raises(UntestedError, match=r"wants 1 node, none take jobs \(n1 drained"):
        made.started(made.submit("true"))


def test_a_job_that_ends_without_a_word_is_told(
    stand: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand()
    monkeypatch.setattr(Errand, "_events", lambda *_: [])
    with pytest.raises(UntestedError, match="do all nodes see"):
        made.started(made.submit("true"))
    assert pretend.tasks[0].state == "COMPLETED"


def test_the_end_ends_all_waiting(stand: Set, pretend: Pretend) -> None:
    made = stand()
    made.bench.stop()
    with pytest.raises(EndedError, match="was ended"):
        made.wait(lambda: False, 10.0)
    other = stand()
    pretend.clock.sleep(601.0)
    with pytest.raises(EndedError, match="no time"):
        other.submit("true")


def test_a_job_that_does_not_end_is_told(stand: Set) -> None:
    made = stand()
    with pytest.raises(UntestedError, match="did not come to its end"):
        made.ended(made.submit("until_told", limit_seconds=6000.0), 0.5)


def test_a_job_that_the_queue_has_forgotten_is_asked_for(
    stand: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand()
    ended = QueueState("ended", "ok", "COMPLETED", code=0)
    monkeypatch.setattr(pretend, "account", lambda _job: ended)
    errand = made.submit("true")
    made.ended(errand)
    assert made.wait(lambda: pretend.tasks[0].over, 2.0)
    made.bench.poller._ended.clear()
    pretend.tasks.clear()
    told = made.settled(errand)
    assert told == ended


def test_no_answer_is_no_news(
    stand: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand()
    errand = made.submit("true")
    monkeypatch.setattr(pretend, "ask", lambda _question: None)
    made.bench.poller.ask()
    assert made.bench.poller.ended(errand.number) is None
    assert made.word(made.bench.new("feature")) == "the batch system says nothing of it"


def test_a_dead_node_of_a_lab_is_healed(stand: Set, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, str, str]] = []
    monkeypatch.setattr(laboratory, "kill", lambda lab, host: done.append(("kill", lab, host)))
    monkeypatch.setattr(laboratory, "heal", lambda lab, host: done.append(("heal", lab, host)))
    made = stand(lab="box")
    with pytest.raises(ZeroDivisionError), nodes._dead(made, "n2"):
        raise ZeroDivisionError
    assert done == [("kill", "box", "n2"), ("heal", "box", "n2")]
    made.bench.registry.close()
    assert not made.bench.registry.folder.exists()


def test_a_node_that_was_not_healed_is_left_to_the_next(
    stand: Set, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(laboratory, "kill", lambda *_: None)
    monkeypatch.setattr(laboratory, "heal", fail)
    made = stand(lab="box")
    with pytest.raises(ZeroDivisionError), nodes._dead(made, "n2"):
        pass
    made.bench.registry.close()
    assert "killed n2" in (made.bench.registry.folder / "traces").read_text()


def test_a_node_that_was_not_resumed_is_left_to_the_next(
    stand: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand()
    ask = pretend.ask

    def refuse(question: Question[str]) -> str:
        return "Access denied" if "State=RESUME" in question.argv else ask(question)

    monkeypatch.setattr(pretend, "ask", refuse)
    with nodes._dead(made, "n2"):
        pass
    drain = next(feature for feature in FEATURES if feature.name == "drain")
    monkeypatch.setattr(nodes, "_while_drained", lambda *_: lambda: None)
    drain.check(made)
    assert made.bench.registry.undone == (("drained", "n1"), ("drained", "n2"))


def test_a_job_that_nobody_tells_of_is_left_to_the_next(
    stand: Set, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand()
    monkeypatch.setattr(pretend, "send", lambda *_: Submission("unclear", said="timed out"))
    with pytest.raises(UntestedError, match="not clear whether"):
        made.submit("true")
    assert made.bench.clean() == []
    monkeypatch.setattr(pretend, "find", lambda _name: (None, False))
    (line,) = made.bench.clean()
    assert "nobody says whether it is in the queue" in line


def test_a_poller_that_never_began_can_be_stopped(pretend: Pretend) -> None:
    Poller(pretend).stop()


def test_lines_that_are_none_are_passed_over(tmp_path: Path) -> None:
    errand = Errand("feature", "name", tmp_path)
    assert (errand.start, errand.end, errand.heard, errand.own) == (None, None, None, None)
    shell = tmp_path / "events/n1.1"
    shell.mkdir(parents=True)
    lines = (
        'x job\n12.5\n\n{"event":"job","time":-1}\n{"event":"job","time":1e99}\n'
        '{"event":"job","time":20.5,"host":"n1"}\n'
        '{"event":"said","time":21,"what":"hosts","words":["n1","n2"]}\n'
        '{"event":"said","time":21}\n{"event":"end","time":30.5,"exit_code":0}\n{"event":"end"'
    )
    (shell / "status.jsonl").write_text(lines)
    assert [event.event for event in errand.shells[0].events] == ["job", "said", "end"]
    assert (errand.start, errand.end, errand.hosts) == (20.5, 30.5, ("n1", "n2"))
    assert (errand.heard, errand.own, errand.label) == (30.5, "ok", "job name")
    (tmp_path / "events/n1.2").symlink_to(tmp_path / "gone")
    assert (errand.end, errand.own) == (30.5, "ok")
    (tmp_path / "events/n1.3").mkdir()
    (tmp_path / "events/n1.3/status.jsonl").write_text('{"event":"job","time":40}\n')
    assert (errand.end, errand.own) == (None, None)


def test_nodes_are_chosen_by_how_busy_they_are() -> None:
    states = [NodeState("a", "allocated"), NodeState("b", "down"), NodeState("c", "mixed"),
              NodeState("d", "idle")]  # fmt: skip
    assert _choose(states, 2) == ("c", "d")
    assert _choose(states, 9) == ("a", "c", "d")


def test_a_stranger_that_has_got_the_id_of_a_job_is_left_alone(
    stand: Set, pretend: Pretend
) -> None:
    made = stand()
    errand = made.submit("true", options=("--hold",))
    (task,) = pretend.tasks
    task.name = "of-a-stranger"
    made.bench.poller.ask()
    assert made.bench.poller.taken(errand.number)
    assert made.word(errand) == "the batch system lost it and gave its id to another job"
    release = made.controls.release(str(errand.number))
    assert release is not None
    assert "to another job" in made.act(release, errand)
    assert task.held
    assert made.holding(errand).nodes is None
    with pytest.raises(UntestedError, match="its id was given to another job"):
        made.started(errand)
    made.bench.cancel(errand)
    assert made.bench.clean() == []
    assert (pretend.cancelled, task.over) == ([], False)
