"""Programs are built in a job on a node: this machine is the node, its CMake is a short script."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from archspec.cpu import TARGETS

from heorot.build.processors import identify
from heorot.build.programs import Built, build
from heorot.errors import BuildError, SetupError
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.machine import Machine, Node, Processor
from heorot.model.machine.site import Site, SiteHost
from heorot.model.machine.toolchain import Toolchain
from heorot.session.cluster import building
from heorot.session.cluster.building import NodeBuilder, for_nodes
from heorot.session.inspection import describe_here
from heorot.store.directory import RunDirectory
from tests.toolchains import some_compilers
from tests.unit.session.conftest import FakeAdapter, Reported

HOST = socket.gethostname()
HERE = describe_here()
ZEN4 = tuple(sorted(TARGETS["zen4"].features))
KNOWN = Processor(isa="x86_64", microarchitecture="zen4", features=ZEN4)
UNKNOWN = Processor(isa="x86_64", microarchitecture="x86_64_v4", model="Later", features=("avx",))
GNU = Toolchain(name="gnu", compilers=some_compilers("/usr/bin/g++", "GNU 14.1.0"), mpi=None)
# Configures, or makes the requested program; prints the given text.
CMAKE = """\
#!/bin/bash
case $1 in
-S) echo configured >"$4/build.ninja"; echo "$WORDS" ;;
--build)
    mkdir -p "$2/bin/memory" && cp /bin/true "$2/bin/memory/stream"
    echo "$WORDS"
    [[ ! $FAILS ]]
    ;;
