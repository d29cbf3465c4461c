"""A job is written once, started only if some of its steps are missing, and followed to its end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from heorot.build.work import Ended, Work
from heorot.errors import BuildError, RunError, SetupError
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.batch.slurm import Slurm
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.filesystem import FileSystem
from heorot.model.machine.site import Site, SiteBatch, SiteHost, SiteNetwork
from heorot.model.resource import device, filesystem
from heorot.model.run.plan import Step
from heorot.session import programs
from heorot.session.programs import build_programs as build_on
from heorot.session.step_jobs import begin_job, follow_job
from heorot.store.directory import RunDirectory
from tests.unit.collect.conftest import make_step
from tests.unit.session.conftest import FakeAdapter, Reported


def carry_out(
    run: RunDirectory,
    number: int,
    steps: tuple[Step, ...],
    target: ExecutionTarget,
    reported: Reported,
) -> None:
    job = begin_job(run, number, steps, target, reported)
    follow_job(run, job, steps, target, reported)


def test_a_job_is_written_started_and_reported_of(
    run: RunDirectory, adapter: FakeAdapter, target: ExecutionTarget, reported: Reported
) -> None:
    steps = (make_step(1), make_step(2))
    carry_out(run, 3, steps, target, reported)
    assert adapter.started == ["J0003"]
    assert run.steps(3) == steps
    assert reported.finished_steps == ["S0001", "S0002"]
    script = (run.job(3) / "script.sh").read_text()
    assert "/b/stream --max-bytes 4194304 --record" in script


def test_a_job_asks_for_the_devices_of_its_steps_and_each_rank_takes_its_own(
    run: RunDirectory, target: ExecutionTarget, reported: Reported
) -> None:
    machine = run.machine()
    node = machine.node.model_copy(update={"device_variables": {"gpu": "CUDA_VISIBLE_DEVICES"}})
    run.write_machine(machine.model_copy(update={"nodes": (node,)}))
    batch = SiteBatch(system="slurm")
    slurm = replace(target, client=BatchClient(Slurm()), batch=batch)
    steps = (make_step(1), make_step(2, resources=(device("gpu").of(4),)))
    carry_out(run, 3, steps, slurm, reported)
    script = (run.job(3) / "script.sh").read_text()
    assert "\n#SBATCH --gres=gpu:4\n" in script
    plain, taking = (line for line in script.splitlines() if line.startswith("step S"))
    assert " devices CUDA_VISIBLE_DEVICES 4 2 MPI_LOCALRANKID " in taking
    assert "CUDA" not in plain
    carry_out(run, 4, steps[:1], slurm, reported)
    assert "--gres" not in (run.job(4) / "script.sh").read_text()


def test_a_job_that_has_ended_is_reported_of_but_not_started_again(
    run: RunDirectory, adapter: FakeAdapter, target: ExecutionTarget, reported: Reported
) -> None:
    steps = (make_step(1),)
    carry_out(run, 1, steps, target, reported)
    carry_out(run, 1, steps, target, reported)
    assert adapter.started == ["J0001"]
    assert reported.finished_steps == ["S0001", "S0001"]


def test_an_interrupted_job_is_resumed(
    run: RunDirectory, adapter: FakeAdapter, target: ExecutionTarget, reported: Reported
) -> None:
    steps = (make_step(1), make_step(2))
    adapter.killed_before = "S0002"
    carry_out(run, 1, steps, target, reported)
    assert reported.finished_steps == ["S0001"]
    script = (run.job(1) / "script.sh").read_text()
    adapter.killed_before = ""
    carry_out(run, 1, steps, target, reported)
    assert adapter.started == ["J0001", "J0001"]
    assert reported.finished_steps == ["S0001", "S0001", "S0002"]
    assert (run.job(1) / "script.sh").read_text() == script


def test_an_exit_code_of_0_without_an_end_of_the_record_is_no_success(
    run: RunDirectory, target: ExecutionTarget, reported: Reported
) -> None:
    carry_out(run, 1, (make_step(1),), target, reported)
    assert reported.states == ["completed"]
    record = run.job(1) / "records" / "S0001.jsonl"
    record.write_bytes(record.read_bytes()[:-1])
    carry_out(run, 1, (make_step(1),), target, reported)
    assert reported.states == ["completed", "failed"]


def test_a_complaint_of_the_script_is_an_error(
    run: RunDirectory, adapter: FakeAdapter, target: ExecutionTarget, reported: Reported
) -> None:
    adapter.message = "job J0001 stopped: no space left"
    adapter.killed_before = "S0001"
    with pytest.raises(SetupError, match="no space left") as caught:
        carry_out(run, 1, (make_step(1),), target, reported)
    assert "--resume" in caught.value.hint
    adapter.killed_before = ""
    carry_out(run, 1, (make_step(1),), target, reported)  # there is space again


def test_steps_on_hosts_of_a_site_are_reported_a_file_of_hosts(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    site = Site(hosts=tuple(SiteHost(name=name) for name in ("n1", "n2", "n3")))
    placed = make_step(3, nodes=2, ranks=4, place=(2, 1))
    steps = (make_step(1), make_step(2, nodes=2, ranks=4), placed)
    carry_out(run, 1, steps, ExecutionTarget(adapter, site, 3), reported)
    text = (run.job(1) / "script.sh").read_text()
    lines = [line for line in text.splitlines() if line.startswith("step S")]
    assert [line.split()[3] for line in lines] == ["0", "0,1", "2,1"]
    assert " -f " in lines[1]
    assert "n1 n2 n3" in text
    assert "ssh -o BatchMode=yes" in text


def test_a_network_is_reported_to_steps_between_nodes_only(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    site = Site(
        hosts=tuple(SiteHost(name=name) for name in ("n1", "n2")),
        networks=(SiteNetwork(name="ib", interface="ib0"), SiteNetwork(name="eth")),
    )
    steps = (make_step(1), make_step(2, nodes=2, ranks=2, network="ib"))
    carry_out(run, 1, steps, ExecutionTarget(adapter, site, 2), reported)
    text = (run.job(1) / "script.sh").read_text()
    one, two = [line for line in text.splitlines() if line.startswith("step S")]
    assert "ib0" not in one
    assert "FI_TCP_IFACE=ib0" in two


def test_a_program_gets_the_directory_of_the_file_system_that_it_names(
    run: RunDirectory, target: ExecutionTarget, reported: Reported
) -> None:
    place = FileSystem(role="scratch", path="/lustre/me")
    run.write_machine(run.machine().model_copy(update={"filesystems": (place,)}))
    by_role, by_path = {"directory": "scratch"}, {"directory": "/scratch"}
    steps = (
        make_step(1, options=by_role, resources=(filesystem("scratch"),)),
        make_step(2, options=by_role),  # it uses none: the word is its own
        make_step(3, options=by_path, resources=(filesystem("scratch"),)),
    )
    carry_out(run, 1, steps, target, reported)
    text = (run.job(1) / "script.sh").read_text()
    lines = [line.split() for line in text.splitlines() if line.startswith("step S")]
    given = [words[words.index("--directory") + 1] for words in lines]
    assert given == ["/lustre/me", "scratch", "/scratch"]
    assert run.steps(1) == steps


def test_changed_sources_are_refused(
    run: RunDirectory,
    adapter: FakeAdapter,
    target: ExecutionTarget,
    reported: Reported,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(programs, "source_digest", lambda _: "other")
    with pytest.raises(RunError, match="have changed since"):
        carry_out(run, 1, (make_step(1),), target, reported)
    assert adapter.started == []
    assert run.steps(1) == ()


def test_a_program_that_no_longer_compiles_is_an_error(
    run: RunDirectory, target: ExecutionTarget, reported: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: dict[tuple[str, str], Path] = {}
    failures = {("gnu", "memory/stream"): "stream.cpp:1: error"}
    monkeypatch.setattr(programs, "build_programs", lambda *_: (broken, failures))
    with pytest.raises(BuildError, match=r"memory/stream no longer compiles with gnu: stream\.cpp"):
        carry_out(run, 1, (make_step(1),), target, reported)


def test_what_has_to_be_built_on_a_node_is_with_what_watches_programs_of_others(
    run: RunDirectory, reported: Reported, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(programs, "cache_directory", lambda: tmp_path)
    asked: list[Work] = []

    def on_node(work: Work) -> Ended:
        asked.append(work)
        return Ended("build", 1)

    (chain,) = run.facts().toolchains
    chain = chain.model_copy(update={"built_on": "Later 97a1"})
    steps = (make_step(1), make_step(2, benchmark="others/mine", toolchain="prebuilt"))
    for chosen in (steps[:1], steps):
        build_on(chosen, [chain], run.machine(), reported, on_node)
    assert [work.names for work in asked] == [
        ("memory/stream",),
        ("memory/stream", "harness/watch"),
    ]
    assert all(work.toolchain == chain for work in asked)
    assert reported.stages[0] == (
        "GNU 12 has no flags that name Later 97a1: programs are built on a node, with gnu"
    )
