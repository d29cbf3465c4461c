"""Findings: each mistake, perturbation and suspect bound once, with evidence and a remedy."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from heorot.analyse.validity.disturbance import account as count_disturbed
from heorot.analyse.validity.findings import find_all
from heorot.analyse.validity.suspect_bounds import Passing
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.result import CrossCheck, Finding, Result
from heorot.model.run.account import Account
from heorot.model.run.outcome import Outcome, State
from heorot.model.run.plan import Step
from tests.unit.analyse import builders
from tests.unit.analyse.builders import a_run_line, a_step
from tests.unit.analyse.evaluations import a_collection


def a_result(**changes: object) -> Result:
    """A trustworthy row with enough launches for an interval."""
    return builders.a_result(**{"n_launches": 5, **changes})


def findings(
    results: Sequence[Result] = (),
    outcomes: Sequence[Outcome] = (),
    steps: Sequence[Step] = (),
    disturbed: dict[str, str] | None = None,
    checks: Sequence[CrossCheck] = (),
    misplaced: dict[str, Claim] | None = None,
    account: Account | None = None,
    suspects: Sequence[Finding] = (),
    passing: Sequence[Passing] = (),
) -> list[Finding]:
    return find_all(
        results,
        outcomes,
        steps,
        disturbed or {},
        misplaced or {},
        checks,
        account=account or a_collection((), outcomes).account,
        disturbances=count_disturbed(steps, disturbed or {}, results),
        suspects=suspects,
        passing=passing,
    )


def test_a_good_run_has_none() -> None:
    step = a_step()
    run = a_run_line([("here", (0,))])
    assert findings([a_result()], [Outcome(step=step.id, state="completed", run=run)], [step]) == []


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("failed", "memory/stream (one_core) failed in 2 launches: because"),
        ("timed_out", "memory/stream (one_core) timed out in 2 launches: because"),
        ("lost", "memory/stream (one_core) was lost in 2 launches: because"),
    ],
)
def test_launches_that_ended_badly_are_one_error(state: State, words: str) -> None:
    steps = [a_step(id=f"S000{n}", launch=n) for n in (1, 2, 3)]
    outcomes = [
        Outcome(step="S0001", state=state, reason="because"),
        Outcome(step="S0002", state="completed"),
        Outcome(step="S0003", state=state, reason="because"),
    ]
    (finding,) = findings((), outcomes, steps)
    assert finding.text == words
    assert finding.severity == "error"
    assert finding.evidence == ("S0001", "S0003")
    assert finding.affected == ("memory/stream",)
    assert finding.remedy


def test_a_refusal_is_a_note() -> None:
    steps = [a_step(id=f"S000{n}", launch=n) for n in (1, 2)]
    outcomes = [Outcome(step=step.id, state="refused", reason="needs AVX-512") for step in steps]
    (finding,) = findings((), outcomes, steps)
    assert finding.severity == "note"
    assert finding.text == ("memory/stream (one_core) refused to run in 2 launches: needs AVX-512")


def test_an_account_that_adds_up_is_no_finding() -> None:
    account = Account(submitted=5, completed=1, failed=1, timed_out=1, lost=1, refused=1)
    assert account.balanced
    assert findings(account=account) == []


def test_an_account_that_does_not_add_up_is_an_error() -> None:
    account = Account(
        submitted=5, completed=4, failed=0, timed_out=0, lost=0, refused=0,
        repeated=("S0001", "S0002"), unknown=("S0009",),
    )  # fmt: skip
    assert not account.balanced
    found = findings(account=account)
    assert {finding.severity for finding in found} == {"error"}
    assert [(finding.text, finding.evidence) for finding in found] == [
        ("2 steps ended more than once", ("S0001", "S0002")),
        ("1 step ended that was never submitted", ("S0009",)),
        ("5 steps were submitted, 4 are accounted for", ()),
    ]


def test_one_launch_is_one_launch() -> None:
    outcome = Outcome(step="S0001", state="failed", reason="killed by signal SIGSEGV")
    (finding,) = findings((), [outcome], [a_step()])
    assert "failed in 1 launch: killed by signal SIGSEGV" in finding.text


def test_timeouts_are_one_finding_whatever_their_seconds() -> None:
    steps = [a_step(id=f"S000{n}", launch=n) for n in (1, 2)]
    outcomes = [
        Outcome(step=step.id, state="timed_out", reason=f"killed after 60.{step.launch} s")
        for step in steps
    ]
    (finding,) = findings((), outcomes, steps)
    assert "2 launches: killed after 60.1 s" in finding.text


def test_different_reasons_and_toolchains_are_distinguished() -> None:
    steps = [
        a_step(id="S0001"),
        a_step(id="S0002", launch=2),
        a_step(id="S0003", toolchain="clang-16"),
    ]
    outcomes = [
        Outcome(step="S0001", state="failed", reason="one"),
        Outcome(step="S0002", state="failed", reason="two"),
        Outcome(step="S0003", state="failed", reason="one"),
    ]
    found = findings((), outcomes, steps)
    assert len(found) == 3
    assert "(one_core, clang-16)" in found[2].text


def test_an_impossible_number_is_an_error() -> None:
    row = a_result(plausible=False, share_of_ceiling=8.33)
    (finding,) = findings(passing=[Passing(row, row.metric, 8.33)])
    assert (finding.severity, finding.evidence) == ("error", (row.id,))
    suspect = Finding(text="the bound is in question", severity="warning", evidence=(row.id,))
    passing = [Passing(row, row.metric, 8.33)]
    assert findings(passing=passing, suspects=[suspect]) == [suspect]


def test_a_disagreement_is_a_warning() -> None:
    def check(ratio: float) -> CrossCheck:
        return CrossCheck(
            quantity="core clock",
            first_name="one",
            first=1.0,
            second_name="other",
            second=ratio,
            unit="Hz",
            ratio=ratio,
            allowed=1.05,
        )

    (finding,) = findings(checks=[check(1.2), check(1.01)])
    assert finding.text == (
        "two measurements of core clock disagree: 1.00 Hz by one, 1.20 Hz by other, a factor of "
        "1.200 where 1.050 is allowed; the measurements do not show why. 1 of 2 cross-checks of "
        "core clock disagree"
    )
    assert finding.severity == "warning"


def test_shared_cores_are_a_warning_reported_once() -> None:
    steps = [a_step(id=f"S000{n}", launch=n, ranks=2) for n in (1, 2)]
    run = a_run_line([("here", (1,)), ("here", (1,))])
    outcomes = [Outcome(step=step.id, state="completed", run=run) for step in steps]
    (finding,) = findings((), outcomes, steps)
    assert finding.text == ("2 ranks of memory/stream (one_core) shared the cores of here CPU 1")
    assert finding.severity == "warning"
    assert finding.evidence == ("S0001", "S0002")
    assert finding.affected == ("rank 0", "rank 1")


def test_a_figure_between_nodes_taken_inside_one_is_an_error() -> None:
    (finding,) = findings(
        steps=[a_step()], misplaced={"S0001": Claim(text="ran on 1 of 2 nodes (a)")}
    )
    assert finding.severity == "error"
    assert finding.text == "memory/stream (one_core) ran on 1 of 2 nodes (a)"


def test_perturbed_launches_are_one_finding_with_a_row_for_each_case() -> None:
    steps = [
        a_step(id="S0001"),
        a_step(id="S0002", launch=2),
        a_step(id="S0003", attempt=2),
        a_step(id="S0004", benchmark="npb/ep"),
    ]
    disturbed = {"S0001": "steal", "S0002": "switches", "S0004": "steal"}
    (found,) = findings([a_result()], steps=steps, disturbed=disturbed)
    assert found.text == (
        "3 of 3 launches were perturbed, 1 of them repeated unperturbed; every measured result "
        "rests on unperturbed samples"
    )
    assert found.severity == "note"
    assert found.evidence == tuple(disturbed)
    assert found.rows == (
        ("memory/stream", "one_core", "1", "steal", "yes"),
        ("memory/stream", "one_core", "2", "switches", "no"),
        ("npb/ep", "one_core", "1", "steal", "no"),
    )


def test_of_many_reasons_the_first_are_named() -> None:
    steps = [a_step(id=f"S000{n}", launch=n) for n in range(1, 6)]
    reasons = {step.id: "steal" if step.launch == 1 else f"switches {step.id}" for step in steps}
    (found,) = findings(steps=steps, disturbed=reasons)
    (row,) = found.rows
    assert row[2:4] == ("1, 2, 3, 4, 5", "steal; switches S0002; switches S0003 and more")


def test_results_on_perturbed_samples_are_a_warning() -> None:
    rows = [
        a_result(disturbed=True),
        a_result(),
        a_result(disturbed=True, derived=True, metric="n_half"),
    ]
    (finding,) = findings(rows)
    assert finding.text == (
        "no launch was perturbed for long; 1 of 2 measured results rests on perturbed samples"
    )
    assert finding.severity == "warning"


def test_wide_intervals_are_one_finding_with_a_row_for_each_program() -> None:
    rows = [
        a_result(ci_low=14e9, ci_high=16e9),
        a_result(region="copy"),
        a_result(region="add", derived=True, ci_low=0.0),
        a_result(benchmark="npb/ep", ci_low=0.0),
    ]
    (finding,) = findings(rows)
    assert finding.text == (
        "2 results of 3, of 2 programs, had an interval, or a range of launches, wider than 10 % "
        "of the median"
    )
    assert finding.severity == "note"
    assert finding.rows == (
        ("memory/stream", "1", "2", "13.3 %"),
        ("npb/ep", "1", "1", "101 %"),
    )


def test_few_launches_are_a_note() -> None:
    (finding,) = findings([a_result(n_launches=4), a_result(n_launches=5)])
    assert "1 result of 2, of 1 program, came from fewer than 5 launches" in finding.text


def test_unchecked_results_are_a_warning() -> None:
    (finding,) = findings([a_result(verified="unchecked")])
    assert "1 result of 1, of 1 program, had no check to pass" in finding.text
    assert finding.severity == "warning"


def test_doubts_are_handed_on() -> None:
    suspect = Finding(text="the bound is in question", severity="warning")
    assert findings(suspects=[suspect]) == [suspect]


def test_the_gravest_come_first_and_evidence_is_limited() -> None:
    rows = [a_result(n_launches=2, region=f"r{i}") for i in range(20)]
    rows += [a_result(verified="unchecked")]
    passing = [Passing(a_result(plausible=False, region=f"r{i}"), "rate", 2.0) for i in range(20)]
    found = findings(rows, passing=passing)
    assert [finding.severity for finding in found] == ["error", "warning", "note"]
    assert [len(finding.evidence) for finding in found] == [6, 1, 6]
