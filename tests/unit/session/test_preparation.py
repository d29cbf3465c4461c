"""A plan over several nodes: every program that can, each node by itself, each network."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import UsageError
from heorot.machine.description.yaml import read_site
from heorot.model.machine.machine import Limits, Machine, Memory, Node, Processor
from heorot.model.machine.pace import Pace
from heorot.model.machine.site import Site, SiteDevice, SiteFileSystem, SiteNetwork
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.run.plan import Plan, Step
from heorot.model.run.request import Request
from heorot.session import inspection, preparation
from heorot.session.cluster import pace
from heorot.session.inspection import describe_machine, list_toolchains
from heorot.session.preparation import dry_run, prepare
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_machine
from tests.unit.recipes.conftest import read

_CHAIN = Toolchain(
    name="gnu",
    compilers=some_compilers("g++", "GNU 12"),
    mpi=Mpi(flavour="mpich", version="5", cxx=Path("mpicxx"), mpiexec=Path("mpiexec")),
)


def node(*names: str, cores: int = 2) -> Node:
    return Node(
        names=names,
        n_nodes=len(names),
        processor=Processor(isa="x86_64"),
        memory=Memory(total_bytes=8 << 30),
        limits=Limits(n_usable_cores=cores),
    )


@pytest.fixture(autouse=True)
def _one_toolchain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "list_toolchains", lambda *_: (_CHAIN,))


def plan_for(
    *only: str, nodes: tuple[int, ...] = (1, 2, 4), site: Site | None = None, cores: int = 2
) -> Plan:
    machine = Machine(hostname="login", nodes=(node("a", "b", "c"), node("d", cores=cores)))
    request = Request(profile="full", only=only, nodes=nodes, launches=1, seed=1)
    return prepare(request, machine=machine, site=site).plan


def named(plan: Plan, case: str) -> list[Step]:
    return sorted((step for step in plan.steps if step.case == case), key=lambda step: step.id)


def test_programs_run_on_every_number_of_nodes_in_all_ways() -> None:
    steps = plan_for("npb/cg").steps
    layouts = {(step.nodes, step.per_node, step.threads) for step in steps}
    for nodes in (2, 4):
        assert {(nodes, 2, 1), (nodes, 1, 1), (nodes, 1, 2)} <= layouts
    assert {step.nodes for step in steps} == {1, 2, 4}


def test_each_node_runs_by_itself_at_once_and_in_turn() -> None:
    plan = plan_for("compute/peak")
    together = named(plan, "all_cores_every_node")
    assert [step.place for step in together] == [(0,), (1,), (2,), (3,)]
    assert len({step.wave for step in together}) == 1
    in_turn = named(plan, "all_cores_every_node_in_turn")
    assert [step.wave for step in in_turn] == [0, 0, 0, 0]
    assert all(step.each_node for step in (*together, *in_turn))


def test_neighbours_pass_messages_in_a_ring() -> None:
    pairs = named(plan_for("messages/pingpong"), "two_nodes_every_pair")
    assert [step.place for step in pairs] == [(0, 1), (2, 3), (1, 2), (3, 0)]


def test_between_nodes_every_network_is_used() -> None:
    site = Site(networks=(SiteNetwork(name="ib"), SiteNetwork(name="eth")))
    steps = plan_for("npb/cg", "messages/pingpong", site=site).steps
    assert {step.network for step in steps if step.nodes == 1} == {""}
    between = [step for step in steps if step.nodes > 1 and not step.each_node]
    assert {str(step.stack) for step in between} == {"gnu+ib", "gnu+eth"}
    assert {step.network for step in steps if step.each_node} == {"ib"}
    one = Site(networks=site.networks[:1])
    assert {step.network for step in plan_for("npb/cg", site=one).steps} == {""}


def test_a_slow_network_is_given_its_time() -> None:
    seconds = [
        next(step.seconds for step in plan_for("messages/ring", site=site).steps if step.nodes == 2)
        for rate in (100e6, 100e9)
        for site in [Site(networks=(SiteNetwork(name="lan", rate_bits=rate),))]
    ]
    assert seconds[0] > 1.5 * seconds[1]


@pytest.mark.slow  # it inspects this computer: compilers are queried, its pace is probed
def test_a_dry_run_knows_the_site_and_states_its_assumptions(tmp_path: Path) -> None:
    site = tmp_path / "site.yaml"
    site.write_text(
        "hosts: [{name: a}, {name: b}, {name: c}]\nat_once: 1\nnetworks: [{name: x}, {name: y}]\n"
    )
    request = Request(profile="full", only=("compute/peak", "npb/cg"), nodes=(3,), site=site)
    plan, remarks = dry_run(request)
    assert {step.wave for step in plan.steps} == {0}
    assert {step.network for step in plan.steps if step.nodes > 1} == {"x", "y"}
    assert any("all nodes are like this one" in remark for remark in remarks)
    with pytest.raises(UsageError, match="4 nodes are asked for"):
        dry_run(request.model_copy(update={"nodes": (4,)}))


@pytest.mark.slow  # it inspects this computer
def test_a_site_names_file_systems(tmp_path: Path) -> None:
    named = {"scratch": SiteFileSystem(path=tmp_path, shared=True), "tmp": tmp_path / "own"}
    site = Site.model_validate({"filesystems": named})
    places = describe_machine(Path.cwd(), site).filesystems
    assert [place.role for place in places] == ["work", "home", "scratch", "tmp"]
    assert [place.shared for place in places] == [None, None, True, None]
    assert [place.path for place in places[2:]] == [str(tmp_path), str(tmp_path / "own")]
    site = Site(work=tmp_path / "shared")
    for out, path in ((None, tmp_path / "shared"), (tmp_path / "run", tmp_path / "run")):
        assert describe_machine(out, site).filesystems[0].path == str(path)


def test_of_this_machine_those_devices_count_that_are_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = {"devices": {"gpu": 4}, "device_variables": {"gpu": "CUDA_VISIBLE_DEVICES"}}
    four = Machine(hostname="here", nodes=(node("here").model_copy(update=known),))
    monkeypatch.setattr(inspection, "describe", lambda *_: four)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,3")
    assert describe_machine(tmp_path, Site()).node.devices == {"gpu": 2}
    monkeypatch.setenv("MINE_VISIBLE", "1")
    site = Site(devices={"gpu": SiteDevice(variable="MINE_VISIBLE")})
    own = describe_machine(tmp_path, site).node
    assert (own.devices, own.device_variables) == ({"gpu": 1}, {"gpu": "MINE_VISIBLE"})


def test_the_smallest_node_decides_what_fits() -> None:
    skipped = plan_for("npb/cg", cores=1).skipped
    assert any("needs 2 cores" in case.reason for case in skipped)


def test_what_takes_longer_than_a_job_may_is_skipped_with_the_reason() -> None:
    machine = Machine(hostname="login", nodes=(node("a", "b"),))
    request = Request(profile="full", only=("npb/*",), nodes=(2,), launches=1, seed=1)
    plan = prepare(request, machine=machine, longest_seconds=30.0).plan
    assert any("and a job has room for a launch of" in case.reason for case in plan.skipped)
    assert all(step.seconds <= 30.0 for step in plan.steps)


def test_flags_for_a_program_that_does_not_exist_are_refused(tmp_path: Path) -> None:
    site = tmp_path / "site.yaml"
    site.write_text(
        "system: x\ntoolchains:\n  - name: a\n    mpi: null\n"
        "    compilers: [{language: c++, command: c++}]\n"
        "    program_flags:\n      memory/strem: -O1\n"
    )
    with pytest.raises(UsageError, match="there is no program 'memory/strem'") as caught:
        list_toolchains(describe_machine(tmp_path, read_site(site)), read_site(site))
    assert caught.value.hint == "did you mean memory/stream?"
    site.write_text(site.read_text().replace("memory/strem", "memory/*"))
    (found,) = list_toolchains(describe_machine(tmp_path, read_site(site)), read_site(site))
    assert found.program_flags == {"memory/*": "-O1"}


def test_a_recipe_with_cases_in_another_profile_only_is_reported(tmp_path: Path) -> None:
    recipe = read(tmp_path)
    cases = tuple(run.model_copy(update={"profiles": ("standard", "full")}) for run in recipe.cases)
    later = recipe.model_copy(update={"cases": cases})
    request = Request(profile="quick", only=("others/small",), sources={"small": tmp_path})
    with pytest.raises(UsageError, match="others/small has cases from standard on") as caught:
        prepare(request, [later], machine=Machine(hostname="login", nodes=(node("a"),)))
    assert "--profile standard" in caught.value.hint


def test_a_single_program_takes_what_an_earlier_look_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = [Pace(scalar_speed=speed) for speed in (3.0, 2.0, 1.0)]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pace, "probe", lambda *_: looks.pop())
    here, other = a_machine(2), a_machine(4)
    assert pace.pace_of(here, anew=False).scalar_speed == 1.0
    assert pace.pace_of(here, anew=False).scalar_speed == 1.0
    assert pace.pace_of(here, anew=True).scalar_speed == 2.0
    assert pace.pace_of(here, anew=False).scalar_speed == 2.0
    assert pace.pace_of(other, anew=False).scalar_speed == 3.0


def test_a_damaged_note_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pace, "probe", lambda *_: Pace(scalar_speed=2.0))
    pace.pace_of(a_machine(2), anew=False)
    (note,) = tmp_path.glob("heorot/pace-*")
    note.write_text('{"scalar_speed": -1}')
    assert pace.pace_of(a_machine(2), anew=False) == Pace(scalar_speed=2.0)
    assert Pace.model_validate_json(note.read_text()) == Pace(scalar_speed=2.0)
