"""What nodes had too little of, and who took it: memory, packets, processor time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heorot.analyse.monitoring.telling import Row, once, tell, total_seconds
from heorot.model.analysis.result import Finding
from heorot.model.batch.monitoring import Floats, Monitoring, NodeLoad
from heorot.units import format_duration, format_quantity, plural

_MEMORY_LIMIT = 0.95
_STOLEN_SHARE = 0.01
_SWAPPED_BYTES = 1e6
_FOREIGN_SHARE = 0.01
_FOREIGN_CPUS = 0.5
_OWN_SHARE = 0.005


def find_resources(monitoring: Monitoring) -> list[Finding]:
    """Findings about what nodes had and who took it, whatever jobs were there.

    Args:
        monitoring: what the nodes did.
    """
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
    return tell(
        rows,
        ("node", "processes"),
        "the kernel ended processes for want of memory",
        "error",
        "give their jobs more nodes, or let the batch system enforce limits of memory",
    )


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
    return tell(
        rows,
        ("node", "most", "for"),
        f"memory was used beyond {100 * _MEMORY_LIMIT:.0f} % on {plural(len(rows), 'node')}",
        "warning",
        "what needs more fails or swaps there: use more nodes, or fewer ranks on each",
    )


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
    return tell(
        rows,
        ("node", "moved", "fastest", "for"),
        f"{plural(len(rows), 'node')} swapped",
        "warning",
        "times measured there are those of the disk: use less memory, or switch swapping off",
    )


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
    counts = ((len(rows) - n_ports, "node"), (n_ports, "port"))
    where = " and ".join(plural(n, noun) for n, noun in counts if n)
    return tell(
        rows,
        ("where", "errors", "drops"),
        f"packets were lost at {where}",
        "warning",
        "errors are cables or adapters; drops are congestion, or packets that nobody wanted",
    )


def _stolen(nodes: Sequence[NodeLoad]) -> list[Finding]:
    rows = []
    for name, node in once(nodes):
        stolen = float(np.nansum(node.stolen * node.seconds))
        # Of a computer that nodes share: nobody says how many it has, so there is no share.
        n_cpus = stolen / float(node.seconds.sum())
        if n_cpus > _STOLEN_SHARE * node.cpus:
            rows.append((name, format_duration(stolen), format_quantity(n_cpus, "CPUs")))
    return tell(
        rows,
        ("node", "processor time", "on average"),
        f"a hypervisor gave processor time of {plural(len(rows), 'node')} to others",
        "warning",
        "a virtual machine that others share tells little of the hardware under it",
    )


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
    return tell(
        rows,
        ("node", "whose", "processor time", "share of the node", "most CPUs"),
        f"processes that belong to no job worked on "
        f"{plural(len({row[0] for row in rows}), 'node')}",
        "warning",
        "they take time from the jobs there: find out whose they are; daemons of the batch "
        "system, and Heorot where it runs, are among them",
    )


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
    return tell(
        rows,
        ("node", "of one CPU"),
        f"the samplers took more than {format_quantity(_OWN_SHARE, '%')} of a CPU",
        "note",
        "sample less often: nodes with very many processes cost more",
    )
