"""Experiments without an answer: left out, failed, dropped."""

from __future__ import annotations

from heorot.model.run.outcome import Outcome
from tests.unit.analyse.builders import a_step
from tests.unit.analyse.explain.problems import a_rate
from tests.unit.analyse.questions.asking import a_run, answered, asked
from tests.unit.model.keys import but

ONE, TWO = a_rate(1e9), a_rate(2e9, ranks=2)
STEPS = [a_step(id=f"S000{i}", setup=row.setup) for i, row in enumerate((ONE, TWO))]


def test_what_the_plan_had_no_time_for_names_its_budget() -> None:
    experiment = asked("cores", ONE, TWO, budget_seconds=600.0)
    answer = answered(a_run(ONE, steps=STEPS[:1]), experiment)
    (gap,) = answer.open
    assert (gap.reason, gap.budget_seconds, gap.layouts) == ("", 600.0, ("1 rank", "2 ranks"))
    assert (answer.n_answered, answer.failed, answer.budget_seconds) == (0, (), 600.0)


def test_what_failed_says_why() -> None:
    ends = [
        Outcome(step="S0000", state="completed"),
        Outcome(step="S0001", state="failed", reason="a verification failed"),
    ]
    context = a_run(ONE, but(TWO, verified="failed"), steps=STEPS, outcomes=ends)
    (gap,) = answered(context, asked("cores", ONE, TWO)).failed
    assert (gap.reason, gap.budget_seconds) == ("a verification failed", 0.0)
    context = a_run(ONE, but(TWO, plausible=False), steps=STEPS, outcomes=ends[:1])
    (gap,) = answered(context, asked("cores", ONE, TWO)).failed
    assert gap.reason == "none of its numbers may be compared"


def test_launches_that_were_given_up_are_no_failure_of_the_program() -> None:
    (gap,) = answered(a_run(ONE, steps=STEPS[:1]), asked("cores", ONE, TWO)).failed
    assert gap.reason == "given up as time got short"


def test_what_was_left_out_and_ran_for_another_question_is_answered() -> None:
    answer = answered(a_run(ONE, TWO, steps=STEPS), asked("cores", ONE, TWO, budget_seconds=60.0))
    assert (answer.n_answered, answer.gaps) == (1, ())


def test_what_every_node_runs_has_its_numbers_among_those_of_the_nodes() -> None:
    step = STEPS[0].model_copy(update={"each_node": True})
    ends = [Outcome(step=step.id, state="completed")]
    experiment = asked("equals", ONE)
    assert answered(a_run(steps=[step], outcomes=ends), experiment).n_answered == 1
    assert answered(a_run(steps=[step]), experiment).n_answered == 0
