"""The cost of spreading a program over nodes: the same ranks in other placements.

Every figure is a ratio of two measured rows of one problem and build. Its direction is open:
several nodes have more memory bandwidth, caches and adapters than one, so they may be faster as
well as slower.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from heorot.analyse.rows import derive, over, rates, size_of
from heorot.model.analysis.context import Context
from heorot.model.analysis.placement import (
    DENSITY_LOSS,
    EFFICIENCY,
    NETWORK_LOSS,
    NODE_LOSS,
    SPEEDUP,
    THREADS,
)
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Key, Stack


class Layout(NamedTuple):
    """How ranks and threads are placed."""

    nodes: int
    ranks: int
    threads: int


@dataclass(frozen=True)
class Spread:
    """One problem, built in one way, over one network between nodes.

    Attributes:
        stack: what it was built with, and the network between the nodes.
        rows: the best rate of each layout, those of one node included.
        grows: whether the work increases with the ranks, so that only equal rank counts compare.
    """

    stack: Stack
    rows: Mapping[Layout, Result]
    grows: bool = False

    @property
    def several(self) -> list[tuple[Layout, Result]]:
        """Layouts of several nodes, few nodes first."""
        return [(layout, self.rows[layout]) for layout in sorted(self.rows) if layout.nodes > 1]


@dataclass(frozen=True)
class Pair:
    """Two rates of one problem in different placements.

    Attributes:
        network: between the nodes; empty if there is no choice.
    """

    metric: str
    row: Result
    base: Result
    network: str = ""
    against: str = ""

    @property
    def ratio(self) -> tuple[float, float, float]:
        """Time of the row over that of the base, with an interval that encloses both intervals."""
        return over(self.base, self.row)

    @property
    def is_slower(self) -> bool:
        """Whether the row takes longer than the base, beyond the intervals."""
        return self.ratio[1] > 1.0

    @property
    def is_faster(self) -> bool:
        """Whether the row takes less time than the base, beyond the intervals."""
        return self.ratio[2] < 1.0


def find_spreads(context: Context) -> list[Spread]:
    """The problems that ran on several nodes, each network apart."""
    problems: dict[Key, dict[str | None, dict[Layout, Result]]] = {}
    for row in rates(context):
        place = row.key.only("benchmark", "region", "point", "toolchain")
        network = None if row.nodes == 1 else row.stack.network
        over = problems.setdefault(place, {}).setdefault(network, {})
        layout = Layout(row.nodes, row.ranks, row.threads)
        if layout not in over or row.median > over[layout].median:
            over[layout] = row
    return [
        Spread(
            Stack(place.setup.toolchain, network),
            by_network.get(None, {}) | rows,
            size_of(context, next(iter(rows.values()))).of == "rank",
        )
        for place, by_network in problems.items()
        for network, rows in by_network.items()
        if network is not None
    ]


def find_pairs(context: Context) -> list[Pair]:
    """All pairs of rates of which both sides were measured and are reliable."""
    spreads = find_spreads(context)
    pairs = [
        pair
        for spread in spreads
        for find in (*_OF_AS_MANY, *(() if spread.grows else _OF_MORE))
        for pair in find(spread)
    ]
    return pairs + list(_over_other_networks(spreads))


def explain(context: Context) -> list[Result]:
    """The ratios of all pairs; of full nodes also the efficiency.

    A loss is time over time, above 1 where the row takes longer; a speedup is rate over rate.
    """
    derived = []
    for pair in find_pairs(context):
        row, base, point = pair.row, pair.base, pair.row.point
        if pair.metric == SPEEDUP:
            gained, low, high = speedup(pair)
            n = row.nodes / base.nodes
            each = (gained / n, low / n, high / n)
            derived += [
                derive([row, base], SPEEDUP, "", "higher", (gained, low, high), point=point),
                derive([row, base], EFFICIENCY, "1", "higher", each, point=point),
            ]
        else:
            loss = derive([row, base], pair.metric, "", "lower", pair.ratio, point=point)
            # A row of one node has no network, but is compared on each of them.
            network = (base if row.nodes == 1 else row).stack.network
            derived.append(loss.model_copy(update={"key": loss.key.but(network=network)}))
    return derived


def speedup(pair: Pair) -> tuple[float, float, float]:
    """Rate of the row over that of the base, with an interval that encloses both intervals."""
    ratio, low, high = pair.ratio
    return 1.0 / ratio, 1.0 / high, 1.0 / low


def _on_more_nodes(spread: Spread) -> Iterator[Pair]:
    """The same ranks and threads on more nodes, against the fewest nodes."""
    for layout, row in spread.several:
        fewest = min(one for one in spread.rows if one[1:] == layout[1:])
        if fewest.nodes < layout.nodes:
            yield Pair(NODE_LOSS, row, spread.rows[fewest], spread.stack.network)


def _on_fuller_nodes(spread: Spread) -> Iterator[Pair]:
    """Several ranks per node, against the same ranks with one per node."""
    for layout, row in spread.rows.items():
        apart = spread.rows.get(layout._replace(nodes=layout.ranks))
        if layout.nodes < layout.ranks and apart is not None:
            yield Pair(DENSITY_LOSS, row, apart, spread.stack.network)


def _by_threads(spread: Spread) -> Iterator[Pair]:
    """One rank of several threads per node, against one rank per thread."""
    for layout, row in spread.several:
        ranks = spread.rows.get(Layout(layout.nodes, layout.ranks * layout.threads, 1))
        if layout.ranks == layout.nodes and layout.threads > 1 and ranks is not None:
            yield Pair(THREADS, row, ranks, spread.stack.network)


def _on_full_nodes(spread: Spread) -> Iterator[Pair]:
    """Full nodes, against the fewest nodes used in the same way."""
    fullest = max(layout.ranks * layout.threads / layout.nodes for layout in spread.rows)
    for layout, row in spread.several:
        alike = [one for one in spread.rows if _on_each(one) == _on_each(layout)]
        fewest = min(alike)
        if math.prod(_on_each(layout)) == fullest > 1 and fewest.nodes < layout.nodes:
            yield Pair(SPEEDUP, row, spread.rows[fewest], spread.stack.network)


_OF_AS_MANY = (_on_more_nodes, _on_fuller_nodes)
_OF_MORE = (_by_threads, _on_full_nodes)


def _on_each(layout: Layout) -> tuple[float, int]:
    """Ranks per node, and threads of each."""
    return layout.ranks / layout.nodes, layout.threads


def _over_other_networks(spreads: list[Spread]) -> Iterator[Pair]:
    """The same over another network, against the fastest network of the run."""
    problems: dict[Key, dict[str, Spread]] = {}
    for spread in spreads:
        row = next(iter(spread.rows.values()))
        place = row.key.only("benchmark", "region", "point", "toolchain")
        problems.setdefault(place, {})[spread.stack.network] = spread
    gains: dict[str, float] = {}
    found = []
    for by_network in problems.values():
        for (here, one), (there, other) in combinations(by_network.items(), 2):
            for layout, row in one.several:
                if layout in other.rows:
                    base = other.rows[layout]
                    found.append(Pair(NETWORK_LOSS, row, base, here, there))
                    gain = math.log(row.median / base.median)
                    gains[here] = gains.get(here, 0.0) + gain
                    gains[there] = gains.get(there, 0.0) - gain
    fastest = max(gains, key=lambda network: (gains[network], network), default="")
    for pair in found:
        if pair.network == fastest:
            yield _turned(pair)
        elif pair.against == fastest:
            yield pair


def _turned(pair: Pair) -> Pair:
    """The same with row and base exchanged."""
    return replace(pair, row=pair.base, base=pair.row, network=pair.against, against=pair.network)
