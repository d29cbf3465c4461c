"""Counters of switches and ports: output of the site's commands, and the file that keeps it.

- `ip-json`: `ip -s -j link`, of a bridge's ports or of any interfaces.
- `perfquery`: of ports of InfiniBand, extended (`-x`) or not, any number of them one after another;
  its data counters count words of four bytes.
- `snmp`: `snmpwalk` of a switch's interfaces (IF-MIB), by names or by numbers; 64-bit counters are
  preferred.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from heorot.files import read_regular
from heorot.model.base import Record, UnixTime
from heorot.model.machine.site import CountersKind
from heorot.monitoring.model import PortLoad

PORTS = "ports.jsonl"
"""File of the commands' output, in the directory of the samples."""

_COUNTERS = ("received", "sent", "errors", "drops")
_WORD_BYTES = 4
_MOST_COMPLAINTS = 5
# Counters of 32 bits overflow.
_NARROW = 2**32
# No counter has more than 64 bits; counters of words are multiplied by four.
_LARGEST = _WORD_BYTES * 2**64

_PERFQUERY_HEAD = re.compile(r"#.*\bLid (\d+)\s+port (\d+)")
_PERFQUERY_LINE = re.compile(r"(\w+):\.*(\d+)\s*$")
_PERFQUERY: dict[str, tuple[str, int]] = {
    "PortRcvData": ("received", _WORD_BYTES),
    "PortXmitData": ("sent", _WORD_BYTES),
    "SymbolErrorCounter": ("errors", 1),
    "LinkDownedCounter": ("errors", 1),
    "PortRcvErrors": ("errors", 1),
    "PortXmitDiscards": ("drops", 1),
    "VL15Dropped": ("drops", 1),
}

_SNMP_LINE = re.compile(r"(?:[\w-]+::)?(\.?[A-Za-z][A-Za-z0-9]*|\.?[0-9.]+)\.(\d+) = [^:]*: (.*)$")
_SNMP_NUMBERS = {
    "1.3.6.1.2.1.2.2.1.2": "ifDescr",
    "1.3.6.1.2.1.2.2.1.10": "ifInOctets",
    "1.3.6.1.2.1.2.2.1.13": "ifInDiscards",
    "1.3.6.1.2.1.2.2.1.14": "ifInErrors",
    "1.3.6.1.2.1.2.2.1.16": "ifOutOctets",
    "1.3.6.1.2.1.2.2.1.19": "ifOutDiscards",
    "1.3.6.1.2.1.2.2.1.20": "ifOutErrors",
    "1.3.6.1.2.1.31.1.1.1.1": "ifName",
    "1.3.6.1.2.1.31.1.1.1.6": "ifHCInOctets",
    "1.3.6.1.2.1.31.1.1.1.10": "ifHCOutOctets",
}


class PortCounters(Record):
    """The counters of one port.

    Attributes:
        received, sent: from the port's point of view [B].
        errors, drops: packets.
        narrow: whether its counters have 32 bits.
    """

    received: int = Field(default=0, ge=0, le=_LARGEST)
    sent: int = Field(default=0, ge=0, le=_LARGEST)
    errors: int = Field(default=0, ge=0, le=_LARGEST)
    drops: int = Field(default=0, ge=0, le=_LARGEST)
    narrow: bool = False


class PortsLine(Record):
    """A line of the file: one output of a command.

    Attributes:
        time: Unix time [s].
        ports: by name; none if it was not understood.
        complaint: the reason.
    """

    time: UnixTime
    ports: dict[str, PortCounters] = Field(default_factory=dict)
    complaint: str = ""


_LINE: TypeAdapter[PortsLine] = TypeAdapter(PortsLine)


def parse_ports(kind: CountersKind, text: str) -> dict[str, PortCounters]:
    """The ports in the output of a command.

    Raises:
        ValueError: it has no port.
    """
    parse: dict[CountersKind, Callable[[str], dict[str, PortCounters]]] = {
        "ip-json": _parse_ip,
        "perfquery": _parse_perfquery,
        "snmp": _parse_snmp,
    }
    ports = parse[kind](text)
    if not ports:
        raise ValueError("no port in it")
    return ports


