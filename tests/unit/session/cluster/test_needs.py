"""Programs of storage and of devices are planned where they fit, and refused where they do not."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heorot.errors import UsageError
from heorot.model.catalogue.benchmark import Benchmark, Case
from heorot.model.catalogue.family import Family
from heorot.model.catalogue.need import CheckedFile, Need, Space
from heorot.model.machine.machine import FileSystem, Machine
from heorot.model.machine.site import Site, SiteBatch, SiteNetwork
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.resource import LINK, NODE, Resource, filesystem
from heorot.model.run.plan import Plan
from heorot.model.run.request import Request
from heorot.session import preparation
from heorot.session.external_programs import chosen
from heorot.session.preparation import prepare
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_benchmark, a_machine

GIB = 1 << 30
SCRATCH = filesystem("scratch")
_CHAIN = Toolchain(
    name="gnu",
    compilers=some_compilers("g++", "GNU 12"),
    mpi=Mpi(flavour="mpich", version="5", cxx=Path("mpicxx"), mpiexec=Path("mpiexec")),
)


def program(name: str, **needs: Any) -> Benchmark:
    """A program with one case on one node, which each node runs by itself, too."""
    case = Case(name="all", options={}, needs=Need(seconds=1.0, **needs))
    return a_benchmark(name, cases=lambda *_: (case,), every_node=("all",))


def writes(**needs: Any) -> Benchmark:
    """A program that writes 6 GiB to the scratch file system."""
    files = {"scratch": Space(bytes=6 * GIB, inodes=100)}
    return program("storage/write", files=files, **needs)


def machine_with(
    kind: str = "lustre", gibibytes: int = 100, nodes: int = 3, gpus: tuple[int, ...] = (2,)
) -> Machine:
    """Nodes with a scratch file system, and so many GPUs on each kind of node."""
    one = a_machine(2)
    scratch = FileSystem(
        role="scratch",
        path="/scratch",
        mount_point="/scratch",
        kind=kind,
        free_bytes=gibibytes * GIB,
        free_inodes=1 << 20,
    )
    kinds = tuple(
        one.node.model_copy(
            update={
                "names": (f"n{i}",),
                "devices": {"gpu": n} if n else {},
                "device_variables": {"gpu": "CUDA_VISIBLE_DEVICES"},
            }
        )
        for i, n in enumerate((*gpus, *gpus[-1:] * (nodes - len(gpus))))
    )
    return one.model_copy(update={"nodes": kinds, "filesystems": (scratch,)})


@pytest.fixture
def plan_for(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Plans a program of its own family on a number of nodes."""
    monkeypatch.setattr(preparation, "list_toolchains", lambda *_: (_CHAIN,))
    monkeypatch.setattr(preparation, "pace_of", lambda *_, **__: None)

    def plan(
        one: Benchmark,
        machine: Machine,
        nodes: tuple[int, ...] = (1, 3),
        site: Site | None = None,
    ) -> Plan:
        family = Family(name=one.family, title="", about="", benchmarks=(one,))
        monkeypatch.setattr(chosen, "families_with", lambda _: (family,))
        request = Request(profile="full", nodes=nodes, launches=2, seed=1)
        return prepare(request, machine=machine, site=site).plan

    return plan


def waves(plan: Plan) -> set[int]:
    """How many steps run at the same time, for each wave."""
    several = [step.wave for step in plan.steps if step.wave]
    return {several.count(wave) for wave in several}


def test_what_is_written_at_the_same_time_has_room_together(plan_for: Any) -> None:
    plan = plan_for(writes(), machine_with())
    assert plan.skipped == ()
    assert waves(plan) == {3}
    assert {step.resources for step in plan.steps} == {(SCRATCH,)}
    plan = plan_for(writes(), machine_with(gibibytes=10))
    assert {case.case: case.reason for case in plan.skipped} == {
        "all_every_node": "needs 18 GiB of room in the file system scratch (/scratch), 10 GiB are "
        "free: 8 GiB too much"
    }
    assert waves(plan_for(writes(), machine_with("ext4", gibibytes=10))) == {3}


