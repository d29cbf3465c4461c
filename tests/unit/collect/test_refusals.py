"""A program that says it cannot run here has not failed, unless it was started wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.model.run.plan import Step

if TYPE_CHECKING:
    from tests.unit.collect.conftest import Remains


@pytest.mark.parametrize("code", [3, 1])  # not every launcher hands the code on
def test_a_refusal_is_no_failure(remains: Remains, step: Step, code: int) -> None:
    remains.ended("S0001", code=code)
    remains.record("S0001", "refused")
    collected = remains.collect(
        step.model_copy(update={"benchmark": "messages/pingpong", "ranks": 1})
    )
    (outcome,) = collected.outcomes
    assert (outcome.state, outcome.reason) == ("refused", "needs at least 2 ranks, has 1")
    assert not outcome.troubled
    assert collected.series == ()
    account = collected.account
    assert (account.submitted, account.refused, account.troubled) == (1, 1, 0)
    assert account.balanced


def test_a_refusal_without_a_reason(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=3)
    (outcome,) = remains.collect(step).outcomes
    assert (outcome.state, outcome.reason) == ("refused", "the program gave no reason")


def test_a_refusal_for_want_of_ranks_that_were_asked_for_is_a_failure(
    remains: Remains, step: Step
) -> None:
    remains.ended("S0001", code=3)
    remains.record("S0001", "refused")
    (outcome,) = remains.collect(
        step.model_copy(update={"benchmark": "messages/pingpong"})
    ).outcomes
    assert (outcome.state, outcome.reason) == ("failed", "ran with 1 ranks instead of 2")


def test_a_refusal_beside_results_is_a_failure(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    path = remains.record("S0001", "stream")
    *lines, end = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, '{"type":"refused","reason":"x"}\n', end]))
    collected = remains.collect(step)
    assert collected.outcomes[0].state == "failed"
    assert collected.series == ()


def test_a_whole_record_is_no_refusal_whatever_the_exit_code(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=3)
    remains.record("S0001", "stream")
    (outcome,) = remains.collect(step).outcomes
    assert outcome.state == "failed"
    assert outcome.reason == "its record is complete, but it failed (exit code 3)"
