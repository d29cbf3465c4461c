"""Rates of invented programs on chosen numbers of nodes, and runs of them over several networks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from tests.unit.analyse import builders
from tests.unit.analyse.explain.problems import DUST, a_division, a_rate, a_run_of
from tests.unit.model.keys import but

CHAIN = "gnu-12"


def placed(rate: float, nodes: int, ranks: int, threads: int = 1, **changes: Any) -> Result:
    """A rate of the solver's class W; the case is named after where it ran."""
    fields = {
        "nodes": nodes,
        "per_node": -(-ranks // nodes),
        "case": f"{changes.get('point', {'class': 'W'})}_{nodes}_{ranks}x{threads}",
    }
    return a_rate(rate, ranks=ranks, threads=threads, **(fields | changes))


def of_dust(rate: float, nodes: int, ranks: int, threads: int = 1, **changes: Any) -> Result:
    """A rate of the other program."""
    fields = {"benchmark": DUST.name, "point": {"particles": 512}}
    return placed(rate, nodes, ranks, threads, **(fields | changes))


def over(network: str, rows: Iterable[Result], chain: str = CHAIN) -> list[Result]:
    """The same rows over a network."""
    return [but(row, toolchain=chain, network=network) for row in rows]


def a_run_over(networks: Sequence[str], *rows: Result, chain: str = CHAIN) -> Context:
    """A run of these rows with several networks between its nodes."""
    steps = [builders.a_step(toolchain=chain, network=network) for network in networks]
    return replace(a_run_of(*rows), steps=steps)


def divided(row: Result, seconds: float, communication: float, imbalance: float = 0.0) -> Breakdown:
    """The breakdown of the time of a row's bodies, with their duration [s]."""
    middle = builders.exactly(seconds)
    return a_division(row, communication, imbalance).model_copy(update={"seconds": middle})
