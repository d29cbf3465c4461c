"""The activity of nodes as Parquet in a run's directory: nodes, cores, processes, ports.

Each file has a row for each interval; constant facts are in `monitoring.json` next to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from pydantic import TypeAdapter

from heorot.errors import RunError
from heorot.model.base import NonNegative, PositiveInt, Record, Seconds, UnixTime
from heorot.monitoring.model import (
    Ending,
    Floats,
    Integers,
    Monitoring,
    NodeLoad,
    PortLoad,
    Uses,
    joined,
)
from heorot.store.atomic import write_bytes, write_parquet
from heorot.store.documents import read_document
from heorot.store.samples import UNREADABLE, opened, unreadable

_FACTS = "monitoring.json"
_NODES = "monitoring.parquet"
_CORES = "monitoring-cores.parquet"
_USES = "monitoring-processes.parquet"
_PORTS = "monitoring-ports.parquet"
_KINDS = ("jobs", "users")

Columns = dict[str, np.ndarray[Any, np.dtype[Any]]]

# One entry for each interval of a node; all other fields are facts.
_NODE_COLUMNS = tuple(each.name for each in fields(NodeLoad) if each.type == "Floats")
_BY_INTERVAL = tuple(name for name in _NODE_COLUMNS if name != "cores")
_USE_INDICES = ("group", "node", "interval")
_USE_COLUMNS = ("busy", "memory", "n", "read", "written")
_PORT_COLUMNS = ("times", "received", "sent", "errors", "drops")


class _Node(Record):
    """Constant facts of a node."""

    name: str
    cpus: PositiveInt
    contained: bool
    interval_seconds: Seconds
    ending: Ending
    memory_bytes: NonNegative | None
    clock_steps: tuple[tuple[UnixTime, float], ...]
    offset_seconds: float | None
    offset_error_seconds: Seconds


class _Facts(Record):
    """Constant facts of all nodes."""

    nodes: tuple[_Node, ...]
    groups: dict[str, tuple[str, ...]]
    ports: tuple[str, ...]
    unwatched: dict[str, str]
    complaints: tuple[str, ...]


def write_monitoring(directory: Path, monitoring: Monitoring) -> None:
    """Write the samples of all nodes; earlier files are replaced.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    # The facts are written last: without them, nothing counts as written.
    _write(directory / _NODES, _node_table(monitoring.nodes))
    _write(directory / _CORES, _core_table(monitoring.nodes))
    _write(directory / _USES, _use_table(monitoring))
    _write(directory / _PORTS, _port_table(monitoring.ports))
    facts = _Facts(
        nodes=tuple(_facts_of(node) for node in monitoring.nodes),
        groups={kind: getattr(monitoring, kind).names for kind in _KINDS},
        ports=tuple(port.name for port in monitoring.ports),
        unwatched=monitoring.unwatched,
        complaints=monitoring.complaints,
    )
    write_bytes(directory / _FACTS, facts.model_dump_json(indent=1).encode() + b"\n")


def has_monitoring(directory: Path) -> bool:
    """Whether a run has been monitored and written."""
    return (directory / _FACTS).exists()


def read_monitoring(directory: Path) -> Monitoring:
    """Read the samples of all nodes of a run.

    Raises:
        RunError: a file is missing, truncated or invalid.
    """
    facts = read_document(directory / _FACTS, TypeAdapter(_Facts))
    nodes = _read(directory / _NODES, ("node", *_BY_INTERVAL))
    cores = _read(directory / _CORES, ("node", "share"))
    uses = _read(directory / _USES, ("kind", *_USE_INDICES, *_USE_COLUMNS))
    ports = _read(directory / _PORTS, ("port", *_PORT_COLUMNS))
    try:
        return Monitoring(
            nodes=tuple(_node(i, node, nodes, cores) for i, node in enumerate(facts.nodes)),
            jobs=_uses(0, facts, uses),
            users=_uses(1, facts, uses),
            ports=tuple(
                PortLoad(name, **_rows(ports, "port", i, _PORT_COLUMNS))
                for i, name in enumerate(facts.ports)
            ),
            unwatched=facts.unwatched,
            complaints=facts.complaints,
        )
    except (ValueError, KeyError, IndexError) as error:
        raise unreadable(directory / _NODES, error) from error


