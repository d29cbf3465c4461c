"""Times follow from counts of programs, the calibration of the machine, and the working cores."""

from __future__ import annotations

import pytest

from heorot.catalogue.asked import Asked
from heorot.catalogue.estimates import Cost, by_counts
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.machine import Machine
from heorot.model.machine.pace import Pace
from tests.unit.analyse.builders import a_machine

PACE = Pace(
    scalar_speed=2.0, vector_speed=4.0, busy_share=0.5, core_bandwidth=10e9, node_bandwidth=20e9
)
# 21 points, and the option's number of branches in each.
PROGRAM = "compute/branches"
DECISIONS = 21 * 256.0


def seconds(cost: Cost, **layout: int) -> float:
    return of_program(PROGRAM, cost, {"length": 256, "budget": 0.5}, **layout)


def of_program(
    program: str, cost: Cost, options: dict[str, bool | float | str], **layout: int
) -> float:
    machine: Machine = a_machine(8).model_copy(update={"pace": PACE})
    case = Case(name="x", options={**options}).model_copy(update=layout)
    return by_counts(program, cost)(machine, case).needs.seconds


def test_points_use_a_part_of_their_budgets() -> None:
    assert seconds(Cost("points", 0.2, "budget")) == pytest.approx(21 * 0.2 * 0.5)
    assert seconds(Cost("points", 0.2, "budget"), threads=8) == pytest.approx(21 * 0.2 * 0.5)


def test_one_thread_takes_as_long_as_all_did_in_their_budgets() -> None:
    cost = Cost("points", 0.2, "budget", alone=True)
    assert seconds(cost, threads=8) == pytest.approx(8 * 21 * 0.2 * 0.5)


@pytest.mark.parametrize(
    ("by", "layout", "expected"),
    [
        ("core", {}, DECISIONS / 2.0),
        ("vector", {}, DECISIONS / 4.0),
        # Of four cores each has half of its speed, and shares the work.
        ("core", {"threads": 4}, DECISIONS / 4 / 1.0),
        ("vector", {"threads": 4}, DECISIONS / 4 / 2.0),
        # Every rank has branches of its own.
        ("core", {"ranks": 4}, DECISIONS / 1.0),
        ("core", {"ranks": 4, "nodes": 4}, DECISIONS / 2.0),
        # More of them than cores wait for each other.
        ("core", {"ranks": 16}, 2 * DECISIONS / 1.0),
        ("memory", {}, DECISIONS / 10e9),
        ("memory", {"ranks": 4}, 4 * DECISIONS / 20e9),
        ("memory", {"ranks": 4, "nodes": 4}, DECISIONS / 10e9),
    ],
)
def test_work_is_shared(by: str, layout: dict[str, int], expected: float) -> None:
    cost = Cost("decisions", 1.0, by)  # type: ignore[arg-type]
    assert seconds(cost, **layout) == pytest.approx(expected)


def test_messages_go_through_memory_or_through_the_line_of_each_node() -> None:
    cost = Cost("bytes", 3.0, "messages")
    options: dict[str, bool | float | str] = {"sizes": "8,4096"}

    def sent(**layout: int) -> float:
        return of_program("messages/exchange", cost, options, **layout)

    per_rank = 2 * (8 + 4096)
    # Copied in and out, read and written each time; gigabit Ethernet if unknown.
    assert sent(ranks=4) == pytest.approx(3.0 * 4 * 4 * per_rank / 20e9)
    assert sent(ranks=4, nodes=2) == pytest.approx(3.0 * 2 * per_rank / 100e6)


def test_what_one_thread_does_is_not_shared() -> None:
    cost = Cost("decisions", 1.0, "core", alone=True)
    assert seconds(cost, threads=4) == pytest.approx(DECISIONS / 1.0)
    assert seconds(cost, ranks=4) == pytest.approx(DECISIONS / 1.0)


