"""Experiments: cases that answer a question together, and the order of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import pytest

from heorot.model.catalogue.benchmark import Case, Priority
from heorot.model.catalogue.need import Need
from heorot.model.run.experiment import ASKED, Question
from heorot.model.run.plan import Plan
from heorot.model.run.request import Request
from heorot.plan.candidate import Candidate
from heorot.plan.experiments import Group, experiments_of
from heorot.plan.offer import Offer
from heorot.plan.planner import make_plan
from heorot.recipes.catalogue import benchmark_of
from heorot.recipes.read import read_recipe, shipped
from tests.unit.analyse.builders import a_benchmark, a_machine
from tests.unit.plan.test_planner import WITH_MPI, WITHOUT_MPI

ROOM = Offer(cores=8, memory_bytes=16 << 30, nodes=8)


def one(
    name: str = "a",
    ranks: int = 1,
    threads: int = 1,
    nodes: int = 1,
    *,
    priority: Priority = "detail",
    star: bool = False,
    n: int = 1,
    network: str = "",
    questions: tuple[Question, ...] = (),
    seconds: float = 1.0,
) -> Candidate:
    benchmark = a_benchmark(f"{name}/{name}", problem=("n",), suits=questions)
    case = Case(
        name=f"{nodes}x{ranks}x{threads}{'_copies' if star else ''}_{n}",
        options={"n": n, "budget": ranks, **({"star": True} if star else {})},
        ranks=ranks,
        threads=threads,
        nodes=nodes,
        priority=priority,
        needs=Need(seconds=seconds),
    )
    return Candidate(benchmark, case, WITH_MPI, network=network)


def asked(candidates: Sequence[Candidate], question: Question) -> list[Group]:
    return [group for group in experiments_of(candidates) if group.question == question]


def test_a_size_that_grows_with_the_nodes_is_one_problem_on_all_of_them() -> None:
    cases = [one(ranks=2, n=10), one(ranks=4, nodes=2, n=14), one(ranks=8, nodes=4, n=20)]
    assert asked(cases, "nodes") == []
    fitted = [replace(each, case=each.case.model_copy(update={"fitted": ("n",)})) for each in cases]
    assert asked(fitted, "nodes") == [Group("nodes", (0, 2), (1,))]


@pytest.mark.parametrize(
    ("name", "question", "least"),
    [
        ("hpl", "nodes", ("fitted_r2", "fitted_r8_n4")),
        ("hpl", "cores", ("standard_r1", "standard_r2")),
        ("hpcg", "nodes", ("standard_r2", "standard_r8_n4")),
        ("lammps", "nodes", ("in_lj_r2", "in_lj_r8_n4")),
        ("osu", "nodes", ("allreduce_r2", "allreduce_r8_n4")),
    ],
)
def test_recipes_over_nodes_answer_questions(
    name: str, question: Question, least: tuple[str, str]
) -> None:
    benchmark, machine = benchmark_of(read_recipe(shipped()[name])), a_machine(2)
    over = benchmark.over_nodes
    assert over is not None
    cases = [*benchmark.cases(machine, "standard")]
    cases += [case for nodes in (2, 4) for case in over(machine, "standard", nodes)]
    groups = asked([Candidate(benchmark, case, WITH_MPI) for case in cases], question)
    found = [tuple(cases[place].name for place in group.least) for group in groups]
    assert least in found
    assert question in benchmark.suits or question == "cores"


def test_scaling_is_one_core_and_all_of_them_then_what_lies_between() -> None:
    cases = [one(ranks=4), one(ranks=2), one(), one(threads=4), one(n=2)]
    assert asked(cases, "cores") == [Group("cores", (2, 0), (1,))]
    assert asked(cases, "layouts") == [Group("layouts", (0, 3))]
    assert asked(cases, "details") == [Group("details", (4,))]


def test_copies_are_held_against_one() -> None:
    cases = [one(), one(ranks=2, star=True), one(ranks=4, star=True)]
    assert asked(cases, "copies") == [Group("copies", (0, 2), (1,))]
    assert asked(cases, "cores") == []
    assert asked(cases[1:], "copies") == []


def test_more_nodes_are_as_full_and_the_same_ranks_are_spread() -> None:
    full = [one(ranks=4 * nodes, nodes=nodes) for nodes in (1, 2, 4)]
    thin = [one(ranks=4, nodes=nodes) for nodes in (2, 4)]
    cases = [*full, *thin]
    assert asked(cases, "nodes") == [Group("nodes", (0, 2), (1,))]
    assert asked(cases, "spread") == [Group("spread", (0, 4), (3,))]


def test_as_many_ranks_as_one_node_has_come_before_those_of_fuller_nodes() -> None:
    # 8 ranks as 2 x 4 and 4 x 2; 4 as 1 x 4, 2 x 2, 4 x 1.
    cases = [one(ranks=8, nodes=nodes) for nodes in (2, 4)]
    cases += [one(ranks=4, nodes=nodes) for nodes in (1, 2, 4)]
    assert asked(cases, "spread") == [Group("spread", (2, 4), (3,)), Group("spread", (0, 1))]


def test_who_says_how_nodes_are_filled_has_several_equal_totals_in_a_turn() -> None:
    cases = [
        one(name, ranks=2 * each, nodes=nodes)
        for name in "abcd"
        for nodes, each in ((1, 1), (1, 2), (2, 1), (2, 2))
    ]

    def first(*, filled: bool) -> list[Question]:
        order = [group.question for group in experiments_of(cases, filled=filled)]
        return order[:5]

    assert first(filled=False) == ["nodes", "spread", "cores", "nodes", "spread"]
    assert first(filled=True) == ["nodes", "spread", "spread", "spread", "cores"]


def test_all_links_are_crossed_by_the_fewest_ranks_over_each_network_before_much_else() -> None:
    links: tuple[Question, ...] = ("links",)
    cases = [one("a", priority="headline"), one("b", priority="headline")]
    for network in ("ethernet", "fast"):
        cases += [one("c", ranks, 1, 4, network=network, questions=links) for ranks in (16, 4)]
    cases.append(one("c", ranks=2, nodes=2, network="fast", questions=links))
    assert asked(cases, "links") == [Group("links", (3,)), Group("links", (5,))]
    order = [group.question for group in experiments_of(cases)]
    assert order[:4] == ["speed", "speed", "links", "links"]
    assert asked(cases[:2], "links") == []


def test_each_network_has_its_nodes_and_they_are_held_against_each_other() -> None:
    cases = [
        one(ranks=4),
        *(one(ranks=8, nodes=2, network=network) for network in ("ethernet", "fast")),
    ]
    assert asked(cases, "nodes") == [Group("nodes", (0, 1)), Group("nodes", (0, 2))]
    assert asked(cases, "networks") == [Group("networks", (1, 2))]


def test_toolchains_are_compared_by_what_the_score_card_shows() -> None:
    cases = [
        Candidate(each.benchmark, each.case, chain)
        for each in (one(priority="headline"), one(n=2))
        for chain in (WITH_MPI, WITHOUT_MPI)
    ]
    assert asked(cases, "toolchains") == [Group("toolchains", (0, 1))]


def test_of_two_cases_in_one_layout_the_more_important_one_is_compared() -> None:
    cases = [one(), one(priority="main"), one(ranks=2)]
    assert asked(cases, "cores") == [Group("cores", (1, 2))]


def test_every_case_is_in_an_experiment_and_every_question_has_words() -> None:
    cases = [one(ranks=r, nodes=n, star=r == 3, n=r % 2) for r in (1, 2, 3, 4) for n in (1, 2)]
    cases.append(one(priority="headline"))
    found = experiments_of(cases)
    assert {p for group in found for p in (*group.least, *group.further)} == {*range(len(cases))}
    assert ASKED.keys() == {*get_args(Question)}


def test_questions_take_turns_and_so_do_programs_the_most_instructive_first() -> None:
    asked: dict[str, tuple[Question, ...]] = {"a": (), "b": ("cores",), "c": ()}
    cases = [
        case
        for name, questions in asked.items()
        for n in (1, 2)
        for case in (
            one(name, n=n, priority="headline", questions=questions),
            one(name, ranks=2, n=n, questions=questions),
        )
    ]

    def order(*more: Candidate) -> list[tuple[str, str]]:
        every = [*cases, *more]
        return [
            (one.question, every[one.least[0]].benchmark.family) for one in experiments_of(every)
        ]

    scaled = ["b", "a", "c", "b", "a", "c"]
    alone = [("speed", name) for name in "abcabc"]
    assert order() == [*alone, *(("cores", name) for name in scaled)]
    over_nodes = order(one("d", ranks=4, nodes=2))
    assert over_nodes[:5] == [*alone[:3], ("cores", "b"), ("speed", "d")]
    assert [family for question, family in over_nodes if question == "cores"] == scaled


@pytest.fixture
def whole() -> Plan:
    """A budget for about half of what is wanted."""
    cases = [
        case
        for number, name in enumerate("abcdefgh")
        for case in (
            one(name, priority="headline", seconds=1.0 + number),
            one(name, ranks=2, seconds=3.0),
            one(name, ranks=4, seconds=2.0),
            one(name, ranks=8, nodes=2, seconds=5.0),
        )
    ]
    return make_plan(cases, (), ROOM, Request(budget_seconds=60.0), seed=1)


def test_an_experiment_is_planned_whole_or_left_out(whole: Plan) -> None:
    ran = Counter(step.setup for step in whole.steps)
    for each in whole.experiments:
        had = all(setup in ran for setup in each.setups)
        assert had == (each.budget_seconds == 0.0)
    answered = {each.question for each in whole.experiments if not each.budget_seconds}
    assert answered >= {"speed", "cores", "nodes"}
    needed = {s for e in whole.experiments if not e.budget_seconds for s in (*e.setups, *e.further)}
    assert ran.keys() <= needed


def test_a_plan_keeps_its_experiments(whole: Plan) -> None:
    again = Plan.model_validate_json(whole.model_dump_json())
    assert again.experiments == whole.experiments
    assert again.digest == whole.digest
    assert whole.seconds == pytest.approx(sum(step.seconds for step in whole.steps), rel=0.01)
