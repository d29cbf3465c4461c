"""What nodes had too little of, and who took it: memory, packets, processor time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heorot.analyse.templates.quantities import limit
from heorot.model.analysis.result import Finding
from heorot.monitoring.analyse import templates
from heorot.monitoring.analyse.templates import Row, describe, once, total_seconds
from heorot.monitoring.model import Floats, Monitoring, NodeLoad
from heorot.units import format_duration, format_quantity

_MEMORY_LIMIT = 0.95
_STOLEN_SHARE = 0.01
_SWAPPED_BYTES = 1e6
_FOREIGN_SHARE = 0.01
_FOREIGN_CPUS = 0.5
_OWN_SHARE = 0.005


def find_resources(monitoring: Monitoring) -> list[Finding]:
    """Findings about what nodes had and who took it, whatever jobs were there."""
    return [
        *_kills(monitoring.nodes),
        *_memory(monitoring.nodes),
        *_swapping(monitoring.nodes),
        *_packets(monitoring),
        *_stolen(monitoring.nodes),
        *_foreign(monitoring),
        *_own(monitoring.nodes),
    ]


def _kills(nodes: Sequence[NodeLoad]) -> list[Finding]:
    rows = [
        (name, f"{np.nansum(node.kills):.0f}")
        for name, node in once(nodes)
        if np.nansum(node.kills)
    ]
    return describe(templates.KILLED, rows)


def _memory(nodes: Sequence[NodeLoad]) -> list[Finding]:
    rows = []
    for node in nodes:
        # A sum over processes has pages that they share many times: it may be more than there is.
        if node.contained or not node.memory_bytes > 0:
            continue
        share = node.memory / node.memory_bytes
        near = share > _MEMORY_LIMIT
        if near.any():
            rows.append(
                (
                    node.name,
                    format_quantity(float(np.nanmax(share)), "%"),
                    format_duration(total_seconds(node, near)),
                )
            )
    return describe(templates.MEMORY, rows, most=limit(_MEMORY_LIMIT))


def _swapping(nodes: Sequence[NodeLoad]) -> list[Finding]:
    rows = []
    for name, node in once(nodes):
        moved = float(np.nansum(node.swapped * node.seconds))
        if moved > _SWAPPED_BYTES:
            rows.append(
                (
                    name,
                    format_quantity(moved, "B"),
                    format_quantity(float(np.nanmax(node.swapped)), "B/s"),
                    format_duration(total_seconds(node, node.swapped > 0)),
                )
            )
    return describe(templates.SWAPPED, rows)


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


def _stolen(nodes: Sequence[NodeLoad]) -> list[Finding]:
    rows = []
    for name, node in once(nodes):
        stolen = float(np.nansum(node.stolen * node.seconds))
        # Of a computer that nodes share: nobody says how many it has, so there is no share.
        n_cpus = stolen / float(node.seconds.sum())
        if n_cpus > _STOLEN_SHARE * node.cpus:
            rows.append((name, format_duration(stolen), format_quantity(n_cpus, "CPUs")))
    return describe(templates.STOLEN, rows)


def _foreign(monitoring: Monitoring) -> list[Finding]:
    """Work of processes that are of no job."""
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
    """Whether half a CPU or more worked in three intervals one after the other."""
    high = np.nan_to_num(busy) >= _FOREIGN_CPUS
    return bool((high[:-2] & high[1:-1] & high[2:]).any())


def _user(name: str) -> str:
    return {"0": "root", "kernel": "the kernel"}.get(name, f"user {name}")


def _own(nodes: Sequence[NodeLoad]) -> list[Finding]:
    rows = []
    for node in nodes:
        known = node.own[np.isfinite(node.own)]
        if len(known) and float(known.mean()) > _OWN_SHARE:
            rows.append((node.name, format_quantity(float(known.mean()), "%")))
    return describe(templates.SAMPLERS, rows, most=limit(_OWN_SHARE, "%"))
