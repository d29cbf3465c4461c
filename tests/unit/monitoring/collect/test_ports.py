"""Counters of ports, as printed by real commands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from heorot.model.machine.site import CountersKind
from heorot.monitoring.collect.ports import PortCounters, parse_ports, read_ports

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "monitoring"


def text(name: str) -> str:
    return (SAMPLES / name).read_text()


def test_the_switch_of_a_real_lab() -> None:
    before = parse_ports("ip-json", text("ports-before.json"))
    after = parse_ports("ip-json", text("ports-after.json"))
    assert list(before) == ["head", "n1", "n2", "n3"]  # not the bridge itself
    assert list(after) == ["head", "n1", "n2"]  # the third node was killed
    sent = after["n1"].received - before["n1"].received
    assert sent == after["n2"].sent - before["n2"].sent > 20_000_000


def test_entries_without_counters_are_left_out() -> None:
    links = [7, {"ifname": "a"}, {"ifname": "b", "flags": [], "stats64": {"rx": 1, "tx": 2}}]
    with pytest.raises(ValueError, match="no port in it"):
        parse_ports("ip-json", json.dumps(links))
    stats = {"bytes": 5, "errors": 1, "dropped": 2}
    good = {"ifname": "c", "flags": [], "stats64": {"rx": stats, "tx": stats}}
    bad = good | {"ifname": "d", "stats64": {"rx": stats | {"bytes": -5}, "tx": stats}}
    found = parse_ports("ip-json", json.dumps([good, bad]))
    assert found == {"c": PortCounters(received=5, sent=5, errors=2, drops=4)}


def test_ports_of_infiniband() -> None:
    found = parse_ports("perfquery", text("perfquery.txt"))
    assert found == {"lid 1 port 1": PortCounters(received=4 * 10932, sent=4 * 16480432)}
    extended = text("perfquery-extended.txt")
    both = parse_ports("perfquery", extended + text("perfquery.txt"))
    assert list(both) == ["lid 274 port 1", "lid 1 port 1"]
    assert both["lid 274 port 1"].sent == 4 * 4372366170488
    troubled = text("perfquery.txt").replace(
        "PortXmitDiscards:................0", "PortXmitDiscards:...3"
    )
    troubled = troubled.replace("SymbolErrorCounter:..............0", "SymbolErrorCounter:...2")
    port = parse_ports("perfquery", troubled)["lid 1 port 1"]
    assert (port.errors, port.drops) == (2, 3)


def test_a_port_that_is_printed_twice_counts_once() -> None:
    narrow = text("perfquery.txt").replace("VL15Dropped:.....................0", "VL15Dropped:..2")
    wide = text("perfquery-extended.txt").replace("Lid 274", "Lid 1")
    ((name, port),) = parse_ports("perfquery", narrow + wide).items()
    assert name == "lid 1 port 1"
    assert (port.received, port.sent) == (4 * 4395837050794, 4 * 4372366170488)
    assert port.drops == 2


def test_numbers_that_no_counter_can_have(tmp_path: Path) -> None:
    port = "# Port counters: Lid 1 port 1\nPortRcvData:" + 400 * "9"
    with pytest.raises(ValueError, match="less than or equal"):
        parse_ports("perfquery", port)
    (tmp_path / "ports.jsonl").write_text(line(0, received=0) + line(1, received=10**400))
    loads, complaints = read_ports(tmp_path / "ports.jsonl")
    assert loads == ()
    assert complaints == ["ports.jsonl:2: no counters of ports"]


def test_interfaces_of_a_switch() -> None:
    found = parse_ports("snmp", text("snmpwalk.txt"))
    assert list(found) == ["wlan0", "br-lan", "eth0.1", "eth0"]
    assert found["eth0"] == PortCounters(received=126247040, sent=20197296, narrow=True)
    wide = "IF-MIB::ifName.4 = STRING: ge4\nIF-MIB::ifHCInOctets.4 = Counter64: 7\n"
    wide += "IF-MIB::ifHCOutOctets.4 = Counter64: 8\nIF-MIB::ifOutDiscards.4 = Counter32: 9\n"
    named = parse_ports("snmp", text("snmpwalk.txt") + wide)
    assert named["ge4"] == PortCounters(received=7, sent=8, drops=9)
    numbers = ".1.3.6.1.2.1.2.2.1.10.3 = Counter32: 5\n.1.3.6.1.2.1.2.2.1.14.3 = Counter32: x\n"
    assert parse_ports("snmp", numbers) == {"3": PortCounters(received=5, narrow=True)}


@pytest.mark.parametrize("kind", ["ip-json", "perfquery", "snmp"])
@pytest.mark.parametrize("printed", ["", "error: no such host\n", "[", "{}", "[[]]"])
def test_what_is_no_counters_is_refused(kind: CountersKind, printed: str) -> None:
    with pytest.raises(ValueError, match=r"no port in it|not JSON"):
        parse_ports(kind, printed)


def line(time: float, **counters: int | bool) -> str:
    return json.dumps({"time": time, "ports": {"p": counters}}) + "\n"


def test_rates_of_ports(tmp_path: Path) -> None:
    file = tmp_path / "ports.jsonl"
    file.write_text(
        line(10, received=100, sent=0)
        + '{"time": 11, "complaint": "exit code 1: no route"}\n'
        + "garbage\n"
        + line(12, received=300, sent=8, drops=3)
        + line(11, received=400, sent=8, drops=3)
        + line(21, received=50, sent=10, drops=4)
        + "torn"
    )
    (port,), complaints = read_ports(file)
    assert complaints == [
        "ports.jsonl:2: exit code 1: no route",
        "ports.jsonl:3: no counters of ports",
    ]
    assert port.times.tolist() == [12, 11, 21]
    assert port.received[0] == 100
    assert np.isnan(port.received[1:]).all()  # a clock that was set back; a counter that was
    assert port.drops.tolist() == [3, 0, 1]


def test_narrow_counters_begin_anew(tmp_path: Path) -> None:
    file = tmp_path / "ports.jsonl"
    file.write_text(
        line(0, received=2**32 - 10, narrow=True)
        + line(1, received=20, narrow=True)
        + line(2, received=10)
    )
    (port,), _ = read_ports(file)
    assert port.received[0] == 30
    assert np.isnan(port.received[1])
    assert read_ports(tmp_path / "none") == ((), [])
