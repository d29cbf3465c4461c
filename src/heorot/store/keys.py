"""The columns that identify stored rows: setup, region and point."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from heorot.model.base import Count, Record
from heorot.model.machine.toolchain import with_compilers
from heorot.model.point import Options, Point
from heorot.model.run.identity import Key, Setup

SETUP_COLUMNS: dict[str, str] = {
    "benchmark": "VARCHAR",
    "case": "VARCHAR",
    "toolchain": "VARCHAR",
    "network": "VARCHAR",
    "nodes": "BIGINT",
    "ranks": "BIGINT",
    "threads": "BIGINT",
    "per_node": "BIGINT",
    "options": "VARCHAR",
}
"""Columns of a setup with the database's types; options are JSON text."""

KEY_COLUMNS: dict[str, str] = SETUP_COLUMNS | {"region": "VARCHAR", "point": "VARCHAR"}
"""Columns of a key; the point is JSON text."""

NETWORK = "network"
"""The column that files of earlier versions lack: they have it behind the toolchain, with a `+`."""


class _Setup(Record):
    """The columns of a setup without its options, with the bounds of valid values."""

    benchmark: str
    case: str
    toolchain: str
    network: str
    nodes: Count
    ranks: Count
    threads: Count
    per_node: Count


# Lists in plans whose members have a setup.
_OF_PLAN = ("steps", "skipped")
_OPTIONS: TypeAdapter[Options] = TypeAdapter(Options)
_POINT: TypeAdapter[Point] = TypeAdapter(Point)


def stored_part(key: Key, column: str) -> str | int:
    """The value of a key in one of its columns."""
    part = getattr(key if column in {"region", "point"} else key.setup, column)
    return json.dumps(dict(part)) if isinstance(part, Mapping) else part


def read_key(row: Mapping[str, Any], networks: Collection[str] = ()) -> Key:
    """The key of a stored row; equal setups are one object.

    Args:
        row: its columns; the network may be missing.
        networks: networks whose names may end the toolchain's name in rows without that column.

    Raises:
        ValueError: a column has an invalid value.
        TypeError: likewise.
    """
    names = {name: row[name] for name in SETUP_COLUMNS if name != NETWORK}
    names[NETWORK] = row[NETWORK] if NETWORK in row else _network(names["toolchain"], networks)
    if NETWORK not in row and names[NETWORK]:
        names["toolchain"] = names["toolchain"].removesuffix(f"+{names[NETWORK]}")
    if not isinstance(row["region"], str):
        raise TypeError("a region has no name")
    setup = _setup(tuple(names[name] for name in SETUP_COLUMNS))
    return Key(setup, row["region"], _point(row["point"]))


def _network(label: str, networks: Collection[str]) -> str:
    """The longest network whose name ends a toolchain's label; empty if there is none."""
    found = (name for name in networks if name and str(label).endswith(f"+{name}"))
    return max(found, key=len, default="")


@lru_cache(maxsize=4096)
def _setup(columns: tuple[Any, ...]) -> Setup:
    named = dict(zip(SETUP_COLUMNS, columns, strict=True))
    options = _OPTIONS.validate_json(named.pop("options"))
    return Setup(**_Setup.model_validate(named, strict=True).model_dump(), options=options)


@lru_cache(maxsize=4096)
def _point(text: str) -> Point:
    return _POINT.validate_json(text)


def with_setups(document: Any) -> Any:  # noqa: ANN401 -- JSON of any kind
    """Upgrades steps or a plan of an earlier version, in which the setup's fields were the step's.

    Args:
        document: JSON; anything else is returned unchanged.
    """
    if isinstance(document, list):
        return [_folded(one) for one in document]
    if isinstance(document, dict):
        lists = {name: document[name] for name in _OF_PLAN if isinstance(document.get(name), list)}
        return document | {name: [_folded(one) for one in each] for name, each in lists.items()}
    return document


def _folded(one: Any) -> Any:  # noqa: ANN401 -- JSON of any kind
    if not isinstance(one, dict) or "setup" in one or "benchmark" not in one:
        return one
    parts = {name: one[name] for name in SETUP_COLUMNS if name in one}
    return {name: value for name, value in one.items() if name not in parts} | {"setup": parts}


def with_needs(document: Any) -> Any:  # noqa: ANN401 -- JSON of any kind
    """Upgrades facts of an earlier version, in which needs were stored next to the case's name.

    Args:
        document: JSON; anything else is returned unchanged.
    """
    try:
        request = document["request"]
        case = dict(request["chosen"]["case"])
        needs = {name: case.pop(name) for name in ("memory_bytes", "seconds")}
        needs["shared_cores"] = case.pop("needs_cores") < case["ranks"] * case["threads"]
    except (KeyError, TypeError, ValueError):
        return document
    chosen = request["chosen"] | {"case": case | {"needs": needs}}
    return document | {"request": request | {"chosen": chosen}}


def renewed_facts(document: Any) -> Any:  # noqa: ANN401 -- JSON of any kind
    """Upgrades the facts of a run of an earlier version to the present form."""
    return with_compilers(with_needs(document))
