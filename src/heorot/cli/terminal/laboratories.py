"""Description and state of a lab, as lines on the terminal."""

from __future__ import annotations

import click

from heorot.lab.model import LabNode, Laboratory
from heorot.session.laboratory import LabStatus, NodeStatus
from heorot.suggestion import suggest
from heorot.units import NOTHING, format_quantity


def command_about(name: str, *words: str) -> str:
    """A command about a lab, with its name unless that is the default."""
    return suggest("lab", *words, *(() if name == "lab" else ("--name", name)))


def described(made: Laboratory) -> str:
    """The properties of a lab, in one line."""
    enough = made.cpus_per_node * len(made.nodes) <= made.n_real_cpus
    cores = "of its own" if enough else f"nominal; {made.n_real_cpus} in all"
    return (
        f"lab      {made.name}: {_several(len(made.nodes), 'node')} and a head,"
        f" {_several(made.cpus_per_node, 'processor')} each, {cores}"
        f"{'; Slurm' if made.slurm else ''}"
        f"{' with slurmdbd' if made.accounting == 'slurmdbd' else ''}"
        f"{'; open to other users' if made.is_open else ''}"
        f"{'; without root' if made.own_user_namespace else ''}"
    )


def print_status(seen: LabStatus) -> None:
    """Print the state of a lab and its nodes."""
    click.echo(described(seen.laboratory))
    click.echo(f"site     {seen.directory}/site.yaml")
    if not seen.alive:
        click.echo(
            f"dead     its supervisor ended; stop it: {command_about(seen.laboratory.name, 'down')}"
        )
    rows: list[tuple[str, ...]] = [
        ("node", "state", "load", "processes", "memory", "received", "sent", "now", "link")
    ]
    rows += [_row(node) for node in seen.nodes]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (f"{text:>{width}}" for text, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def _row(seen: NodeStatus) -> tuple[str, ...]:
    node = seen.node
    if not seen.alive:
        return (node.name, "dead", *[NOTHING] * 6, _link(node))
    return (
        node.name,
        "cut" if node.link.is_cut else "alive",
        f"{seen.load:.2f}",
        str(seen.processes),
        format_quantity(seen.memory_bytes, "B"),
        format_quantity(seen.received_bytes, "B"),
        format_quantity(seen.sent_bytes, "B"),
        format_quantity(seen.receiving + seen.sending, "B/s"),
        _link(node),
    )


def _link(node: LabNode) -> str:
    parts = []
    if node.link.rate_bits is not None:
        parts.append(format_quantity(node.link.rate_bits, "bit/s"))
    if node.link.latency_seconds:
        parts.append(format_quantity(node.link.latency_seconds, "s"))
    return " ".join(parts) or "unshaped"


def _several(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
