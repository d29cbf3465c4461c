"""Jobs of other users interfere with the test of backfill, which is repeated before a verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.launch.batch.dialect import Question, Submission
from heorot.model.batch.acceptance import Verdict
from tests.unit.acceptance.session.pretended.pretend import Pretend

Judge = Callable[..., Verdict]
Come = Callable[[int, float], list[str]]


@pytest.fixture
def come(pretend: Pretend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Come:
    """Lets strangers take the free node just before the short job that should have it.

    Takes the number of times, and the duration of each [s]; returns the job numbers so far.
    """

    def strangers(times: int, seconds: float) -> list[str]:
        script, numbers, send = tmp_path / "stranger.sh", list[str](), pretend.send
        wanted = f"#SBATCH --exclusive\n#SBATCH --time=100\nsleep {seconds}\n"
        script.write_text(f"#!/bin/bash\n{wanted}")

        def also(question: Question[Submission], folder: Path) -> Submission:
            wide = [task for task in pretend.tasks if task.state == "PENDING" and task.nodes > 1]
            if wide and len(numbers) < times:
                numbers.append(send(pretend.dialect.submit(script, "stranger"), folder).id)
            return send(question, folder)

        monkeypatch.setattr(pretend, "send", also)
        return numbers

    return strangers


# A stranger who stays long delays the wide job, too, so that all jobs seem slow.
@pytest.mark.parametrize("seconds", [85.0, 100.0, 140.0])
def test_backfill_is_tried_again_after_a_stranger(
    judge: Judge, pretend: Pretend, come: Come, seconds: float
) -> None:
    numbers = come(1, seconds)
    verdict = judge("backfill")
    assert (verdict.status, len(numbers)) == ("passed", 1), (verdict.text, verdict.evidence)
    assert len(verdict.jobs) == 2 * 3
    assert not {*numbers} & {*pretend.cancelled, *verdict.jobs}


def test_it_fails_where_it_fails_without_a_stranger(judge: Judge, come: Come) -> None:
    numbers = come(1, 3.0)
    verdict = judge("backfill", "no backfill")
    assert (verdict.status, len(numbers)) == ("failed", 1)
    assert len(verdict.jobs) == 2 * 3


def test_a_stranger_who_stays_is_named(judge: Judge, come: Come) -> None:
    numbers = come(1, 1000.0)
    verdict = judge("backfill")
    assert verdict.status == "untested"
    assert "did not start within" in verdict.text
    assert f"other users' jobs interfered ({numbers[0]})" in verdict.text


def test_strangers_each_time_leave_it_untested_and_are_named(judge: Judge, come: Come) -> None:
    numbers = come(9, 100.0)
    verdict = judge("backfill", minutes=30.0)
    assert (verdict.status, len(numbers)) == ("untested", 3), (verdict.text, verdict.evidence)
    assert "each of 3 times other users' jobs interfered" in verdict.text
    assert all(number in verdict.text for number in numbers[-1:])


def test_a_verdict_without_strangers_needs_one_try(judge: Judge) -> None:
    assert len(judge("backfill", "no backfill").jobs) == 3
