"""Questions on clusters of many shapes: smoke crosses every link, unasked ones are listed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from heorot.errors import UsageError
from heorot.families import BENCHMARKS
from heorot.model.catalogue.benchmark import Case, Profile
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site, SiteNetwork
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.run.experiment import Question
from heorot.model.run.plan import Plan
from heorot.model.run.request import Chosen, Request
from heorot.plan.budget import Width, promised_seconds
from heorot.session import preparation
from heorot.session.preparation import Prepared, prepare
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_machine

_CHAIN = Toolchain(
    name="gnu",
    compilers=some_compilers("g++", "GNU 12"),
    mpi=Mpi(flavour="mpich", version="5", cxx=Path("mpicxx"), mpiexec=Path("mpiexec")),
)
_SITES = {
    1: Site(networks=(SiteNetwork(name="fast", rate_bits=100e9),)),
    2: Site(
        networks=(
            SiteNetwork(name="fast", rate_bits=100e9),
            SiteNetwork(name="slow", rate_bits=1e9),
        )
    ),
}
QUESTIONS = {*get_args(Question)} - {"details"}


@pytest.fixture(autouse=True)
def _one_toolchain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "list_toolchains", lambda *_: (_CHAIN,))
    monkeypatch.setattr(preparation, "pace_of", lambda *_, **__: None)


def prepared(request: Request, cores: int = 2, n_networks: int = 1) -> Prepared:
    machine: Machine = a_machine(cores)
    return prepare(request, machine=machine, site=_SITES[n_networks])


def plan_for(profile: Profile, nodes: tuple[int, ...], cores: int = 2, n_networks: int = 1) -> Plan:
    return prepared(Request(profile=profile, nodes=nodes, seed=1), cores, n_networks).plan


@pytest.mark.parametrize("n_networks", [1, 2])
@pytest.mark.parametrize(
    ("nodes", "cores"), [((2,), 2), ((1, 3), 2), ((1, 2, 4), 32), ((8,), 1), ((1, 64), 128)]
)
def test_smoke_crosses_every_link_over_every_network_by_verified_collectives(
    nodes: tuple[int, ...], cores: int, n_networks: int
) -> None:
    request = Request(profile="smoke", nodes=nodes, seed=1)
    plan = prepared(request, cores, n_networks).plan
    promised = promised_seconds(request, Width(networks=n_networks))
    assert promised is not None
    assert plan.seconds <= 0.8 * promised
    crossed: dict[str, set[int]] = {}
    for step in plan.steps:
        if step.benchmark == "messages/collectives" and step.nodes > 1:
            crossed.setdefault(step.network, set()).update(step.numbers)
    every = {*range(max(nodes))}
    assert crossed == ({"fast": every, "slow": every} if n_networks > 1 else {"": every})
    ran = {step.setup for step in plan.steps}
    links = [each for each in plan.experiments if each.question == "links"]
    assert [each.answer(ran) for each in links] == ["answered"] * n_networks


@pytest.mark.parametrize(
    "profile", ["smoke", "quick", pytest.param("standard", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    ("nodes", "cores", "n_networks"),
    [((1,), 1, 1), ((1,), 2, 1), ((1, 2, 4), 2, 1), ((1, 2, 4), 2, 2), ((4,), 1, 2)],
)
def test_no_question_is_silently_empty(
    profile: Profile, nodes: tuple[int, ...], cores: int, n_networks: int
) -> None:
    plan = plan_for(profile, nodes, cores, n_networks)
    asked = {each.question for each in plan.experiments} - {"details"}
    assert asked | plan.unasked.keys() == QUESTIONS
    assert not asked & plan.unasked.keys()
    assert all(plan.unasked.values())
    ran = {step.setup for step in plan.steps}
    for each in plan.experiments:
        assert each.answer(ran) == "answered" or each.budget_seconds > 0.0


def test_what_the_machine_cannot_ask_is_said_with_its_reason() -> None:
    one = plan_for("quick", (1,), 1).unasked
    assert one["cores"] == one["copies"] == one["layouts"] == "a node has one core"
    assert one["networks"] == one["links"] == "one node is requested; --nodes 1,2 requests more"
    assert one["toolchains"] == "there is one; --toolchain takes several"
    four = plan_for("quick", (4,), 2).unasked
    assert four["networks"] == "there is one network; `networks` of the site file names more"
    assert four["nodes"] == "one number of nodes is requested; --nodes takes several"
    assert four["cores"] == "no run in one node is requested; --nodes 1 adds it"
    only = prepared(Request(only=("memory/stream",), nodes=(1, 2), seed=1)).plan.unasked
    assert only["links"] == "no program chosen has cases for it in the profile quick"


def test_nodes_without_steps_say_what_was_asked_for_and_what_runs() -> None:
    request = Request(only=("memory/stream",), nodes=(1, 3), seed=1)
    (remark,) = (one for one in prepared(request).remarks if "nothing runs" in one)
    assert remark == (
        "--nodes 3: nothing runs on 3 nodes: no program chosen has a case for so many; all steps "
        "are on 1"
    )


def test_a_single_case_requests_its_own_nodes_only() -> None:
    case = Case(name="chosen", options={"class": "S"}, ranks=2, nodes=2)
    ready = prepared(Request(chosen=Chosen(benchmark="npb/ep", case=case), seed=1))
    assert {step.nodes for step in ready.plan.steps} == {2}
    assert not any("nothing runs" in remark for remark in ready.remarks)


def test_cases_that_do_not_fit_are_a_reason() -> None:
    machine = a_machine(2)
    small = machine.node.model_copy(
        update={"limits": machine.node.limits.model_copy(update={"n_usable_cores": 1})}
    )
    several = machine.model_copy(update={"nodes": (machine.node, small)})
    request = Request(only=("npb/lu",), nodes=(1,), seed=1)
    unasked = prepare(request, machine=several).plan.unasked
    assert unasked["cores"] == "its cases do not fit: needs 2 cores, 1 may be used: 1 too many"


def layouts(plan: Plan, name: str) -> set[tuple[int, int]]:
    """Nodes, and ranks on each, of a program without threads and copies."""
    every = [step for step in plan.steps if step.benchmark == name]
    return {
        (step.nodes, step.per_node)
        for step in every
        if step.threads == 1 and "star" not in step.options and not step.each_node
    }


def filled(
    *per_node: int | str, nodes: tuple[int, ...] = (1, 2, 4), only: str = "npb/cg"
) -> Prepared:
    asked = {"profile": "full", "only": (only,), "nodes": nodes, "per_node": per_node}
    return prepared(Request.model_validate({**asked, "launches": 1, "seed": 1}), cores=8)


@pytest.mark.slow  # a plan of all programs in the longest profile
def test_every_program_over_nodes_fills_them_in_the_steps_asked_for() -> None:
    plan = filled(1, 2, 4, only="*").plan
    several = [each for each in BENCHMARKS if each.over_nodes]
    pairs = {each.name for each in several if layouts(plan, each.name) <= {(1, 2), (2, 1)}}
    assert pairs == {
        f"messages/{name}" for name in ("pingpong", "loggp", "one_sided", "sockets", "thread_rate")
    }
    for each in several:
        if each.name not in pairs:
            over = {(nodes, n) for nodes, n in layouts(plan, each.name) if nodes > 1}
            least = 4 if each.name == "messages/congestion" else 2
            wanted = {(nodes, n) for nodes in (2, 4) for n in (1, 2, 4) if nodes * n >= least}
            assert over == wanted, each.name
            assert (1, 4) in layouts(plan, each.name), each.name


def test_as_many_ranks_on_one_two_and_four_nodes_come_before_fuller_nodes() -> None:
    by_class: dict[object, list[list[tuple[int, int]]]] = {}
    for each in filled(1, 2, 4, "all").plan.experiments:
        first = each.setups[0]
        if (each.question, each.benchmark, first.threads) == ("spread", "npb/cg", 1):
            every = [(setup.nodes, setup.per_node) for setup in (*each.setups, *each.further)]
            by_class.setdefault(first.options["class"], []).append(every)
    whole = [groups for groups in by_class.values() if len(groups) == 4]
    assert whole
    for groups in whole:
        *equal, fuller = groups
        assert sorted(equal) == [
            [(1, 2), (2, 1)],
            [(1, 4), (4, 1), (2, 2)],
            [(1, 8), (4, 2), (2, 4)],
        ]
        assert fuller == [(2, 8), (4, 4)]


def test_the_record_of_a_run_keeps_how_nodes_were_filled() -> None:
    request = Request(nodes=(1, 2), per_node=(2, "all"))
    assert Request.model_validate_json(request.model_dump_json()) == request
    older = request.model_dump(mode="json", exclude={"per_node"})
    assert Request.model_validate(older).per_node == ()


def test_all_is_a_rank_on_every_core_and_numbers_that_come_twice_run_once() -> None:
    plan = filled(8, "all").plan
    assert layouts(plan, "npb/cg") >= {(2, 8), (4, 8)}
    cases = [(step.benchmark, step.case) for step in plan.steps if not step.each_node]
    assert len(cases) == len(set(cases))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: filled(1, 2, nodes=(1,)), "--per-node fills the one node that is asked for"),
        (
            lambda: prepared(Request(only=("memory/stream",), nodes=(1, 2), per_node=(2,))),
            "--per-node has no effect: no program chosen runs over nodes",
        ),
    ],
)
def test_one_node_is_filled_and_an_option_without_effect_is_reported(
    make: Callable[[], Prepared], words: str
) -> None:
    assert any(remark.startswith(words) for remark in make().remarks)


def test_one_node_is_filled_in_steps() -> None:
    assert {(1, n) for n in (1, 3, 8)} <= layouts(filled(3, nodes=(1,)).plan, "npb/cg")


def test_more_ranks_than_any_node_has_cores_are_refused_and_than_some_have_are_skipped() -> None:
    with pytest.raises(UsageError, match="--per-node 9: no node has that many cores") as caught:
        filled(1, 9)
    assert "8 or fewer" in (caught.value.hint or "")
    large, small = a_machine(8), a_machine(2)
    machine = large.model_copy(update={"nodes": (large.node, small.node)})
    request = Request(only=("npb/cg",), nodes=(2,), per_node=(2, 4), seed=1)
    plan = prepare(request, machine=machine).plan
    assert layouts(plan, "npb/cg") == {(2, 2)}
    assert any("needs 4 cores on each node, 2 may be used" in one.reason for one in plan.skipped)
