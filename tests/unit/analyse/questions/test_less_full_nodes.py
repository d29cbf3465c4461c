"""The same ranks on more, less full nodes: gains and losses by layout, and their reasons."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.analyse.memory_bandwidth import REFERENCE
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.answers import Answer
from heorot.model.catalogue.metrics import Metric, Reference
from tests.unit.analyse import builders
from tests.unit.analyse.explain.problems import MIB, a_machine_with, a_step_of
from tests.unit.analyse.explain.spread.placing import divided, of_dust, over, placed
from tests.unit.analyse.questions.asking import (
    FEELING,
    a_message,
    a_run,
    answered,
    asked,
    sentence,
    sentences,
)
from tests.unit.model.keys import but

# One cache of 8 MiB for the four cores of a node.
MACHINE = a_machine_with((3, 8 * MIB, 4, 1))
STREAM = builders.a_benchmark(
    "memory/triad",
    metrics=(Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),),
    publishes=(Reference(name=REFERENCE, metric="bandwidth", regions=("triad",)),),
)


def bandwidth(rate: float, cores: int) -> Result:
    """Memory bandwidth of some cores of a node together."""
    return builders.a_result(
        benchmark=STREAM.name,
        region="triad",
        metric="bandwidth",
        unit="B/s",
        median=rate,
        threads=cores,
        case=f"on_{cores}",
    )


def spread_over(*rows: Result, **run: Any) -> Answer:
    """The answer of one program, whose first and last rows are compared."""
    further = tuple(row.setup for row in rows[1:-1])
    experiment = asked("spread", rows[0], rows[-1], further=further)
    breakdowns = run.pop("breakdowns", ())
    return answered(a_run(*rows, **run), experiment, breakdowns=breakdowns)


def test_every_layout_has_its_change_against_the_fullest_nodes() -> None:
    answer = spread_over(placed(4e9, 1, 4), placed(5e9, 2, 4), placed(2e9, 4, 4))
    (line,) = answer.lines
    assert [place.name for place in line.places] == ["1x4", "2x2", "4x1"]
    first, *others = (place.change for place in line.places)
    assert first is None
    assert [change.median for change in others if change] == pytest.approx([-0.2, 1.0])
    assert {change.launches for change in others if change} == {3}


def test_threads_stand_behind_the_ranks_of_a_layout() -> None:
    (line,) = spread_over(placed(4e9, 1, 2, 2), placed(5e9, 2, 2, 2)).lines
    assert [place.name for place in line.places] == ["1x2x2", "2x1x2"]


def test_the_sentence_begins_with_the_largest_gain_or_loss() -> None:
    solver = [placed(3e9, 1, 4), placed(1e9, 2, 4)]

    def said(dust: float) -> str:
        rows = [of_dust(1e9, 1, 4), of_dust(dust, 2, 4)]
        experiments = asked("spread", *rows), asked("spread", *solver)
        return sentence(answered(a_run(*solver, *rows), *experiments))

    assert said(4e9) == (
        "Dust with 512 particles takes 0.250 [0.245…0.255 in 3 launches] times as long with 4 "
        "ranks on 2 nodes instead of one; Solver class W 3.00 [2.94…3.06 in 3 launches] times as "
        "long."
    )
    assert said(1e9) == (
        "Solver class W takes 3.00 [2.94…3.06 in 3 launches] times as long with 4 ranks on 2 nodes "
        "instead of one; Dust with 512 particles as long (no difference that 3 launches can show)."
    )


def test_every_network_has_its_sentence() -> None:
    one, two = placed(3e9, 1, 4), placed(1e9, 2, 4)
    slow, fast = over("eth", [two]), over("ib", [placed(2e9, 2, 4)])
    answer = answered(
        a_run(one, *slow, *fast), asked("spread", one, *slow), asked("spread", one, *fast)
    )
    first, second = sentences(answer)
    assert "on 2 nodes instead of one, over eth." in first
    assert "on 2 nodes instead of one, over ib." in second


def test_a_loss_is_explained_by_the_phase_that_grew() -> None:
    one, two = placed(4e9, 1, 2), placed(1e9, 2, 2)
    phases = [divided(one, 1.0, 0.1), divided(two, 4.0, 0.7)]
    answer = spread_over(one, two, breakdowns=phases)
    assert "instead of one (communication takes 70 % [" in sentence(answer)
    assert {row for one in phases for row in one.rows} <= set(answer.sentences[0].evidence)


def test_a_gain_is_explained_by_the_cache_that_the_problem_begins_to_fit() -> None:
    rows = placed(1e9, 1, 4), placed(2e9, 2, 4)
    steps = [a_step_of(row, 12 * MIB) for row in rows]
    (line,) = spread_over(*rows, steps=steps, machine=MACHINE).lines
    assert [reason.text for reason in line.reasons] == [
        "its 12 MiB fit the level-3 caches of 2 nodes (16 MiB), not those of one (8 MiB)"
    ]


def test_a_gain_of_what_lies_in_memory_is_explained_by_its_bandwidth_per_core() -> None:
    rows = placed(1e9, 1, 4), placed(1.5e9, 2, 4)
    steps = [a_step_of(row, 64 * MIB) for row in rows]
    known: dict[str, Any] = {"steps": steps, "machine": MACHINE, "benchmarks": (FEELING, STREAM)}
    memory = [bandwidth(20e9, 2), bandwidth(20e9, 4)]
    experiment = asked("spread", *rows)
    (line,) = answered(a_run(*rows, *memory, **known), experiment).lines
    (reason,) = line.reasons
    assert reason.text.startswith("memory bandwidth per core 2.00 [")
    # Equal per core, or not measured: then it is no reason.
    for other in (memory[1:], [bandwidth(10e9, 2), memory[1]]):
        assert answered(a_run(*rows, *other, **known), experiment).lines[0].reasons == ()
    # Nor is it for a program that gains in another part of its time.
    phases = [divided(rows[0], 1.5, 0.6), divided(rows[1], 1.0, 0.35)]
    (line,) = answered(a_run(*rows, *memory, **known), experiment, breakdowns=phases).lines
    assert [reason.text.partition(" takes ")[0] for reason in line.reasons] == ["communication"]


def test_what_may_be_no_difference_has_no_reason() -> None:
    one, two = placed(1e9, 1, 4), placed(1e9, 2, 4)
    phases = [divided(one, 1.0, 0.1), divided(two, 1.0, 0.4)]
    (line,) = spread_over(one, two, breakdowns=phases).lines
    assert (line.reasons, line.differs) == ((), False)


def test_on_other_nodes_only_messages_of_the_same_layout_explain_anything() -> None:
    rows = [placed(4e9, 2, 8), placed(1e9, 4, 8)]
    near = [a_message(1e-6, nodes=2, ranks=8), a_message(3e-6, nodes=4, ranks=8, case="four")]
    experiment = asked("spread", *rows)
    (line,) = answered(a_run(*rows, *near), experiment).lines
    assert line.cause is not None
    assert line.cause.times.median == pytest.approx(3.0)
    (line,) = answered(a_run(*rows, near[0], but(near[1], ranks=4)), experiment).lines
    assert line.cause is None