def test_every_rank_has_all_points() -> None:
    cost = Cost("points", 1.0, "core", alone=True)
    assert seconds(cost) == pytest.approx(21 / 2.0)
    assert seconds(cost, ranks=4) == pytest.approx(21 / 1.0)


def test_all_points_are_those_of_every_node() -> None:
    cost = Cost("points", 1.0, "core", alone=True)
    assert seconds(cost, ranks=4, nodes=4) == seconds(cost) == pytest.approx(21 / 2.0)


def test_some_of_it_takes_as_long_on_any_machine() -> None:
    cost = Cost("points", 0.5, "clock")
    assert seconds(cost) == seconds(cost, ranks=4, nodes=2) == pytest.approx(21 * 0.5)


def test_items_of_an_option_take_longer_or_shorter() -> None:
    options: dict[str, bool | float | str] = {"n": "10,20", "textbook-max-n": 10}
    factors = {"ijk": 3.0, "jki": 0.0, "blas": 0.0}
    cost = Cost("flops", 1.0, "core", option="regions", factors=factors)
    small, both = 2.0 * 1000, 2.0 * 9000
    found = of_program("algorithms/matrix_multiply", cost, options)
    assert found == pytest.approx((3.0 * small + small + both) / 2.0)
    found = of_program("algorithms/matrix_multiply", cost, {**options, "regions": "ijk,blas"})
    assert found == pytest.approx(3.0 * small / 2.0)


def a_number_of_steps(asked: Asked) -> float:
    return {"cg_jacobi": 2.0, "cg_sgs": 1.0}[asked.word("methods")] * asked.number("n")


def test_each_of_a_list_takes_what_is_longest_of_it() -> None:
    step = Cost("step_bytes", 1.0, "memory", times=a_number_of_steps)
    options: dict[str, bool | float | str] = {"n": "2,40", "methods": "cg_jacobi,cg_sgs"}
    case = Case(name="x", options={**options, "budget": 0.01})
    machine = a_machine(8).model_copy(update={"pace": PACE})
    lists = ("n", "methods")
    program = "algorithms/sparse_solve"
    small, large = (
        [
            by_counts(program, step, apart=lists)(
                machine, case.model_copy(update={"options": {"n": n, "methods": method}})
            ).needs.seconds
            for method in ("cg_jacobi", "cg_sgs")
        ]
        for n in (2, 40)
    )
    # 36 elements and 8 rows, two steps for each of two points, 12 and 20 bytes in a product; 128
    # more by the diagonal and the vectors.
    elements, rows = 7 * 8 - 6 * 4, 8
    assert small[0] == pytest.approx(4 * (12 * elements + (20 + 24 + 104) * rows) / 10e9)
    both = by_counts(program, (step, Cost("points", 0.5, "budget")), apart=lists)(machine, case)
    assert both.needs.seconds == pytest.approx(2 * 0.005 + sum(large))
    assert both.needs.memory_bytes == 600 * 40**3 + (4 << 20)


def test_what_is_no_item_of_a_list_takes_nothing() -> None:
    step = Cost("step_bytes", 1.0, "memory", times=a_number_of_steps)
    case = Case(name="x", options={"methods": "cg_none"})
    estimate = by_counts("algorithms/sparse_solve", step, apart=("methods",))
    assert estimate(a_machine(8), case).needs.seconds == 0.0


def test_parts_are_added_and_memory_is_what_the_program_says() -> None:
    parts = (Cost("points", 0.2, "budget"), Cost("decisions", 1.0, "core"))
    case = Case(name="x", options={"length": 256, "budget": 0.5})
    machine = a_machine(8).model_copy(update={"pace": PACE})
    estimated = by_counts(PROGRAM, *parts)(machine, case)
    assert estimated.needs.seconds == pytest.approx(2.1 + DECISIONS / 2.0)
    assert estimated.needs.memory_bytes == 64 * 256 + (4 << 20)
