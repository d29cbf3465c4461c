"""Shortages on nodes and their causes: memory, packets, CPU time."""

from __future__ import annotations

import numpy as np

from heorot.analyse.templates.quantities import limit
from heorot.model.analysis.result import Finding
from heorot.monitoring.analyse import templates
from heorot.monitoring.analyse.templates import Row, describe, once, rows_of
from heorot.monitoring.model import Floats, Monitoring, NodeLoad
from heorot.units import format_duration, format_quantity

_MEMORY_LIMIT = 0.95
_STOLEN_SHARE = 0.01
_SWAPPED_BYTES = 1e6
_FOREIGN_SHARE = 0.01
_FOREIGN_CPUS = 0.5
_OWN_SHARE = 0.005


def find_resources(monitoring: Monitoring) -> list[Finding]:
    """Findings about shortages on nodes, independent of their jobs."""
    nodes = [(node.name, node) for node in monitoring.nodes]
    computers = once(monitoring.nodes)
    return [
        *describe(templates.KILLED, rows_of(computers, _kills)),
        *describe(templates.MEMORY, rows_of(nodes, _memory), most=limit(_MEMORY_LIMIT)),
        *describe(templates.SWAPPED, rows_of(computers, _swapping)),
        *_packets(monitoring),
        *describe(templates.STOLEN, rows_of(computers, _stolen)),
        *_foreign(monitoring),
        *describe(templates.SAMPLERS, rows_of(nodes, _own), most=limit(_OWN_SHARE, "%")),
    ]


def _kills(node: NodeLoad) -> Row | None:
    kills = np.nansum(node.kills)
    return (f"{kills:.0f}",) if kills else None


def _memory(node: NodeLoad) -> Row | None:
    # A sum over processes counts shared pages several times: it may exceed the memory.
    if node.contained or not node.memory_bytes > 0:
        return None
    share = node.memory / node.memory_bytes
    near = share > _MEMORY_LIMIT
    if not near.any():
        return None
    lasted = format_duration(float(node.seconds[near].sum()))
    return format_quantity(float(np.nanmax(share)), "%"), lasted


def _swapping(node: NodeLoad) -> Row | None:
    moved = float(np.nansum(node.swapped * node.seconds))
    if moved <= _SWAPPED_BYTES:
        return None
    fastest = format_quantity(float(np.nanmax(node.swapped)), "B/s")
    lasted = format_duration(float(node.seconds[node.swapped > 0].sum()))
    return format_quantity(moved, "B"), fastest, lasted


def _packets(monitoring: Monitoring) -> list[Finding]:
    rows: list[Row] = []
    who: list[tuple[str, Floats, Floats]] = [
        *((node.name, node.errors, node.drops) for node in monitoring.nodes),
        *((f"port {port.name}", port.errors, port.drops) for port in monitoring.ports),
    ]
    for name, errors, drops in who:
        if np.nansum(errors) or np.nansum(drops):
            rows.append((name, f"{np.nansum(errors):.0f}", f"{np.nansum(drops):.0f}"))
    n_ports = sum(row[0].startswith("port ") for row in rows)
    counts = {"nodes": len(rows) - n_ports, "ports": n_ports}
    where = [templates.COUNTED[noun].claim(n=n) for noun, n in counts.items() if n]
    return describe(templates.PACKETS, rows, where=where)


def _stolen(node: NodeLoad) -> Row | None:
    stolen = float(np.nansum(node.stolen * node.seconds))
    # The number of CPUs of a computer shared by nodes is unknown, so there is no share.
    n_cpus = stolen / float(node.seconds.sum())
    if n_cpus <= _STOLEN_SHARE * node.cpus:
        return None
    return format_duration(stolen), format_quantity(n_cpus, "CPUs")


def _foreign(monitoring: Monitoring) -> list[Finding]:
    """CPU time of processes without a job."""
    users = monitoring.users
    rows = []
    for number, node in enumerate(monitoring.nodes):
        for group in np.unique(users.group[users.node == number]):
            mine = (users.node == number) & (users.group == group)
            busy = users.busy[mine]
            spent = float(np.nansum(busy * node.seconds[users.interval[mine]]))
            share = spent / (float(node.seconds.sum()) * node.cpus)
            most = float(np.nanmax(busy, initial=0.0))
            if share > _FOREIGN_SHARE or _lasts(busy):
                who = _user(users.names[group])
                values = (format_duration(spent), format_quantity(share, "%"), f"{most:.2f}")
                rows.append((node.name, who, *values))
    return describe(templates.FOREIGN, rows, n=len({row[0] for row in rows}))


def _lasts(busy: Floats) -> bool:
    """Whether half a CPU or more was busy in three consecutive intervals."""
    high = np.nan_to_num(busy) >= _FOREIGN_CPUS
    return bool((high[:-2] & high[1:-1] & high[2:]).any())


def _user(name: str) -> str:
    return {"0": "root", "kernel": "the kernel"}.get(name, f"user {name}")


def _own(node: NodeLoad) -> Row | None:
    known = node.own[np.isfinite(node.own)]
    if not len(known) or float(known.mean()) <= _OWN_SHARE:
        return None
    return (format_quantity(float(known.mean()), "%"),)