def _parse_ip(text: str) -> dict[str, PortCounters]:
    try:
        links = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        raise ValueError("it is not JSON") from None
    links = [link for link in links if isinstance(link, dict)] if isinstance(links, list) else []
    # Traffic of a bridge has already passed its ports.
    bridges = {str(link.get("master")) for link in links}
    ports = {}
    for link in links:
        try:
            stats = link["stats64"]
            if "LOOPBACK" in link["flags"] or link["ifname"] in bridges:
                continue
            received, sent = stats["rx"], stats["tx"]
            ports[str(link["ifname"])] = PortCounters(
                received=received["bytes"],
                sent=sent["bytes"],
                errors=received["errors"] + sent["errors"],
                drops=received["dropped"] + sent["dropped"],
            )
        except (KeyError, TypeError, ValidationError):
            continue  # without counters, as of an interface being removed
    return ports


def _parse_perfquery(text: str) -> dict[str, PortCounters]:
    ports: dict[str, dict[str, int]] = {}
    port = ports.setdefault("port", {})
    for line in text.splitlines():
        if head := _PERFQUERY_HEAD.match(line):
            port = ports.setdefault(f"lid {head[1]} port {head[2]}", {})
        elif (found := _PERFQUERY_LINE.match(line.strip())) and found[1] in _PERFQUERY:
            # If a port is listed twice, extended and not, the narrow counter has saturated first.
            port[found[1]] = max(port.get(found[1], 0), int(found[2]))
    return {name: _of_perfquery(counters) for name, counters in ports.items() if counters}


def _of_perfquery(counters: Mapping[str, int]) -> PortCounters:
    """The counters of one port, from perfquery's names."""
    sums = dict.fromkeys(_COUNTERS, 0)
    for counter, number in counters.items():
        name, scale = _PERFQUERY[counter]
        sums[name] += scale * number
    return PortCounters.model_validate(sums)


def _parse_snmp(text: str) -> dict[str, PortCounters]:
    rows: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        if found := _SNMP_LINE.match(line.strip()):
            object_name = found[1].removeprefix(".")
            object_name = _SNMP_NUMBERS.get(object_name, object_name)
            rows.setdefault(found[2], {})[object_name] = found[3].strip().strip('"')
    ports = {}
    for index, row in rows.items():
        wide = "ifHCInOctets" in row
        octets = ("ifHCInOctets", "ifHCOutOctets") if wide else ("ifInOctets", "ifOutOctets")
        if octets[0] not in row:
            continue
        name = row.get("ifName") or row.get("ifDescr") or index
        ports[name] = PortCounters(
            received=_whole(row, octets[0]),
            sent=_whole(row, octets[1]),
            errors=_whole(row, "ifInErrors") + _whole(row, "ifOutErrors"),
            drops=_whole(row, "ifInDiscards") + _whole(row, "ifOutDiscards"),
            narrow=not wide,
        )
    return ports


def _whole(row: Mapping[str, str], name: str) -> int:
    text = row.get(name, "0")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(2**64)) else 0


def read_ports(path: Path) -> tuple[tuple[PortLoad, ...], list[str]]:
    """The traffic of the ports, and errors in lines.

    Args:
        path: the file of the commands' output; it may be missing.
    """
    try:
        *lines, _ = read_regular(path).split(b"\n")
    except OSError:
        return (), []
    complaints: list[str] = []
    readings: dict[str, list[tuple[float, PortCounters]]] = {}
    for number, text in enumerate(lines, start=1):
        try:
            line = _LINE.validate_json(text)
        except ValidationError:
            complaints.append(f"{path.name}:{number}: no counters of ports")
            continue
        if line.complaint:
            complaints.append(f"{path.name}:{number}: {line.complaint}")
        for name, counters in line.ports.items():
            readings.setdefault(name, []).append((line.time, counters))
    loads = tuple(_load(name, each) for name, each in readings.items() if len(each) > 1)
    return loads, complaints[:_MOST_COMPLAINTS]


def _load(name: str, readings: list[tuple[float, PortCounters]]) -> PortLoad:
    times = np.array([time for time, _ in readings])
    # A clock that was set back yields no rate.
    seconds = np.where(np.diff(times) > 0, np.diff(times), np.nan)
    grown = {
        counter: np.array(list(_grown(counter, [each for _, each in readings])), dtype=np.float64)
        for counter in _COUNTERS
    }
    return PortLoad(
        name=name,
        times=times[1:],
        received=grown["received"] / seconds,
        sent=grown["sent"] / seconds,
        errors=grown["errors"],
        drops=grown["drops"],
    )


def _grown(counter: str, readings: list[PortCounters]) -> Iterator[float]:
    """The increase of a counter; NaN after a reset that is no overflow."""
    for before, after in pairwise(readings):
        was: Any = getattr(before, counter)
        now: Any = getattr(after, counter)
        if now < was and after.narrow and was < _NARROW:
            now += _NARROW
        yield float(now - was) if now >= was else float("nan")
