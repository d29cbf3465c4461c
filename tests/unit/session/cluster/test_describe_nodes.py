"""The nodes are described once, by a job for this purpose, and the site's cores take precedence."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from heorot.build.sources import native_directory, source_digest
from heorot.errors import SetupError
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.target import ExecutionTarget
from heorot.machine.description.yaml import read_site
from heorot.model.evaluation import RunFacts
from heorot.model.machine.site import Site, SiteDevice, SiteHost
from heorot.model.run.request import Request
from heorot.session.cluster.describe_nodes import describe_nodes
from heorot.session.cluster.described import described_nodes, node_copies
from heorot.session.cluster.resolve import resolve_target
from heorot.store.directory import RunDirectory
from tests.unit.session.conftest import Reported


@pytest.fixture
def site(site_file: Path) -> Site:
    """The site file."""
    return read_site(site_file)


@pytest.fixture
def run(tmp_path: Path, site_file: Path) -> RunDirectory:
    """A run without a plan."""
    directory = RunDirectory.create(tmp_path / "run")
    directory.write_facts(
        RunFacts(
            name="run",
            heorot_version="0.1.0",
            python_version="3.11",
            request=Request(site=site_file),
            source_digest=source_digest(native_directory()),
            started=1.0,
        )
    )
    return directory


def test_nodes_describe_themselves_once(run: RunDirectory, site: Site, reported: Reported) -> None:
    target = resolve_target(run.facts().request, site, 1)
    machine = describe_nodes(run, target, reported)
    assert machine.name == "here"
    (node,) = machine.nodes
    assert node.names == (socket.gethostname(),)
    assert node.limits.n_usable_cores == 1
    (copy,) = node_copies(run)
    assert copy.state.clock_offset_seconds == pytest.approx(0.0, abs=1.0)
    status = (run.job(0) / "status.jsonl").read_text()
    assert describe_nodes(run, target, reported).nodes == machine.nodes
    assert (run.job(0) / "status.jsonl").read_text() == status


def test_a_host_that_the_site_does_not_limit_has_all_its_cores(
    run: RunDirectory, site: Site, reported: Reported
) -> None:
    describe_nodes(run, resolve_target(run.facts().request, site, 1), reported)
    (free,) = described_nodes(run, Site())
    (limited,) = described_nodes(run, Site(hosts=(SiteHost(name=free.names[0], cores=1),)))
    assert free.limits.n_usable_cores >= limited.limits.n_usable_cores == 1
    host = SiteHost(name=free.names[0], devices={"gpu": 2})
    called = {"gpu": SiteDevice(variable="MINE_VISIBLE"), "npu": SiteDevice(request="ve")}
    (equipped,) = described_nodes(run, Site(hosts=(host,), devices=called))
    assert (free.devices, equipped.devices) == ({}, {"gpu": 2})
    assert (free.device_variables, equipped.device_variables) == ({}, {"gpu": "MINE_VISIBLE"})


def test_nodes_without_descriptions_are_an_error(run: RunDirectory, reported: Reported) -> None:
    # It runs the given command, but not on a host that would describe itself.
    site = Site(hosts=(SiteHost(name="elsewhere"),))
    target = ExecutionTarget(HostsAdapter(("false",), "elsewhere"), site, 1)
    with pytest.raises(SetupError, match="cannot be started on elsewhere"):
        describe_nodes(run, target, reported)
