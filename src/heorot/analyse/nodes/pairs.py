"""Finds from pairs of nodes the slow nodes, and the pairs that are slow by themselves.

A slow node makes all its pairs slow, and one pair of every other node. So the speed of a node is
the upper quartile of its pairs' speeds; of two or three pairs it is the best. The median would do
with many pairs, but in a ring, where every node has two, it would attribute half of one node's loss
to its neighbours. A node with a single pair has no speed: the slow one of the two is unknown, and
the pair is named. The same holds for a node with a single pair left after pairs with slower nodes
are removed. Nodes are then judged by these speeds as by their own measurements; the remaining slow
pairs are named as pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from heorot.analyse.nodes.hardware import natural
from heorot.analyse.nodes.sheets import Sheet
from heorot.analyse.statistics.summary import FloatArray
from heorot.model.analysis.studies.nodes import Slow

_QUARTERS = 0.75
_FEWEST_PAIRS = 2


def centre_pairs(sheet: Sheet, kinds: Sequence[Sequence[int]]) -> Sheet:
    """The sheet with the speeds of pairs relative to the median of those with equal nodes.

    Otherwise a node with many partners of a slower kind would be slow.
    """
    speeds, low, high = sheet.speeds.copy(), sheet.low.copy(), sheet.high.copy()
    for members in kinds:
        chosen = list(members)
        typical = [
            float(np.median(known)) if (known := column[np.isfinite(column)]).size else 0.0
            for column in sheet.speeds[chosen].transpose(1, 0, 2).reshape(low.shape[1], -1)
        ]
        speeds[chosen] -= np.array(typical)[None, :, None]
        low[chosen] -= np.array(typical)[None, :]
        high[chosen] -= np.array(typical)[None, :]
    return replace(sheet, speeds=speeds, low=low, high=high)


def nodes_of_pairs(sheet: Sheet, ends: Mapping[str, tuple[str, str]]) -> Sheet:
    """The speeds of nodes by their pairs.

    The row of a value is that of the node's slowest pair.
    """
    members: dict[str, list[int]] = {}
    for place, pair in enumerate(sheet.items):
        for node in ends[pair]:
            members.setdefault(node, []).append(place)
    nodes = sorted(members, key=natural)
    rows = {}
    for i, node in enumerate(nodes):
        for j in range(len(sheet.quantities)):
            known = [(sheet.high[p, j], p) for p in members[node] if (p, j) in sheet.rows]
            if len(known) >= _FEWEST_PAIRS:
                rows[i, j] = sheet.rows[min(known)[1], j]
    disturbed = [sheet.disturbed[members[node]].all(axis=0) for node in nodes]
    return Sheet(
        items=tuple(nodes),
        quantities=sheet.quantities,
        speeds=np.stack([_upper(sheet.speeds[members[node]]) for node in nodes]),
        low=np.stack([_upper(sheet.low[members[node]]) for node in nodes]),
        high=np.stack([_upper(sheet.high[members[node]]) for node in nodes]),
        disturbed=np.stack(disturbed),
        rows=rows,
    )


def distinguishable(slow: Iterable[Slow], ends: Mapping[str, tuple[str, str]]) -> list[Slow]:
    """The slow nodes distinguishable from their neighbours: each is slow in at least two pairs.

    Pairs with a slower node are no evidence on the other one.

    Args:
        slow: nodes that are slow in their pairs, the slowest first.
    """
    partners: dict[str, set[str]] = {}
    for one, other in ends.values():
        partners.setdefault(one, set()).add(other)
        partners.setdefault(other, set()).add(one)
    found: dict[str, Slow] = {}
    for node in slow:
        if len(partners[node.name] - found.keys()) >= _FEWEST_PAIRS:
            found[node.name] = node
    return list(found.values())


def _upper(values: FloatArray) -> FloatArray:
    """The upper quartile of each column without NaN, at least the second of two values.

    Args:
        values: shape (n_pairs, ...).
    """
    ordered = np.sort(values, axis=0)
    n = np.isfinite(values).sum(axis=0)
    place = np.ceil(_QUARTERS * np.maximum(n - 1, 0)).astype(np.int64)
    found = np.take_along_axis(ordered, place[None], axis=0)[0]
    return np.where(n >= _FEWEST_PAIRS, found, np.nan)
