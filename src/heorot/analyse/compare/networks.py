"""Latency and bandwidth between two nodes on each network of a run, from its rows alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heorot.analyse.nodes.networks import latency_of, values_of
from heorot.analyse.rows import largest
from heorot.model.analysis.node_roofline.levels import MOST_SHARE
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.networks import MeasuredNetwork
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.references import BETWEEN, LATENCY
from heorot.model.machine.nodes import QuotedNetwork
from heorot.model.machine.site import SiteNetwork

_BITS_PER_BYTE = 8.0
_UNNAMED = "between nodes"


def measure_networks(
    rows: Iterable[Result], benchmarks: Sequence[Benchmark], sites: Sequence[SiteNetwork]
) -> tuple[MeasuredNetwork, ...]:
    """The networks of a run: those of its site, or one unnamed network.

    Args:
        rows: of the run.
        sites: its networks as the site describes them; the first is the default.
    """
    between = [row for row in rows if row.nodes > 1 and row.ranked]
    rates = list(_published(between, benchmarks, BETWEEN))
    laws = list(_published(between, benchmarks, LATENCY))
    first = sites[0].name if sites else ""
    used = (row.network or first for row in (*rates, *laws))
    names = dict.fromkeys([*(each.name for each in sites), *used])
    quoted = {each.name: each for each in sites}
    return tuple(
        _network(
            quoted.get(name) or SiteNetwork(name=name or _UNNAMED),
            [row for row in rates if (row.network or first) == name],
            [row for row in laws if (row.network or first) == name],
        )
        for name in names
    )


def _published(
    rows: Sequence[Result], benchmarks: Iterable[Benchmark], reference: str
) -> Iterator[Result]:
    """The rows that a reference names."""
    for benchmark in benchmarks:
        for each in benchmark.publishes:
            if each.name == reference:
                yield from (
                    row
                    for row in rows
                    if row.benchmark == benchmark.name
                    and row.metric == each.metric
                    and row.region in each.regions
                )


def _network(site: SiteNetwork, rates: Sequence[Result], laws: Sequence[Result]) -> MeasuredNetwork:
    """The bandwidth at the largest message, and the latency fitted to short messages."""
    rate = largest(rates, "bytes")
    share = _BITS_PER_BYTE * rate.median / site.rate_bits if rate and site.rate_bits else None
    return MeasuredNetwork(
        quoted=QuotedNetwork(
            name=site.name,
            interface=site.interface,
            quoted_bits=site.rate_bits,
            quoted_seconds=site.latency_seconds,
        ),
        rate=values_of(rate),
        latency=latency_of(laws),
        share=share if share is None or share <= MOST_SHARE else None,
    )
