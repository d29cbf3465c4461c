"""Keys and setups for tests, and records with some of their parts changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from heorot.model.point import NOWHERE, Options, Point, Scalar
from heorot.model.run.identity import Key, Setup

# The setup of a series, row or step by default.
_PARTS: dict[str, Any] = {
    "benchmark": "memory/stream",
    "case": "one_core",
    "toolchain": "gnu-12",
    "network": "",
    "nodes": 1,
    "ranks": 1,
    "threads": 1,
    "per_node": 1,
    "options": {},
}


def a_setup(**changes: Any) -> Setup:
    """One rank of stream; any part can be changed."""
    parts = _PARTS | changes
    return Setup(**(parts | {"options": Options(parts["options"])}))


def a_key(region: str = "triad", point: Mapping[str, Scalar] = NOWHERE, **setup: Any) -> Key:
    """Its triad; any part can be changed."""
    return Key(a_setup(**setup), region, Point(point))


def of_setup(changes: dict[str, Any]) -> dict[str, Any]:
    """Fields in which parts of a setup are given by their names."""
    parts = {name: changes[name] for name in _PARTS if name in changes}
    own = {name: value for name, value in changes.items() if name not in parts}
    return {"setup": a_setup(**parts)} | own


def of_key(changes: dict[str, Any], **defaults: Any) -> dict[str, Any]:
    """Fields in which parts of a key are given by their names."""
    names = {*_PARTS, "region", "point"}
    changes = defaults | changes
    if copies := changes.pop("copies", 0):
        changes |= {"ranks": copies, "options": {"star": True}}
    parts = {name: value for name, value in changes.items() if name in names}
    own = {name: value for name, value in changes.items() if name not in names}
    return {"key": a_key(**parts)} | own


def but(row: Any, **changes: Any) -> Any:
    """A row, series or step with other fields or other parts of its key."""
    names = {*_PARTS, "region", "point"}
    parts = {name: value for name, value in changes.items() if name in names}
    own = {name: value for name, value in changes.items() if name not in names}
    if "point" in parts:
        parts["point"] = Point(parts["point"])
    if "options" in parts:
        parts["options"] = Options(parts["options"])
    if parts and hasattr(row, "key"):
        own["key"] = row.key.but(**parts)
    elif parts and hasattr(row, "setup"):
        own["setup"] = replace(row.setup, **parts)
    else:
        own |= parts
    return row.model_copy(update=own) if isinstance(row, BaseModel) else replace(row, **own)