esac
"""


def node(name: str, processor: Processor) -> Node:
    return Node(names=(name,), processor=processor)


def machine(*nodes: Node) -> Machine:
    return Machine(hostname="login", nodes=nodes)


@pytest.fixture
def here(agent: Path) -> ExecutionTarget:
    """One host, which is this machine."""
    site = Site(hosts=(SiteHost(name=HOST),), agent=agent)
    return ExecutionTarget(HostsAdapter((str(agent),), HOST), site, 1)


class Sources:
    """A build of one program on this machine as a node, for a run without a plan.

    Attributes:
        base: directory of everything.
        directory: the run.
        reported: the progress.
    """

    def __init__(self, base: Path, reported: Reported) -> None:
        self.base, self.told = base, reported
        self.directory = RunDirectory.create(base / "run")
        self.native = base / "native"
        self.native.mkdir()
        (self.native / "CMakeLists.txt").touch()

    def build(self, target: ExecutionTarget, **variables: str) -> Built:
        """Build it in a job."""
        known = {"WORDS": "", "FAILS": "", **variables}
        update = {"built_on": identify(HERE.processor), "environment": known}
        chain = GNU.model_copy(update=update)
        carry_out = NodeBuilder(self.directory, machine(HERE), target, self.told)
        where = self.base / "b"
        return build(self.native, chain, ["memory/stream"], where, carry_out=carry_out)


@pytest.fixture
def sources(tmp_path: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch) -> Sources:
    for name, text in {"cmake": CMAKE, "ninja": "#!/bin/sh\n"}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(building, "find_tool", lambda name: tmp_path / name)
    return Sources(tmp_path, reported)


def test_a_processor_with_a_name_is_named_and_another_builds_itself() -> None:
    skylake = node("login", KNOWN.model_copy(update={"microarchitecture": "zen3"}))
    named = for_nodes(GNU, machine(node("n1", KNOWN)), skylake)
    assert named.built_on == ""
    own = for_nodes(GNU, machine(node("n1", UNKNOWN)), skylake)
    assert own.built_on == identify(UNKNOWN)
    assert own.cxx.flags == GNU.cxx.flags
    # The first type without a name, with the flags as given.
    two = for_nodes(GNU, machine(skylake, node("n1", UNKNOWN)), skylake)
    assert (two.built_on, two.cxx.flags) == (identify(UNKNOWN), GNU.cxx.flags)
    assert for_nodes(GNU, machine(node("n1", UNKNOWN)), node("login", UNKNOWN)) == GNU


def test_it_is_built_once_and_who_does_is_reported(sources: Sources, here: ExecutionTarget) -> None:
    built = sources.build(here)
    assert set(built.programs) == {"memory/stream"}
    (job,) = sources.directory.build_jobs()
    assert sources.told.stages == [f"building 1 program on {HOST} (job {job.name})"]
    assert sources.directory.job_numbers() == ()
    assert not sources.build(here).fresh
    # Without the program, it is built again by a job that replaces the first.
    (sources.base / "b/bin/memory/stream").unlink()
    assert sources.build(here).fresh
    assert sources.directory.build_jobs() == (job,)
    assert len((job / "status.jsonl").read_text().splitlines()) == 4  # it was configured


@pytest.mark.slow
@pytest.mark.waiting
def test_a_program_that_does_not_compile_is_reported_as_one_that_is_built_here(
    sources: Sources, here: ExecutionTarget
) -> None:
    words = "FAILED: bin/memory/stream\nstream.cpp:1: error: no"
    built = sources.build(here, FAILS="yes", WORDS=words)
    assert built.failures == {"memory/stream": "stream.cpp:1: error: no"}


@pytest.mark.slow
@pytest.mark.waiting
def test_a_toolchain_that_cannot_be_used_is_one_line_with_the_log(
    sources: Sources, here: ExecutionTarget
) -> None:
    (sources.base / "cmake").write_text(
        '#!/bin/sh\n[ "$1" = --version ] || { echo "CMake Error at x:"; echo "  no"; exit 1; }\n'
    )
    with pytest.raises(BuildError) as caught:
        sources.build(here)
    assert str(caught.value) == "toolchain gnu cannot be used: no"
    assert caught.value.hint == f"read {sources.base / 'b/configure.log'}"


@pytest.mark.slow
@pytest.mark.waiting
def test_a_node_that_cannot_build_reports_why(sources: Sources, here: ExecutionTarget) -> None:
    other = HERE.processor.model_copy(update={"model": "Later"})
    carry_out = NodeBuilder(sources.directory, machine(node("n1", other)), here, sources.told)
    chain = GNU.model_copy(update={"built_on": identify(other)})
    with pytest.raises(SetupError) as caught:
        build(sources.native, chain, ["a/b"], sources.base / "b", carry_out=carry_out)
    assert str(caught.value) == (
        f"programs cannot be built on a node: {HOST} has another processor than the nodes that the "
        "programs are for"
    )
    assert "constraint" in caught.value.hint


def test_an_interrupted_job_is_resumed(
    sources: Sources, adapter: FakeAdapter, here: ExecutionTarget
) -> None:
    adapter.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        sources.build(ExecutionTarget(adapter, here.site, 1))
    (job,) = sources.directory.build_jobs()
    assert adapter.cancelled == [job.name]
    (job / "status.jsonl").unlink()  # nothing ran, whatever the fake wrote
    script = (job / "script.sh").read_text()
    assert set(sources.build(here).programs) == {"memory/stream"}
    assert (job / "script.sh").read_text() == script


def test_a_job_that_comes_to_nothing_is_reported(
    sources: Sources, adapter: FakeAdapter, here: ExecutionTarget
) -> None:
    adapter.killed_before, adapter.message = "build", "slurm job 7 was cancelled"
    with pytest.raises(SetupError) as caught:
        sources.build(ExecutionTarget(adapter, here.site, 1))
    assert str(caught.value) == ("programs cannot be built on a node: slurm job 7 was cancelled")
    assert "site file" in caught.value.hint


def test_a_run_that_comes_to_no_plan_keeps_no_build(
    sources: Sources, here: ExecutionTarget
) -> None:
    sources.build(here)
    sources.directory.discard_if_unplanned()
    assert not sources.directory.path.exists()