def _facts_of(node: NodeLoad) -> _Node:
    values = {name: getattr(node, name) for name in _Node.model_fields}
    return _Node.model_validate(
        values | ({"memory_bytes": None} if np.isnan(node.memory_bytes) else {})
    )


def _node_table(nodes: Sequence[NodeLoad]) -> Columns:
    return {
        "node": _numbered([len(node.times) for node in nodes]),
        **{name: joined([getattr(node, name) for node in nodes]) for name in _BY_INTERVAL},
    }


def _core_table(nodes: Sequence[NodeLoad]) -> Columns:
    """A row for each interval and CPU, the CPUs of an interval one after the other."""
    widths = [node.cores.shape[1] for node in nodes]
    return {
        "node": _numbered([node.cores.size for node in nodes]),
        "cpu": np.concatenate(
            [
                np.empty(0, dtype=np.int32),
                *(
                    np.tile(np.arange(width, dtype=np.int32), len(node.times))
                    for node, width in zip(nodes, widths, strict=True)
                ),
            ]
        ),
        "share": joined([node.cores.ravel() for node in nodes]),
    }


def _use_table(monitoring: Monitoring) -> Columns:
    uses: list[Uses] = [getattr(monitoring, kind) for kind in _KINDS]
    return {
        "kind": _numbered([len(use.group) for use in uses]),
        **{
            name: np.concatenate([getattr(use, name) for use in uses])
            for name in (*_USE_INDICES, *_USE_COLUMNS)
        },
    }


def _port_table(ports: Sequence[PortLoad]) -> Columns:
    return {
        "port": _numbered([len(port.times) for port in ports]),
        **{name: joined([getattr(port, name) for port in ports]) for name in _PORT_COLUMNS},
    }


def _numbered(lengths: Sequence[int]) -> np.ndarray[Any, np.dtype[np.int32]]:
    """The number of its owner for each row."""
    return np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)


def _write(path: Path, columns: Columns) -> None:
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")  # keeps the order
        connection.register("monitored", columns)
        write_parquet(path, connection, "SELECT * FROM monitored")


def _read(path: Path, names: Sequence[str]) -> Columns:
    """Some columns of a file.

    Raises:
        RunError: it is missing, truncated or invalid.
    """
    try:
        with opened(path) as rows:
            columns = rows.select(*names).fetchnumpy()
    except UNREADABLE as error:
        raise unreadable(path, error) from error
    return {name: _filled(path, column) for name, column in columns.items()}


def _filled(path: Path, column: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
    """A column with NaN for unknown values, which the database stores as NULL.

    Raises:
        RunError: an index is unknown.
    """
    if not np.ma.is_masked(column):
        return np.asarray(column)
    if column.dtype.kind != "f":
        raise RunError(f"{path} is damaged: an index is missing", "restore it from a copy")
    return np.asarray(np.ma.filled(column, np.nan))


def _rows(columns: Columns, owner: str, number: int, names: Sequence[str]) -> dict[str, Floats]:
    mine = columns[owner] == number
    return {name: columns[name][mine].astype(np.float64) for name in names}


def _node(number: int, facts: _Node, nodes: Columns, cores: Columns) -> NodeLoad:
    columns: dict[str, Any] = dict(_rows(nodes, "node", number, _BY_INTERVAL))
    shares = _rows(cores, "node", number, ("share",))["share"]
    n = len(columns["times"])
    known: Mapping[str, Any] = facts.model_dump(exclude={"memory_bytes"})
    return NodeLoad(
        **known,
        **columns,
        memory_bytes=np.nan if facts.memory_bytes is None else facts.memory_bytes,
        cores=shares.reshape(n, -1) if n else shares.reshape(0, 0),
    )


def _uses(kind: int, facts: _Facts, uses: Columns) -> Uses:
    mine = uses["kind"] == kind
    indices: dict[str, Integers] = {name: uses[name][mine].astype(int) for name in _USE_INDICES}
    names = facts.groups[_KINDS[kind]]
    bounds = {"group": len(names), "node": len(facts.nodes)}
    for name, bound in bounds.items():
        if np.any((indices[name] < 0) | (indices[name] >= bound)):
            raise ValueError(f"an invalid {name}")
    columns: dict[str, Any] = {**indices, **_rows(uses, "kind", kind, _USE_COLUMNS)}
    return Uses(names=names, **columns)
