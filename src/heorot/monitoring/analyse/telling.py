"""How findings are told: a sentence with a table, and nodes that stand for others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from heorot.analyse.templates.template import FindingTemplate
from heorot.model.analysis.result import Finding, Severity
from heorot.monitoring.model import NodeLoad

Row = tuple[str, ...]
Truths = np.ndarray[Any, np.dtype[np.bool_]]

_COMPUTER = "the computer that they share"
_MOST_ROWS = 40


def tell(
    template: FindingTemplate,
    rows: Sequence[Row],
    *,
    severity: Severity | None = None,
    **keys: object,
) -> list[Finding]:
    """One finding with a table, none without rows.

    Args:
        rows: of the table; the first column names who is affected.
        severity: another one than usual.
        keys: of the template, besides `n`, the number of rows.
    """
    if not rows:
        return []
    affected = [row[0] for row in rows]
    told: dict[str, Any] = {"n": len(rows)} | keys
    rows = rows[:_MOST_ROWS]
    return [template(severity=severity, affected=affected, rows=rows, **told)]


def once(nodes: Iterable[NodeLoad]) -> list[tuple[str, NodeLoad]]:
    """Nodes with their names; of those that share a computer one stands for all of them."""
    found = {_COMPUTER if node.contained else node.name: node for node in nodes}
    return list(found.items())


def total_seconds(node: NodeLoad, holds: Truths) -> float:
    """For how long something held, in all [s]."""
    return float(node.seconds[holds].sum())
