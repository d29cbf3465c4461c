"""A job is written once, started only if steps of it are missing, and followed to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import BuildError, RunError, SetupError
from heorot.model.machine.site import Site, SiteHost, SiteNetwork
from heorot.model.run.plan import Step
from heorot.session import jobs
from heorot.session.cluster.ground import Ground
from heorot.session.jobs import begin_job, follow_job
from heorot.store.directory import RunDirectory
from tests.unit.collect.conftest import make_step
from tests.unit.session.conftest import FakeAdapter, Told


def carry_out(
    run: RunDirectory, number: int, steps: tuple[Step, ...], ground: Ground, told: Told
) -> None:
    job = begin_job(run, number, steps, ground, told)
    follow_job(run, job, steps, ground, told)


def test_a_job_is_written_started_and_told_of(
    run: RunDirectory, adapter: FakeAdapter, ground: Ground, told: Told
) -> None:
    steps = (make_step(1), make_step(2))
    carry_out(run, 3, steps, ground, told)
    assert adapter.started == ["J0003"]
    assert run.steps(3) == steps
    assert told.finished_steps == ["S0001", "S0002"]
    script = (run.job(3) / "script.sh").read_text()
    assert "/b/stream --max-bytes 4194304 --record" in script


def test_a_job_that_has_ended_is_told_of_but_not_started_again(
    run: RunDirectory, adapter: FakeAdapter, ground: Ground, told: Told
) -> None:
    steps = (make_step(1),)
    carry_out(run, 1, steps, ground, told)
    carry_out(run, 1, steps, ground, told)
    assert adapter.started == ["J0001"]
    assert told.finished_steps == ["S0001", "S0001"]


def test_a_job_that_was_cut_off_goes_on(
    run: RunDirectory, adapter: FakeAdapter, ground: Ground, told: Told
) -> None:
    steps = (make_step(1), make_step(2))
    adapter.killed_before = "S0002"
    carry_out(run, 1, steps, ground, told)
    assert told.finished_steps == ["S0001"]
    script = (run.job(1) / "script.sh").read_text()
    adapter.killed_before = ""
    carry_out(run, 1, steps, ground, told)
    assert adapter.started == ["J0001", "J0001"]
    assert told.finished_steps == ["S0001", "S0001", "S0002"]
    assert (run.job(1) / "script.sh").read_text() == script


def test_a_complaint_of_the_script_is_an_error(
    run: RunDirectory, adapter: FakeAdapter, ground: Ground, told: Told
) -> None:
    adapter.said = "job J0001 stopped: no space left"
    adapter.killed_before = "S0001"
    with pytest.raises(SetupError, match="no space left") as caught:
        carry_out(run, 1, (make_step(1),), ground, told)
    assert "--resume" in caught.value.hint
    adapter.killed_before = ""
    carry_out(run, 1, (make_step(1),), ground, told)  # there is space again


def test_steps_on_hosts_of_a_site_are_told_a_file_of_hosts(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    site = Site(hosts=tuple(SiteHost(name=name) for name in ("n1", "n2", "n3")))
    placed = make_step(3, nodes=2, ranks=4, place=(2, 1))
    steps = (make_step(1), make_step(2, nodes=2, ranks=4), placed)
    carry_out(run, 1, steps, Ground(adapter, site, 3), told)
    text = (run.job(1) / "script.sh").read_text()
    lines = [line for line in text.splitlines() if line.startswith("step S")]
    assert [line.split()[3] for line in lines] == ["0", "0,1", "2,1"]
    assert " -f " in lines[1]
    assert "n1 n2 n3" in text
    assert "ssh -o BatchMode=yes" in text


def test_a_network_is_told_to_steps_between_nodes_only(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    site = Site(
        hosts=tuple(SiteHost(name=name) for name in ("n1", "n2")),
        networks=(SiteNetwork(name="ib", interface="ib0"), SiteNetwork(name="eth")),
    )
    steps = (make_step(1), make_step(2, nodes=2, ranks=2, network="ib"))
    carry_out(run, 1, steps, Ground(adapter, site, 2), told)
    text = (run.job(1) / "script.sh").read_text()
    one, two = [line for line in text.splitlines() if line.startswith("step S")]
    assert "ib0" not in one
    assert "FI_TCP_IFACE=ib0" in two


def test_changed_sources_are_refused(
    run: RunDirectory,
    adapter: FakeAdapter,
    ground: Ground,
    told: Told,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "source_digest", lambda _: "other")
    with pytest.raises(RunError, match="have changed since"):
        carry_out(run, 1, (make_step(1),), ground, told)
    assert adapter.started == []
    assert run.steps(1) == ()


def test_a_program_that_no_longer_compiles_is_an_error(
    run: RunDirectory, ground: Ground, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: dict[tuple[str, str], Path] = {}
    failures = {("gnu", "memory/stream"): "stream.cpp:1: error"}
    monkeypatch.setattr(jobs, "build_programs", lambda *_: (broken, failures))
    with pytest.raises(BuildError, match=r"memory/stream no longer compiles with gnu: stream\.cpp"):
        carry_out(run, 1, (make_step(1),), ground, told)
