"""Balance of zones between ranks: what was promised and what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.results import group_series
from heorot.families.npb.balance import explain, sentences
from heorot.families.npb.programs import BT, BT_MZ, MEASURED_BALANCE, PREDICTED_BALANCE
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine, Phase

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result
    from tests.unit.conftest import Kit


def rate(kit: Kit, name: str, **changes: Any) -> Result:
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
    return kit.result(**(fields | changes))


def ran(kit: Kit, row: Result, promise: float | str, computing: tuple[float, ...]) -> Context:
    """A run of one case whose ranks compute so long."""
    step = kit.step(benchmark=row.benchmark, case=row.case, toolchain=row.toolchain)
    idle = tuple(0.0 for _ in computing)
    phase = Phase(
        name="solve",
        computation_seconds=computing,
        communication_seconds=idle,
        messages=idle,
        bytes=idle,
        collectives=idle,
    )
    series = kit.series(
        step=step.id,
        benchmark=row.benchmark,
        case=row.case,
        region=row.region,
        point=row.point,
        toolchain=row.toolchain,
        ranks=row.ranks,
        phases=(phase,),
    )
    note = NoteLine(type="note", name="predicted_rank_balance", value=promise)
    outcome = Outcome(step=step.id, state="completed", notes=(note,))
    return kit.context([row], group_series([series]), steps=[step], outcomes=[outcome])


def balances(context: Context) -> dict[str, float]:
    return {row.metric: row.median for row in explain(context)}


def test_promise_and_measurement_stand_side_by_side(kit: Kit) -> None:
    context = ran(kit, rate(kit, BT_MZ.name), 0.95, (0.8, 1.0))
    assert balances(context) == {PREDICTED_BALANCE: 0.95, MEASURED_BALANCE: pytest.approx(0.9)}
    context.rows.extend(explain(context))
    (found,) = sentences(context)
    assert found.text == (
        "Balance of zones between ranks: NPB BT-MZ class A on 2 ranks 95.0 % promised, "
        "90.0 % [90.0, 90.0] measured."
    )
    assert len(found.evidence) == 2


@pytest.mark.parametrize(
    "changes", [{"ranks": 1}, {"verified": "failed"}, {"options": {"star": True}}]
)
def test_one_rank_copies_and_what_failed_have_no_balance(kit: Kit, changes: dict[str, Any]) -> None:
    context = ran(kit, rate(kit, BT_MZ.name, **changes), 0.95, (0.8, 1.0))
    assert balances(context) == {}
    assert sentences(context) == []


def test_a_promise_is_a_number(kit: Kit) -> None:
    assert balances(ran(kit, rate(kit, BT_MZ.name), "even", (0.8, 1.0))) == {}


def test_programs_without_zones_promise_nothing(kit: Kit) -> None:
    assert balances(ran(kit, rate(kit, BT.name), 0.95, (0.8, 1.0))) == {}
