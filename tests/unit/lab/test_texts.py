"""Texts written by a lab: nodes, input of `ip` and `tc`, the site file, slurm.conf."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from pydantic import ValidationError
from ruamel.yaml import YAML

from heorot.errors import SetupError
from heorot.lab import network, site
from heorot.lab.model import HEAD, Laboratory, Link, nodes_for
from heorot.lab.slurm.configuration import slurm_conf, slurmdbd_conf
from heorot.lab.slurm.daemons import parse_states, require_short
from heorot.lab.storage import mark_of
from heorot.lab.switch import table
from heorot.model.machine.site import Site


def test_nodes_have_processors_of_their_own_if_there_are_enough() -> None:
    own = nodes_for(2, 2, (3, 5, 7, 9), Link())
    assert [node.cpus for node in own] == [(3, 5), (7, 9)]
    # Too few: nodes share them; a node that reports more than exist may use all.
    few = nodes_for(3, 2, (3, 5, 7, 9), Link())
    assert [node.cpus for node in few] == [(3, 5), (7, 9), (3, 5)]
    assert [node.cpus for node in nodes_for(2, 4, (3, 5, 7, 9), Link())] == [(), ()]


def test_addresses_differ(paper: Laboratory) -> None:
    assert len({node.address for node in paper.everyone}) == 4
    assert len({node.hardware_address for node in paper.everyone}) == 4
    assert paper.node(HEAD) == paper.head
    assert paper.node("n4") is None


@pytest.mark.parametrize(("cpus", "n_at_once"), [(1, 2), (2, 1), (5, 1)])
def test_as_many_nodes_measure_at_once_as_have_processors(
    paper: Laboratory, cpus: int, n_at_once: int
) -> None:
    assert paper.model_copy(update={"cpus_per_node": cpus}).n_at_once == n_at_once


@pytest.mark.parametrize("name", ["", "Lab", "1lab", "a/b", "a b", "..", "a" * 32])
def test_names_that_are_none(paper: Laboratory, name: str) -> None:
    with pytest.raises(ValidationError):
        Laboratory.model_validate(paper.model_dump() | {"name": name})


def test_everyone_knows_the_others_for_good(paper: Laboratory) -> None:
    lines = network.node_batch(paper, paper.nodes[0]).splitlines()
    neighbours = [line for line in lines if line.startswith("neighbour")]
    assert len(neighbours) == 3
    assert all(line.endswith("nud permanent") for line in neighbours)
    assert "address add 10.73.0.1/24 broadcast + dev eth0" in lines
    assert network.hosts_table(paper).splitlines()[1:3] == ["10.73.0.254 head", "10.73.0.1 n1"]
    cables = network.cable_batch(paper.nodes[:1], {"n1": 42})
    assert cables == (
        "link add name n1 type veth peer name eth0 address 02:00:0a:49:00:01 netns 42\n"
    )


def test_a_second_network_is_an_interface_on_the_same_cable(
    paper: Laboratory, tmp_path: Path
) -> None:
    two = paper.model_copy(update={"second_rate_bits": 10e6})
    lines = network.node_batch(two, two.nodes[1]).splitlines()
    made = lines.index(
        "link add link eth0 name eth1 address 02:00:0a:49:01:02 type macvlan mode bridge"
    )
    assert lines[made + 1] == "address add 10.73.1.2/24 broadcast + dev eth1"
    far = [line for line in lines if line.startswith("neighbour") and "dev eth1" in line]
    assert len(far) == 3
    assert "neighbour replace 10.73.1.254 lladdr 02:00:0a:49:01:fe dev eth1 nud permanent" in far
    read = Site.model_validate(YAML(typ="safe").load(site.site_file(tmp_path, two)))
    assert [(one.name, one.interface, one.rate_bits) for one in read.networks] == [
        ("lab", "eth0", 100e6),
        ("second", "eth1", 10e6),
    ]
    # It uses the same links with their delays, and shares their processors.
    assert read.networks[1].latency_seconds == read.networks[0].latency_seconds
    assert read.networks[1].environment == read.networks[0].environment
    free = paper.model_copy(update={"nodes": tuple(nodes_for(2, 1, (0,), Link()))})
    assert network.is_slowed(free.model_copy(update={"second_rate_bits": 10e6}))


def test_ports_are_up_unless_cut_and_at_the_bridge_unless_there_is_a_program(
    paper: Laboratory,
) -> None:
    node = paper.nodes[0]
    cut = node.model_copy(update={"link": Link(is_cut=True)})
    assert network.port_batch(paper, [node, cut]).splitlines() == [
        "link set dev n1 master br0",
        "link set dev n1 up",
        "link set dev n1 master br0",
        "link set dev n1 down",
    ]
    program = paper.model_copy(update={"wiring": "program"})
    assert "nomaster" in network.port_batch(program, [node])


def test_rates_and_delays() -> None:
    slow = Link(rate_bits=100e6, latency_seconds=200e-6)
    rate = "qdisc replace dev x root handle 1: tbf rate 100000000bit burst 16000b latency 50ms\n"
    assert network.shape_batch("x", slow, netem=False) == rate
    assert network.shape_batch("x", slow, netem=True) == rate + (
        "qdisc replace dev x parent 1: handle 2: netem delay 100us limit 100000\n"
    )
    only = network.shape_batch("x", Link(latency_seconds=1e-3), netem=True)
    assert only == "qdisc replace dev x root handle 2: netem delay 500us limit 100000\n"
    assert network.shape_batch("x", Link(), netem=True) == ""
    assert "burst 312500b" in network.shape_batch("x", Link(rate_bits=10e9), netem=False)


def test_packets_pass_one_by_one_where_they_are_slowed(paper: Laboratory) -> None:
    assert network.is_slowed(paper)
    free = paper.model_copy(update={"nodes": tuple(nodes_for(2, 1, (0,), Link()))})
    assert not network.is_slowed(free)
    assert network.is_slowed(free.model_copy(update={"wiring": "program"}))


def test_each_cable_adds_half_of_its_latency(paper: Laboratory) -> None:
    assert table(paper) == "head 0\nn1 100000\nn2 100000\nn3 100000\n"


def test_the_site_file_is_one(paper: Laboratory, tmp_path: Path) -> None:
    folder = tmp_path / "it's: here"
    text = site.site_file(folder, paper)
    read = Site.model_validate(YAML(typ="safe").load(text))
    assert read.system == "paper"
    assert [host.name for host in read.hosts] == ["n1", "n2", "n3"]
    assert read.at_once == 2
    assert read.agent == folder / "agent"
    (one,) = read.networks
    assert one.rate_bits == 100e6
    assert one.latency_seconds == pytest.approx(200e-6)
    # Three nodes share two processors.
    assert one.environment["OMPI_MCA_mpi_yield_when_idle"] == "1"
    assert one.environment["MPIR_CVAR_CH4_PROGRESS_THROTTLE"] == "1"
    assert read.batch is not None
    assert read.batch.commands == folder / "bin"
    free = paper.model_copy(update={"nodes": tuple(nodes_for(2, 1, (0,), Link())), "slurm": False})
    text = site.site_file(folder, free)
    assert "rate_bits" not in text
    assert "latency" not in text
    assert "batch" not in text
    assert "environment" not in text


def test_scripts_have_no_words_that_a_shell_would_change(paper: Laboratory, tmp_path: Path) -> None:
    folder = tmp_path / "$HOME's"
    folder.mkdir()
    site.write(folder, paper)
    assert (folder / "agent").stat().st_mode & 0o777 == 0o700
    words = shlex.split((folder / "agent").read_text().splitlines()[-1])
    assert str(folder) in words
    sacct = (folder / "bin/sacct").read_text()
    assert sacct.endswith('sacct --completion "$@"\n')
    assert "--exactly head" in sacct
    inside = shlex.split(sacct.splitlines()[-2])
    assert inside[3] == mark_of(folder)
    assert inside[-2:] == ["--completion", "$@"]
    assert not (folder / "bin/sacctmgr").exists()


def test_slurm_is_told_every_node(paper: Laboratory, tmp_path: Path) -> None:
    text = slurm_conf(paper, tmp_path, 4 * 2**30)
    lines = text.splitlines()
    nodes = [line for line in lines if line.startswith("NodeName")]
    assert nodes[0] == "NodeName=n1 NodeAddr=10.73.0.1 CPUs=1 RealMemory=1024 State=UNKNOWN"
    assert len(nodes) == 3
    assert f"AuthInfo=socket={tmp_path}/slurm/munge.socket" in lines
    assert "SlurmctldHost=head(10.73.0.254)" in lines
    assert "JobCompType=jobcomp/filetxt" in lines
    assert "{" not in text


def test_slurm_with_a_data_base_is_told_where_it_is(paper: Laboratory, tmp_path: Path) -> None:
    kept = paper.model_copy(update={"accounting": "slurmdbd"})
    lines = slurm_conf(kept, tmp_path, 4 * 2**30).splitlines()
    assert "AccountingStorageType=accounting_storage/slurmdbd" in lines
    assert "AccountingStorageHost=head" in lines
    assert not any("filetxt" in line or "{" in line for line in lines)
    daemon = slurmdbd_conf(kept, tmp_path).splitlines()
    assert "DbdHost=head" in daemon
    assert f"AuthInfo=socket={tmp_path}/slurm/munge.socket" in daemon
    assert not any("{" in line for line in daemon)
    site.write(tmp_path, kept)
    assert (tmp_path / "bin/sacct").read_text().endswith('sacct "$@"\n')
    assert (tmp_path / "bin/sacctmgr").exists()


def test_states_of_nodes() -> None:
    assert parse_states("n1 idle\nn2 down*\n\n") == {"n1": "idle", "n2": "down*"}
    assert parse_states("slurm_load_partitions: Unable to contact slurm controller") == {}


def test_sockets_have_short_names(tmp_path: Path) -> None:
    require_short(Path("/run/heorot/labs/a/slurm"))
    with pytest.raises(SetupError, match="too long"):
        require_short(tmp_path / ("x" * 100))
