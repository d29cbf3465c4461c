"""Targets of jobs: adapter, nodes, environment of scripts."""

from __future__ import annotations

from pathlib import Path

from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import Queue
from heorot.launch.batch.slurm import Slurm
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site, SiteBatch, SiteDevice, SiteHost, SitePart
from tests.unit.launch.adapters.fake import Fake
from tests.unit.session.conftest import NODE

MACHINE = Machine(hostname="login", nodes=(NODE,))
HERE = ExecutionTarget(LocalAdapter(), Site(), 1)
SLURM = SiteBatch(system="slurm")


def test_what_a_job_asks_for() -> None:
    parts = (SitePart(nodes=1, feature="big"), SitePart(feature="thin"))
    batch = SLURM.model_copy(update={"queue": "short", "account": "me", "parts": parts})
    target = ExecutionTarget(LocalAdapter(), Site(), 4, BatchClient(Slurm()), batch)
    header = "\n".join(target.job_environment(4, 90.0).header)
    for wanted in ("short", "me", "big", "thin", "--exclusive"):
        assert wanted in header
    alone = ExecutionTarget(LocalAdapter(), Site(), 4, BatchClient(Slurm()))
    assert alone.job_environment(4, 90.0).header == ()  # inside an allocation nothing is requested
    assert "SLURM" in alone.job_environment(4, 90.0).list_hosts


def test_a_job_asks_for_devices_as_its_site_calls_them() -> None:
    site = Site(devices={"gpu": SiteDevice(request="gpu:a100"), "npu": SiteDevice(request="ve")})
    for own, line in ((Site(), "--gres=gpu:4"), (site, "--gres=gpu:a100:4")):
        target = ExecutionTarget(LocalAdapter(), own, 4, BatchClient(Slurm()), SLURM)
        assert f"#SBATCH {line}" in target.job_environment(2, None, devices={"gpu": 4}).header
        assert not any("gres" in line for line in target.job_environment(2, None).header)
    assert target.device_words == {"gpu": "gpu:a100", "npu": "ve"}
    alone = ExecutionTarget(LocalAdapter(), site, 4, BatchClient(Slurm()))
    assert (alone.device_words, HERE.device_words) == (None, None)  # no batch system
    assert alone.job_environment(2, None, devices={"gpu": 4}).header == ()


def test_hosts_of_a_site_are_reached_by_its_agent() -> None:
    site = Site(hosts=(SiteHost(name="a"), SiteHost(name="b")), agent=Path("/opt/my agent"))
    target = ExecutionTarget(HostsAdapter(("ssh",), "a"), site, 2)
    around = target.job_environment(2, None, "lscpu")
    assert around.list_hosts == "printf '%s\\n' a b"
    assert around.on_host == "'/opt/my agent'"
    assert around.describe == "lscpu"
    assert target.allocation(1, MACHINE).hosts == ("a",)
    assert HERE.allocation(1, MACHINE).hosts == ("login",)


def test_a_job_may_be_given_its_hosts() -> None:
    site = Site(hosts=(SiteHost(name="a"), SiteHost(name="b")), agent=Path("/agent"), at_once=1)
    target = ExecutionTarget(HostsAdapter(("ssh",), "a"), site, 2)
    given = target.allocation(1, MACHINE, ("b",), shared=True)
    assert (given.hosts, given.nodes, given.shared, given.at_once) == (("b",), 1, True, 1)
    assert given.agent == Path("/agent")
    assert target.environment_on(("b",)).list_hosts.endswith(" b")
    assert isinstance(target.adapter_on("b"), HostsAdapter)
    assert isinstance(HERE.adapter_on("login"), LocalAdapter)


def test_nodes_are_those_of_the_queue(tmp_path: Path) -> None:
    fake = Fake(tmp_path / "batch")
    lines = ["n1|idle|2|(null)|main", "n2|idle|2|(null)|big", "n2|idle|2|(null)|main"]
    (fake.commands / "sinfo").write_text(f"#!/bin/bash\nprintf '%s\\n' '{chr(10).join(lines)}'\n")

    def names(queue: str) -> list[str]:
        client = BatchClient(Slurm(), fake.commands)
        target = ExecutionTarget(LocalAdapter(), Site(), 1, client, SLURM, Queue(queue))
        return [node.name for node in target.node_states()]

    assert names("big") == ["n2"]
    assert names("") == ["n1", "n2"]
    assert names("routes to others") == ["n1", "n2"]
    assert HERE.node_states() == ()
