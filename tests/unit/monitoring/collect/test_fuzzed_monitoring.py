"""Damaged samples, and damaged answers of other monitors: valid parts are read."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.model.machine.site import CountersKind
from heorot.monitoring.collect.monitor_output import (
    ended_jobs,
    parse_exporter,
    parse_pcp,
    parse_sacct,
)
from heorot.monitoring.collect.node_loads import read_monitoring
from heorot.monitoring.collect.ports import parse_ports
from heorot.throughput.analyse.monitored import analyse_monitoring
from tests.unit.damage import damaged_bytes, damaged_lines

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "monitoring"
# About the first minute: reading whole samples a thousand times takes too long.
NODE = b"".join((SAMPLES / "n1.samples").read_bytes().splitlines(keepends=True)[:40])
EXPORTER = (SAMPLES / "exporter-after.txt").read_bytes()
SACCT = (SAMPLES / "sacct.txt").read_bytes()
PORTS = {
    "perfquery": (SAMPLES / "perfquery.txt").read_bytes(),
    "snmp": (SAMPLES / "snmpwalk.txt").read_bytes(),
    "ip-json": (SAMPLES / "ports-after.json").read_bytes(),
}
PCP = b"""
kernel.all.cpu.user
    value 2052690

network.interface.in.bytes
    inst [0 or "lo"] value 212
    inst [3 or "eth0"] value 1321732020
time 1795448189.25
"""


def _damaged(content: bytes) -> st.SearchStrategy[bytes]:
    return damaged_bytes(content) | damaged_lines(content)


@pytest.mark.slow
@given(_damaged(NODE))
def test_damaged_samples(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "n1.samples").write_bytes(content)
        monitoring = read_monitoring(Path(folder), ["n1"])
    assert [*(node.name for node in monitoring.nodes), *monitoring.unwatched] != []
    for node in monitoring.nodes:
        assert len(node.times) == len(node.seconds) == len(node.busy)
        assert np.all(node.seconds > 0.0)
    for finding in analyse_monitoring(monitoring).findings:
        assert "nan" not in finding.text.split()


@given(_damaged(PCP), _damaged(EXPORTER))
def test_damaged_answers_of_nodes(pcp: bytes, exporter: bytes) -> None:
    for found in (parse_pcp(_text(pcp)), parse_exporter(_text(exporter))):
        amounts = np.array([found.cpu_seconds, found.received, found.sent])
        assert np.all(np.isfinite(amounts) & (amounts >= 0.0))


@given(_damaged(SACCT))
def test_damaged_accounts(content: bytes) -> None:
    text = _text(content)
    ended_jobs(text)
    for found in parse_sacct(text).values():
        for amount in (found.cpu_seconds, found.task_bytes):
            assert amount is None or (np.isfinite(amount) and amount >= 0.0)


@pytest.mark.parametrize("kind", get_args(CountersKind))
@given(data=st.data())
def test_damaged_counters(kind: CountersKind, data: st.DataObject) -> None:
    content = data.draw(_damaged(PORTS[kind]))
    with suppress(ValueError):  # of no ports at all
        for port in parse_ports(kind, _text(content)).values():
            assert min(port.received, port.sent, port.errors, port.drops) >= 0


def _text(content: bytes) -> str:
    return content.decode(errors="replace")
