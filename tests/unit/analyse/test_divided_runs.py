"""Whole runs of programs with phases and copies: rows, headlines, verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.analyse.analysis import analyse
from heorot.model.analysis.breakdown import SHARES
from heorot.model.analysis.result import Analysis
from heorot.model.point import Scalar
from heorot.model.run.ranks import Phase
from tests.unit.analyse.builders import a_machine
from tests.unit.analyse.evaluations import a_collection
from tests.unit.analyse.synthesis import SOME_FAMILIES, Synthesis
from tests.unit.model.keys import but

# Two ranks compute 5 and 4 s of 10.
PHASES = tuple(
    Phase(
        name=name,
        computation_seconds=computation,
        communication_seconds=communication,
        messages=(4.0, 4.0),
        bytes=(64.0, 64.0),
        collectives=(0.0, 0.0),
    )
    for name, computation, communication in (
        ("rest", (0.0, 0.0), (0.0, 0.0)),
        ("sum", (5.0, 4.0), (5.0, 6.0)),
    )
)


def divided(copies_slower: float = 2.0) -> Analysis:
    """A run in which EP has phases on two ranks, and copies slower by a factor."""
    run = Synthesis(n_samples=8)
    series, steps, outcomes = list(run.series), list(run.steps), list(run.outcomes)
    ends = {outcome.step: outcome for outcome in outcomes}
    for number, one in enumerate(run.series):
        if one.case != "A_all_cores_ranks":
            continue
        series[number] = replace(one, phases=PHASES)
        star = f"{one.step}-star"
        step = next(step for step in run.steps if step.id == one.step)
        options: dict[str, bool | Scalar] = {"class": "A", "star": True}
        changes = {"id": star, "case": "A_copies", "options": options}
        steps.append(step.model_copy(update=changes))
        outcomes.append(ends[one.step].model_copy(update={"step": star}))
        seconds = one.seconds * copies_slower
        series.append(but(one, step=star, case="A_copies", options=options, seconds=seconds))
    return analyse(
        a_collection(series, outcomes), steps, SOME_FAMILIES, a_machine(), run="r", seed=1
    )


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """Of the run whose copies are half as fast."""
    return divided()


def test_shares_stand_among_the_results(analysis: Analysis) -> None:
    (one,) = analysis.breakdowns
    rows = [row for row in analysis.results if row.metric in SHARES]
    assert [row.metric for row in rows] == list(SHARES)
    assert [row.median for row in rows] == pytest.approx([0.45, 0.05, 0.5])
    assert sum(share.median for share in one.shares) == pytest.approx(1.0)
    assert [phase.name for phase in one.phases] == ["rest", "sum"]
    assert one.n_launches == 3


def test_the_program_says_what_it_loses_and_the_verdict_the_worst(analysis: Analysis) -> None:
    keys = {row.id for row in analysis.results}
    (said,) = [each.text for each in analysis.attributions if "spends" in each.text]
    assert said == (
        "On 2 ranks NPB EP class A spends 50 % [50…50 in 3 launches] of its time communicating, "
        "most of it in sum, and 5.0 % [5.0…5.0 in 3 launches] waiting for the slowest rank."
    )
    assert all(set(each.evidence) <= keys for each in analysis.attributions)
    worst = max(analysis.attributions, key=lambda each: each.lost)
    assert [sentence.text for sentence in analysis.verdict].count(worst.text) == 1


def test_copies_lose_and_are_no_headline(analysis: Analysis) -> None:
    (lost,) = [row for row in analysis.results if row.metric == "star_degradation"]
    assert lost.median == pytest.approx(0.5, abs=0.05)
    (score,) = [score for score in analysis.scores if score.label == "NPB EP, time"]
    assert not score.result.is_star
    # Even if they are faster than all runs that share its work.
    fast = divided(copies_slower=0.5)
    (score,) = [score for score in fast.scores if score.label == "NPB EP, time"]
    assert not score.result.is_star
