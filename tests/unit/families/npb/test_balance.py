"""Load balance of zones over ranks: predicted and measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.results import group_series
from heorot.families.npb.balance import explain, foresee, sentences
from heorot.families.npb.programs import BT, BT_MZ, MEASURED_BALANCE, PREDICTED_BALANCE
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Plan
from heorot.model.run.ranks import Phase
from heorot.model.run.records import NoteLine
from tests.unit.analyse.builders import a_context, a_result, a_series, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result


def rate(name: str, **changes: Any) -> Result:
    fields = {
        "benchmark": name,
        "region": name.removeprefix("npb/"),
        "metric": "operation_rate",
        "unit": "op/s",
        "case": "A_all",
        "point": {"class": "A"},
        "ranks": 2,
        "median": 1e9,
    }
    return a_result(**(fields | changes))


def ran(row: Result, promise: float | str, computing: tuple[float, ...]) -> Context:
    """A run of one case with these computing times of ranks."""
    step = a_step(setup=row.setup)
    idle = tuple(0.0 for _ in computing)
    phase = Phase(
        name="solve",
        computation_seconds=computing,
        communication_seconds=idle,
        messages=idle,
        bytes=idle,
        collectives=idle,
    )
    series = a_series(
        step=step.id,
        key=row.key,
        phases=(phase,),
    )
    note = NoteLine(type="note", name="predicted_rank_balance", value=promise)
    outcome = Outcome(step=step.id, state="completed", notes=(note,))
    return a_context([row], group_series([series]), steps=[step], outcomes=[outcome])


def balances(context: Context) -> dict[str, float]:
    return {row.metric: row.median for row in explain(context)}


def test_promise_and_measurement_stand_side_by_side() -> None:
    context = ran(rate(BT_MZ.name), 0.95, (0.8, 1.0))
    assert balances(context) == {PREDICTED_BALANCE: 0.95, MEASURED_BALANCE: pytest.approx(0.9)}
    context = context.adding(explain(context))
    found, reach = sentences(context)
    assert found.text == (
        "Load balance of zones: NPB BT-MZ class A on 2 ranks 95.0 % predicted, 90.0 % [90.0…90.0 "
        "in 3 launches] measured."
    )
    assert len(found.evidence) == 2
    assert reach.text == (
        "NPB BT-MZ class A: 16 zones balance to 95.0 % or more on up to 4 ranks; beyond that to "
        "92.7 % on 5, 29.0 % on 16."
    )
    assert reach.evidence == found.evidence[:1]


@pytest.mark.parametrize(
    "changes", [{"ranks": 1}, {"verified": "failed"}, {"options": {"star": True}}]
)
def test_one_rank_copies_and_what_failed_have_no_balance(changes: dict[str, Any]) -> None:
    context = ran(rate(BT_MZ.name, **changes), 0.95, (0.8, 1.0))
    assert balances(context) == {}
    assert sentences(context) == []


def planned(*cases: tuple[str, str, int]) -> Plan:
    steps = [
        a_step(benchmark=benchmark, options={"class": size}, ranks=ranks)
        for benchmark, size, ranks in cases
    ]
    return Plan(
        profile="full", seed=1, budget_seconds=None, seconds=1.0, steps=tuple(steps), skipped=()
    )


def test_a_plan_says_how_far_its_zones_can_be_balanced() -> None:
    cases = [("npb/sp_mz", "C", n) for n in (252, 1, 257, 16)]
    bt, sp, largest = foresee(
        planned(*cases, ("npb/bt_mz", "S", 1), ("npb/sp_mz", "E", 2), ("npb/bt", "A", 4))
    )
    assert bt == (
        "npb/bt_mz class S: 4 zones balance to 95.0 % or more on up to 1 rank; beyond that to "
        "80.0 % on 2, 40.0 % on 4"
    )
    assert sp == (
        "npb/sp_mz class C: 256 zones balance to 95.0 % or more on up to 14 ranks, and on at most "
        "256; in between the balance falls to 50.2 % on 255; planned: 100 % on 16, 50.8 % on 252"
    )
    assert largest == "npb/sp_mz class E: 4096 zones; planned: 100 % on 2"


def test_copies_and_unknown_classes_have_no_zones_to_share() -> None:
    star = a_step(benchmark=BT_MZ.name, options={"class": "A", "star": True}, ranks=2)
    plan = planned((BT_MZ.name, "Z", 2))
    assert not foresee(plan.model_copy(update={"steps": (*plan.steps, star)}))


def test_of_a_class_that_nobody_knows_only_the_balance_is_reported() -> None:
    context = ran(rate(BT_MZ.name, point={"class": "Z"}), 0.95, (0.8, 1.0))
    context = context.adding(explain(context))
    assert [one.text.partition(":")[0] for one in sentences(context)] == ["Load balance of zones"]


def test_a_promise_is_a_number() -> None:
    assert balances(ran(rate(BT_MZ.name), "even", (0.8, 1.0))) == {}


def test_programs_without_zones_promise_nothing() -> None:
    assert balances(ran(rate(BT.name), 0.95, (0.8, 1.0))) == {}


def test_ranks_on_several_nodes_say_so_and_networks_change_nothing() -> None:
    row = rate(BT_MZ.name, nodes=2, toolchain="gnu", network="ib")
    context = ran(row, 0.95, (0.8, 1.0))
    context = context.adding(explain(context))
    text = sentences(context)[0].text
    assert "NPB BT-MZ class A on 2 ranks on 2 nodes 95.0 % predicted" in text
