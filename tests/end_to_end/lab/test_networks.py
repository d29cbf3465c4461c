"""The network of a lab that carried the messages, and its speed compared with the nominal one."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.collect.records import read_record
from heorot.model.analysis.studies.networks import Carrier, MeasuredNetwork
from heorot.session.runs import Ended, reopen
from tests.end_to_end.lab.conftest import Lab, LabMaker
from tests.end_to_end.running import heorot

pytestmark = [pytest.mark.mpi, pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(600)]

MESSAGE_BYTES = 512 << 10
# The site names an interface that leads nowhere, and variables by which MPIs use another one.
ASTRAY = """
networks:
  - name: fast
    interface: idle0
    rate_bits: 1.0e+9
    environment:
      OMPI_MCA_btl_tcp_if_include: eth0
      PRTE_MCA_prte_if_include: eth0
"""


def exchange(site: str, out: Path) -> Ended:
    """Messages of one size between two nodes."""
    layout = ("--ranks", "2", "--nodes", "2", "--per-node", "1")
    options = ("--set", f"sizes={MESSAGE_BYTES}", "--set", "budget=3", "--set", "precision=0")
    done = heorot("run", "messages/pingpong", *layout, *options, "--site", site, "--out", out)
    assert done.code == 0, done.err
    return reopen(out)


def message_bytes(run: Path) -> float:
    """Bytes of the messages of all launches, as their records count them [B].

    What warms up is known by its time, and two round trips of every region verify.
    """
    regions = [
        region
        for path in run.glob("jobs/*/records/*.jsonl")
        for region in read_record(path).regions
    ]
    return sum(
        one.counts["bytes"]
        * (
            one.repetitions * len(one.seconds) * (1.0 + one.warmup_seconds / one.elapsed_seconds)
            + 2.0
        )
        for one in regions
    )


def measured(ended: Ended) -> tuple[MeasuredNetwork, Carrier]:
    """The one network of a run, and the interface that carried its bytes."""
    (found,) = ended.evaluation.analysis.networks
    assert found.carrier is not None
    return found, found.carrier


def second_interface(lab: Lab) -> None:
    """An interface on both nodes that leads nowhere."""
    for node in ("n1", "n2"):
        lab.on(node, "ip", "link", "add", "idle0", "type", "veth", "peer", "name", "idle1")
        lab.on(node, "ip", "link", "set", "idle0", "up")


def test_which_network_carried_how_much_how_fast(make: LabMaker, shared: Path) -> None:
    lab = make("n", "--nodes", "2", "--bandwidth", "100mbit", "--shared", shared)
    ended = exchange(f"lab:{lab.name}", shared / "right")
    network, carrier = measured(ended)
    assert (network.quoted.name, network.quoted.quoted_bits) == ("lab", 100e6)
    assert network.share is not None
    assert 0.8 < network.share < 1.0
    assert (carrier.interface, carrier.is_another) == ("eth0", False)
    # Packets have headers: 66 of the 1514 bytes of a full one, and all of one that acknowledges.
    assert 1.02 < carrier.carried_bytes / message_bytes(shared / "right") < 1.15
    page = (shared / "right" / "report.html").read_text(encoding="utf-8")
    assert "100 Mbit/s" in page

    second_interface(lab)
    text = (lab.directory / "site.yaml").read_text(encoding="utf-8").split("networks:")[0]
    site = shared / "site.yaml"
    site.write_text(text + ASTRAY, encoding="utf-8")
    ended = exchange(str(site), shared / "wrong")
    network, carrier = measured(ended)
    assert (carrier.interface, carrier.is_another) == ("eth0", True)
    said = [one.text for one in ended.evaluation.analysis.findings]
    assert any("over fast in " in text and " used eth0, " in text for text in said)


def test_two_networks_on_the_same_cables(make: LabMaker, shared: Path) -> None:
    lab = make(
        "s", "--nodes", "2", "--bandwidth", "400mbit", "--second", "50mbit", "--shared", shared
    )
    out = shared / "both"
    words = ("evaluate", "--only", "messages/pingpong", "--nodes", "2", "--profile", "smoke")
    done = heorot(*words, "--site", f"lab:{lab.name}", "--out", out)
    assert done.code == 0, done.err
    first, second = reopen(out).evaluation.analysis.networks
    assert [one.quoted.name for one in (first, second)] == ["lab", "second"]
    for one, interface in ((first, "eth0"), (second, "eth1")):
        assert one.share is not None
        assert 0.8 < one.share < 1.0
        assert one.carrier is not None
        assert (one.carrier.interface, one.carrier.is_another) == (interface, False)
