"""Cases of one core run on each type of core; nodes with one type have no further cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.families import BENCHMARKS
from heorot.model.machine.cores import Cores
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site, SiteHost, SiteNetwork
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.run.plan import Plan
from heorot.model.run.request import Request
from heorot.session import preparation
from heorot.session.cluster.candidates import candidates_of
from heorot.session.preparation import prepare
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_machine

_CHAIN = Toolchain(
    name="gnu",
    compilers=some_compilers("g++", "GNU 12"),
    mpi=Mpi(flavour="mpich", version="5", cxx=Path("mpicxx"), mpiexec=Path("mpiexec")),
)
P, E = Cores(kind="P-core", cpus=("0-1", "2-3")), Cores(kind="E-core", cpus=("4", "5"))
LITTLE = Cores(kind="part 0xd05, capacity 400", cpus=("6", "7"))
PER_CORE = {benchmark.name for benchmark in BENCHMARKS if benchmark.every_kind}


@pytest.fixture(autouse=True)
def _one_toolchain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "list_toolchains", lambda *_: (_CHAIN,))
    monkeypatch.setattr(preparation, "pace_of", lambda *_, **__: None)


def plan_for(machine: Machine, nodes: tuple[int, ...] = (1,)) -> Plan:
    request = Request(profile="standard", nodes=nodes, launches=1, seed=1)
    return prepare(request, machine=machine).plan


def test_each_further_kind_runs_the_programs_of_one_core() -> None:
    plan = plan_for(a_machine(6, cores=(P, E, LITTLE)))
    for kind, case in (
        ("E-core", "one_core_of_e_core"),
        (LITTLE.kind, "one_core_of_part_0xd05_capacity_400"),
    ):
        own = [step for step in plan.steps if step.kind == kind]
        assert {step.benchmark for step in own} == PER_CORE
        assert {(step.case, step.ranks, step.threads, step.nodes) for step in own} == {
            (case, 1, 1, 1)
        }
    assert all(step.kind != "P-core" for step in plan.steps)
    alike = {(step.benchmark, str(step.options)) for step in plan.steps if step.case == "one_core"}
    assert {(step.benchmark, str(step.options)) for step in plan.steps if step.kind} <= alike


@pytest.mark.slow
@pytest.mark.parametrize("cores", [(Cores(cpus=("0", "1", "2", "3", "4", "5")),), (P,), (E,)])
def test_where_all_cores_are_alike_the_plan_is_as_ever(cores: tuple[Cores, ...]) -> None:
    for nodes in ((1,), (1, 2)):
        plain, reported = (plan_for(a_machine(6, cores=own), nodes) for own in ((), cores))
        assert reported.model_dump_json() == plain.model_dump_json()
        assert '"kind"' not in reported.model_dump_json()


def test_a_step_keeps_its_kind_in_the_file() -> None:
    plan = plan_for(a_machine(6, cores=(P, E)))
    again = Plan.model_validate_json(plan.model_dump_json())
    assert again == plan
    assert again.digest == plan.digest
    assert any(step.kind == "E-core" for step in again.steps)


@pytest.mark.slow
def test_a_kind_that_not_every_node_has_is_not_measured() -> None:
    one = a_machine(6, cores=(P, E))
    nodes = (one.node, one.node.model_copy(update={"names": ("there",), "cores": (P,)}))
    plan = plan_for(one.model_copy(update={"nodes": nodes}), (1, 2))
    assert not any(step.kind for step in plan.steps)
    skipped = {case.benchmark for case in plan.skipped if "which not every node has" in case.reason}
    assert skipped == PER_CORE


def test_a_slow_network_gets_the_time_that_messages_take_there() -> None:
    networks = tuple(
        SiteNetwork(name=name, rate_bits=rate) for name, rate in (("fast", 1e10), ("slow", 1e8))
    )
    site = Site(system="s", hosts=(SiteHost(name="a"), SiteHost(name="b")), networks=networks)
    machine = a_machine(2).model_copy(update={"networks": networks})
    request = Request(profile="quick", nodes=(2,), seed=1)
    found: dict[tuple[str, str], dict[str, float]] = {}
    for benchmark in BENCHMARKS:
        for one in candidates_of(benchmark, _CHAIN, request, machine, site):
            if one.case.nodes > 1 and not one.case.each_node:
                key = (benchmark.name, one.case.name)
                found.setdefault(key, {})[one.network] = one.case.needs.seconds
    transforms = found["npb/ft", "A_2_nodes_2x1"]
    # Half of 2^23 complex numbers leaves each of two nodes, in each of seven transforms at least.
    sent = 7 * 16 * 2**23 / 4
    assert transforms["slow"] - transforms["fast"] > 0.9 * sent / (1e8 / 8)
    assert found["npb/ep", "A_2_nodes_2x1"]["slow"] == found["npb/ep", "A_2_nodes_2x1"]["fast"]
    assert all(each["slow"] >= each["fast"] for each in found.values())
    assert {tuple(sorted(each)) for each in found.values()} == {("fast", "slow")}
