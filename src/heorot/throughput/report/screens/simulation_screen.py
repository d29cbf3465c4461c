"""The first screen of the page of scheduler simulations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from heorot.report.screens.first_screen import MOST_TROUBLES, FirstScreen, Tile, Trouble, tile_of
from heorot.report.wording import count
from heorot.throughput.model.measures import ThroughputMeasures
from heorot.throughput.model.quantities import QUANTITIES, Quantity
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.tables.measured import cell_of

_SHOWN = {
    "Makespan": "Shortest makespan",
    "Queue wait, mean": "Shortest mean queue wait",
    "Queue wait, 95th percentile": "Shortest 95th percentile of queue waits",
    "Bounded slowdown, mean": "Smallest mean bounded slowdown",
    "Core utilisation": "Highest core utilisation",
    "Idle while jobs waited": "Least idle while jobs waited",
}


def simulation_screen(
    timelines: Mapping[str, Timeline],
    measures: Mapping[str, ThroughputMeasures],
    troubles: Sequence[str],
    n_graphs: int,
) -> FirstScreen:
    """The first screen of simulations of one workload.

    Args:
        timelines: by name of the policy; at least one.
        measures: of each timeline.
        troubles: why jobs never start, in lines.
        n_graphs: maximum number of simulations with graphs and job classes in the page.
    """
    first = next(iter(timelines.values()))
    found = [Trouble("error", text, "classes") for text in troubles]
    return FirstScreen(
        tiles=tuple(_tiles(measures)),
        trust=(
            (count(first.submit.size, "job"), ""),
            (count(first.n_nodes, "node"), ""),
            (count(len(timelines), "simulation"), ""),
            ("deterministic: the same input gives the same schedule", "good"),
        ),
        troubles=tuple(found[:MOST_TROUBLES]),
        open=tuple(_open(len(timelines), n_graphs)),
    )


def _tiles(measures: Mapping[str, ThroughputMeasures]) -> Iterator[Tile]:
    """The best policy by each metric, with the worst."""
    for one in QUANTITIES:
        if one.name in _SHOWN:
            yield from _tile(one, measures)


def _tile(one: Quantity, measures: Mapping[str, ThroughputMeasures]) -> Iterator[Tile]:
    known = {name: value for name, each in measures.items() if (value := one.of(each)) is not None}
    if not known:
        return
    ordered = sorted(known, key=_key(known), reverse=one.better != "lower")
    best, worst = ordered[0], ordered[-1]
    several = len(known) > 1
    beside = f"; {worst} {cell_of(known[worst], one.form).text}"
    yield tile_of(
        _SHOWN[one.name] if several else one.name,
        cell_of(known[best], one.form).text,
        share=min(1.0, known[best]) if one.form == "share" else None,
        note=f"{best}{beside}" if several else "",
        target="measures",
    )


def _key(known: Mapping[str, float]) -> Callable[[str], float]:
    return lambda name: known[name]


def _open(n: int, n_graphs: int) -> Iterator[str]:
    yield "One workload: another one may order the policies differently."
    yield "Node failures, start-up times and the interval of a real scheduler are not simulated."
    yield "Run times do not depend on which jobs share a node."
    if n > n_graphs:
        yield f"Graphs and job classes are those of the first {n_graphs} simulations."
