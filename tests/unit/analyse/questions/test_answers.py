"""The questions of a plan, answered on rates chosen by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.analyse.questions.answers import answer_questions
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.answers import Cause
from heorot.model.catalogue.benchmark import Size
from heorot.model.machine.cores import Cores
from tests.unit.analyse.builders import a_machine
from tests.unit.analyse.explain.problems import a_rate
from tests.unit.analyse.explain.problems import of_dust as dust_inside
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


def test_a_plan_without_experiments_is_asked_nothing() -> None:
    assert answer_questions(a_run(a_rate(1e9)), [], []) == ()


def test_scaling_is_told_of_the_least_efficient_first() -> None:
    one, two, four = (a_rate(rate, ranks=n) for rate, n in ((1e9, 1), (1.9e9, 2), (2e9, 4)))
    dust = [dust_inside(rate, 512, ranks=n) for rate, n in ((1e9, 1), (3.7e9, 4))]
    answer = answered(
        a_run(one, two, four, *dust),
        asked("cores", *dust),
        asked("cores", one, four, further=(two.setup,)),
    )
    solver, other = answer.lines
    assert (solver.problem, other.problem) == ("Solver class W", "Dust with 512 particles")
    assert [point.cores for point in solver.curve] == [1, 2, 4]
    assert [point.value.median for point in solver.curve] == pytest.approx([1.0, 1.9, 2.0])
    assert (solver.layout, solver.base) == ("4 ranks", "1 rank")
    assert sentence(answer) == (
        "Speedup on 4 cores of a node against one, least efficient first: Solver class W 2.00 "
        "[1.96…2.04 in 3 launches] times as fast, an efficiency of 50.0 % [49.0…51.0 in 3 "
        "launches]; Dust with 512 particles 3.70 [3.63…3.77 in 3 launches] times as fast, an "
        "efficiency of 92.5 % [90.7…94.4 in 3 launches]."
    )
    assert (answer.n_answered, answer.gaps) == (2, ())
    assert {row for claim in answer.sentences for row in claim.evidence} == {
        row.id for row in (one, four, *dust)
    }


def test_kinds_of_cores_together_have_no_efficiency() -> None:
    one, four = a_rate(1e9), a_rate(2e9, ranks=4)
    kinds = (Cores(kind="P", cpus=("0", "1")), Cores(kind="E", cpus=("2", "3")))
    context = a_run(one, four, machine=a_machine(4, cores=kinds))
    answer = answered(context, asked("cores", one, four))
    assert (answer.lines, answer.sentences, answer.n_answered) == ((), (), 1)


def test_problems_for_trying_are_called_too_small() -> None:
    small = replace(FEELING, size=Size(coordinate="class", order=("S", "W"), for_trying=("W",)))
    one, two = a_rate(1e9), a_rate(1e9, ranks=2)
    answer = answered(a_run(one, two, benchmarks=(small,)), asked("cores", one, two))
    assert sentence(answer).endswith(" (class W is too small to judge).")


def test_more_nodes_are_told_of_each_network_apart() -> None:
    one, two = placed(1e9, 1, 4), placed(1.5e9, 2, 8)
    slow, fast = over("eth", [two]), over("ib", [placed(1.8e9, 2, 8)])
    answer = answered(
        a_run(one, *slow, *fast), asked("nodes", one, *slow), asked("nodes", one, *fast)
    )
    assert [(line.network, line.base) for line in answer.lines] == [
        ("eth", "4 ranks"),
        ("ib", "4 ranks"),
    ]
    first, second = sentences(answer)
    assert first.startswith(
        "Speedup on 2 nodes against one, equally full, over eth, least efficient first: Solver "
        "class W 1.50 [1.47…1.53 in 3 launches] times as fast, an efficiency of 75.0 %"
    )
    assert "over ib" in second


def test_the_layout_that_most_programs_have_counts_then_the_largest_problem() -> None:
    usual = [placed(1e9, 1, 4), placed(0.5e9, 2, 4)]
    large = [but(row, point={"class": "A"}, case=f"A{row.nodes}") for row in usual]
    odd = [placed(1e9, 1, 8), placed(0.1e9, 2, 8)]
    dust = [of_dust(1e9, 1, 4), of_dust(0.9e9, 2, 4)]
    experiments = [asked("spread", *rows) for rows in (odd, usual, large, dust)]
    answer = answered(a_run(*usual, *large, *odd, *dust), *experiments)
    assert [line.problem for line in answer.lines] == [
        "Solver class A",
        "Dust with 512 particles",
    ]
    assert answer.n_answered == 4


def test_a_network_loss_has_the_messages_that_explain_it_beside_it() -> None:
    fast, slow = over("ib", [placed(4e9, 2, 8)]), over("eth", [placed(1e9, 2, 8)])
    messages = [*over("ib", [a_message(2e-6)]), *over("eth", [a_message(2e-5)])]
    dust = [*over("ib", [of_dust(1e9, 2, 8)]), *over("eth", [of_dust(0.8e9, 2, 8)])]
    answer = answered(
        a_run(*fast, *slow, *messages, *dust),
        asked("networks", *dust),
        asked("networks", *slow, *fast),
        breakdowns=[divided(fast[0], 1.0, 0.4)],
    )
    solver, other = answer.lines
    assert solver.value.median == pytest.approx(4.0)
    assert other.cause is None
    cause = solver.cause
    assert isinstance(cause, Cause)
    assert cause.times.median == pytest.approx(10.0)
    # Four tenths of the time take ten times as long: 0.6 + 4.
    assert cause.expected is not None
    assert cause.expected.median == pytest.approx(4.6)
    assert sentence(answer).startswith(
        "Time over eth against ib, 8 ranks on 2 nodes, most sensitive first: Solver class W "
        "4.00 [3.92…4.08 in 3 launches] times as long (the latency of a message: 10.0 [9.8…10.2 "
        "in 3 launches] times as long; with 40 % [40…40 in 3 launches] of its time expected: 4.60 "
    )
    assert {row.id for row in messages} <= set(answer.sentences[0].evidence)


def test_a_cause_that_does_not_explain_a_loss_is_not_left_to_stand_for_it() -> None:
    fast, slow = over("ib", [placed(4e9, 2, 8)]), over("eth", [placed(1e9, 2, 8)])
    # Message times are shorter there, and the program takes four times as long all the same.
    messages = [*over("ib", [a_message(2e-6)]), *over("eth", [a_message(1.6e-6)])]
    run = a_run(*fast, *slow, *messages)
    answer = answered(run, asked("networks", *slow, *fast), breakdowns=[divided(fast[0], 1.0, 0.8)])
    assert "times as long, which does not explain it)" in sentence(answer)


def test_without_messages_or_phases_no_cause_is_made_up() -> None:
    fast, slow = over("ib", [placed(4e9, 2, 8)]), over("eth", [placed(1e9, 2, 8)])
    experiment = asked("networks", *slow, *fast)
    assert answered(a_run(*fast, *slow), experiment).lines[0].cause is None
    messages = [*over("ib", [a_message(2e-6)]), *over("eth", [a_message(2e-5)])]
    (line,) = answered(a_run(*fast, *slow, *messages), experiment).lines
    assert line.cause is not None
    assert (line.cause.share, line.cause.expected) == (None, None)


def test_messages_alone_say_which_network_is_the_faster_one() -> None:
    rows = [*over("eth", [a_message(2e-5)]), *over("ib", [a_message(2e-6)])]
    (line,) = answered(a_run(*rows), asked("networks", *rows)).lines
    assert line.network == "eth"
    assert line.value.median == pytest.approx(10.0)


def losing(row: Result, lost: float) -> Result:
    """The loss of a copy, as the analysis derives it."""
    ends = {"median": lost, "ci_low": lost - 0.01, "ci_high": lost + 0.01}
    named = {"metric": "star_degradation", "unit": "1", "better": "lower", "derived": True}
    return row.model_copy(update=ends | named)


def test_copies_are_reported_by_what_they_lose_most_first() -> None:
    alone = [a_rate(1e9), dust_inside(1e9, 512)]
    four = [a_rate(3e9, ranks=4), dust_inside(4e9, 512, ranks=4)]
    solver, dust = (but(row, options={"star": True}, case=f"{row.case}_star") for row in four)
    rows = [*alone, solver, dust, losing(solver, 0.25), losing(dust, 0.0)]
    experiments = [asked("copies", alone[1], dust), asked("copies", alone[0], solver)]
    answer = answered(a_run(*rows), *experiments)
    assert [line.problem for line in answer.lines] == ["Solver class W", "Dust with 512 particles"]
    assert sentence(answer) == (
        "Contention, loss of each of 4 copies at once, largest first: Solver class W 25.0 % "
        "[24.0…26.0 in 3 launches]."
    )
    none = answered(a_run(*rows[:-2], losing(dust, 0.0)), experiments[0])
    assert sentence(none) == (
        "Contention: with 4 copies at once none of 1 program loses speed beyond noise."
    )


def test_ranks_are_held_against_threads_on_as_many_cores() -> None:
    ranks, threads = a_rate(2e9, ranks=4), a_rate(1e9, ranks=1, threads=4)
    assert sentence(answered(a_run(ranks, threads), asked("layouts", ranks, threads))) == (
        "Time on 4 cores of a node with 1 rank of 4 threads against 4 ranks: Solver class W 2.00 "
        "[1.96…2.04 in 3 launches] times as long."
    )


def test_messages_are_reported_by_percent_at_each_size_and_the_largest_of_each_range() -> None:
    sizes = {8: 1.5, 512: 1.1, 4096: 1.2, 65536: 0.7}
    two = [a_message(1e-6, size) for size in sizes]
    four = [
        a_message(1e-6 * factor, size, nodes=4, ranks=4, case="four_nodes")
        for size, factor in sizes.items()
    ]
    answer = answered(a_run(*two, *four), asked("nodes", two[0], four[0]))
    (found,) = answer.sizes
    assert [one.bytes for one in found.changes] == [8, 512, 4096, 65536]
    assert [one.change.median for one in found.changes] == pytest.approx([0.5, 0.1, 0.2, -0.3])
    largest = [found.largest(number) for number in range(4)]
    assert [one and one.bytes for one in largest] == [8, 65536, None, None]
    # Times of messages are no work that nodes share.
    assert [line.efficiency for line in answer.lines] == [None]
    assert answer.sentences == ()


def test_other_toolchains_are_told_of_elsewhere() -> None:
    one, two = a_rate(1e9), a_rate(2e9, ranks=2)
    others = [but(row, toolchain="clang-15") for row in (one, two)]
    experiments = [asked("cores", one, two), asked("cores", *others)]
    answer = answered(a_run(one, two, *others), *experiments)
    assert len(answer.lines) == 1
    assert answer.n_answered == 2