def test_copies_that_need_a_shared_file_system_to_themselves_run_in_turn(plan_for: Any) -> None:
    plan = plan_for(writes(exclusive=(SCRATCH,)), machine_with(gibibytes=10))
    assert plan.skipped == ()
    assert {step.case for step in plan.steps} == {"all", "all_every_node"}
    assert [step.place for step in plan.steps if step.each_node and step.launch == 1] == [
        (0,),
        (1,),
        (2,),
    ]
    assert waves(plan) == set()
    assert waves(plan_for(writes(exclusive=(SCRATCH,)), machine_with("xfs"))) == {3}


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    exclusive=st.lists(st.sampled_from([NODE, LINK, SCRATCH, filesystem("unknown")]), max_size=3),
    kind=st.sampled_from(["lustre", "nfs4", "ext4", "tmpfs", "never seen"]),
    nodes=st.integers(2, 5),
    at_once=st.sampled_from([None, 1, 2, 9]),
)
def test_no_two_at_once_need_the_same_to_themselves(
    plan_for: Any, exclusive: list[Resource], kind: str, nodes: int, at_once: int | None
) -> None:
    site = Site(at_once=at_once)
    one = program("storage/alone", exclusive=tuple(exclusive))
    plan = plan_for(one, machine_with(kind, nodes=nodes), (nodes,), site)
    assert {step.place for step in plan.steps if step.each_node} == {(n,) for n in range(nodes)}
    own = kind in {"ext4", "tmpfs"}
    shares = {LINK, filesystem("unknown")} | (set() if own else {SCRATCH})
    if shares & set(exclusive):
        assert waves(plan) == set()
    elif at_once != 1:
        assert max(waves(plan)) == min(nodes, at_once or nodes)
    for wave in {step.wave for step in plan.steps} - {0}:
        hosts = [number for step in plan.steps if step.wave == wave for number in step.numbers]
        assert len(hosts) == len(set(hosts))


def test_a_program_of_devices_runs_where_every_node_has_them(plan_for: Any) -> None:
    solver = program("solvers/on_device", devices={"gpu": 2})
    plan = plan_for(solver, machine_with(gpus=(4, 2)))
    assert plan.skipped == ()
    assert {str(one) for step in plan.steps for one in step.resources} == {"device:gpu:2"}
    with pytest.raises(UsageError, match="needs 2 gpus, 1 may be used: 1 too many"):
        plan_for(solver, machine_with(gpus=(4, 1)))
    with pytest.raises(UsageError, match="needs 2 gpus, 0 may be used: 2 too many"):
        plan_for(solver, machine_with(gpus=(2, 0)))


def test_an_input_file_must_be_there_as_it_was_made(plan_for: Any, tmp_path: Path) -> None:
    mesh = tmp_path / "mesh"
    mesh.write_bytes(b"1 2 3\n")
    reported = CheckedFile(path=mesh, sha256=hashlib.sha256(b"1 2 3\n").hexdigest())
    solver = program("solvers/mesh", inputs=(reported,))
    plan = plan_for(solver, machine_with())
    assert plan.skipped == ()
    assert {step.inputs for step in plan.steps} == {(reported,)}
    mesh.write_bytes(b"1 2 4\n")
    with pytest.raises(UsageError, match=rf"{mesh} with SHA-256 {reported.sha256[:12]}..., it has"):
        plan_for(solver, machine_with())
    mesh.unlink()
    with pytest.raises(UsageError, match="mesh, which cannot be read"):
        plan_for(solver, machine_with())


def test_a_site_lists_exclusive_resources(plan_for: Any) -> None:
    shared = Site(batch=SiteBatch(system="slurm", exclusive=False))
    with pytest.raises(UsageError, match="needs its nodes to itself, and jobs share them"):
        plan_for(program("storage/alone", exclusive=(NODE,)), machine_with(), site=shared)
    busy = Site(networks=(SiteNetwork(name="eth", shared=True),))
    with pytest.raises(UsageError, match="needs the network to itself, and others use eth"):
        plan_for(program("storage/alone", exclusive=(LINK,)), machine_with(), site=busy)
