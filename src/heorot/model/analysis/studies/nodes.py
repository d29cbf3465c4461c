"""Single nodes, and pairs of them, compared with others of equal hardware."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.model.base import Record
from heorot.model.point import Scalar
from heorot.model.run.identity import InSetup, Key, Measured, Setup
from heorot.model.run.records import CORE_KIND

NODE = "node"
"""The coordinate of measurements on one node by itself: its host name."""

PAIR = "pair"
"""The coordinate of measurements between two nodes: their host names, joined by `PAIRED`."""

AVAILABILITY = "availability"
"""The metric of the share of time that programs had their cores [1]."""

NODES = "nodes"
"""Stands for the family of sentences about nodes, which rest on several families."""


def is_of_nodes(point: Mapping[str, Scalar]) -> bool:
    """Whether a point is one of those that compare nodes with each other."""
    return NODE in point or PAIR in point


def is_apart(point: Mapping[str, Scalar]) -> bool:
    """Whether a point is of one node, pair of nodes or core type: a duplicate of the whole."""
    return is_of_nodes(point) or CORE_KIND in point


class NodeKind(Record):
    """Measured nodes of equal hardware.

    Attributes:
        name: distinguishes it from other kinds; empty if there is no other.
        nodes: host names, in natural order.
    """

    name: str
    nodes: tuple[str, ...]


class NodeColumn(InSetup, Record):
    """A case of a program that ran on every node: a column of the map.

    Attributes:
        n_metrics: number of its quantities, one for each region and point.
        of_pairs: whether it ran between nodes: a node then has the upper quartile of its pairs'
            values.
    """

    setup: Setup
    n_metrics: int
    of_pairs: bool = False


class NodeLine(Record):
    """A node: a row of the map.

    Attributes:
        typical: median of its speeds [1]; None if it has none.
        speeds: relative to the median of its kind, 1 for equal, one for each column [1]; None where
            nothing was measured.
        disturbed: whether each rests on perturbed samples only.
    """

    name: str
    kind: int
    typical: float | None
    speeds: tuple[float | None, ...]
    disturbed: tuple[bool, ...]


class SlowMetric(Measured, Record):
    """A quantity in which a node, or a pair, is slower than others of equal hardware.

    Attributes:
        key: of the quantity, with coordinates except the node.
        speed: relative to the median of its kind [1].
        z: distance from the median of the others over the robust scale [1].
        row: the result; of a node judged by its pairs that of its slowest pair.
    """

    key: Key
    metric: str
    speed: float
    z: float
    row: str


class Slow(Record):
    """A node or a pair that is significantly slower than others of equal hardware.

    Attributes:
        name: host name, or those of a pair.
        n_equals: nodes or pairs of its kind that were measured, itself included.
        speed: median of the speeds below [1].
        z: median of theirs [1].
        p_value: adjusted for all nodes and quantities in the comparison [1].
        metrics: those of them in which it is slow, slowest first.
        n_launches: largest number of launches of a quantity.
        disturbed: whether other load ran on it in all of them.
        of_pairs: whether its pairs are slow.
    """

    name: str
    is_pair: bool
    n_equals: int
    speed: float
    z: float
    p_value: float
    n_metrics: int
    metrics: tuple[SlowMetric, ...]
    n_launches: int
    disturbed: bool = False
    of_pairs: bool = False


class Apart(Record):
    """Two nodes, or two pairs, that differ without a third to decide which is slow.

    Attributes:
        ratio: speed of the slower over that of the faster, median of those quantities [1].
        metrics: those in which they differ, slowest first; speeds are ratios of the two.
    """

    slower: str
    faster: str
    is_pair: bool
    ratio: float
    n_metrics: int
    metrics: tuple[SlowMetric, ...]


class NodeStudy(Record):
    """All nodes of a run compared with each other.

    Attributes:
        columns: the cases that ran on all of them.
        lines: the nodes, by kind and then in natural order of their names.
        slow: named nodes, slowest first.
        slow_pairs: named pairs, without those of a named node.
        apart: differences where only two could be compared.
        n_metrics: quantities in which nodes or pairs are compared.
    """

    kinds: tuple[NodeKind, ...]
    columns: tuple[NodeColumn, ...]
    lines: tuple[NodeLine, ...]
    slow: tuple[Slow, ...] = ()
    slow_pairs: tuple[Slow, ...] = ()
    apart: tuple[Apart, ...] = ()
    n_pairs: int = 0
    n_metrics: int = 0
