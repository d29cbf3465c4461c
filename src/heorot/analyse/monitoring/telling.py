"""How findings are told: a sentence with a table, and nodes that stand for others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from heorot.model.analysis.result import Finding, Severity
from heorot.model.batch.monitoring import NodeLoad

Row = tuple[str, ...]
Truths = np.ndarray[Any, np.dtype[np.bool_]]

_COMPUTER = "the computer that they share"
_MOST_ROWS = 40


def tell(
    rows: Sequence[Row], columns: Row, observation: str, severity: Severity, remedy: str
) -> list[Finding]:
    """One finding with a table, none without rows.

    Args:
        rows: of the table; the first column names who is affected.
        columns: headings.
        observation: the sentence.
        severity: how much it matters.
        remedy: what to do about it.
    """
    if not rows:
        return []
    return [
        Finding(
            observation=observation,
            severity=severity,
            affected=tuple(dict.fromkeys(row[0] for row in rows)),
            remedy=remedy,
            columns=columns,
            rows=tuple(rows[:_MOST_ROWS]),
        )
    ]


def once(nodes: Iterable[NodeLoad]) -> list[tuple[str, NodeLoad]]:
    """Nodes with their names; of those that share a computer one stands for all of them."""
    found = {_COMPUTER if node.contained else node.name: node for node in nodes}
    return list(found.items())


def total_seconds(node: NodeLoad, holds: Truths) -> float:
    """For how long something held, in all [s]."""
    return float(node.seconds[holds].sum())
