"""Synthetic systems for the tests of the page: up to twelve, each of another speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from heorot.analyse.compare.networks import measure_networks
from heorot.analyse.compare.runs import SideRows
from heorot.analyse.compare.side import Side, rows_of
from heorot.analyse.compare.systems import Contender
from heorot.analyse.results import group_series, make_results
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.systems import SideBySide, System
from heorot.model.machine.site import SiteNetwork
from tests.unit.analyse.compare.contenders import FACTS, side_by_side
from tests.unit.analyse.synthesis import SOME_BENCHMARKS, Synthesis

NETWORK = SiteNetwork(name="<ib>", rate_bits=1e11, latency_seconds=1e-6, shared=True)


@cache
def make_systems(n: int) -> tuple[SideBySide, tuple[Result, ...]]:
    """Several systems, and their rows for figures; names need escaping."""
    runs = [
        Synthesis(seed=number, n_samples=8, octave=0.3, slow={"npb/ep": 1.0 + 0.1 * number})
        for number in range(n)
    ]
    contenders = [_contender(number, run) for number, run in enumerate(runs)]
    side = side_by_side(*contenders, benchmarks=SOME_BENCHMARKS)
    rows = [row for run, label in zip(runs, side.labels, strict=True) for row in _rows(run, label)]
    return side, tuple(rows)


def _contender(number: int, run: Synthesis) -> Contender:
    name = f"run-{number}<b>"
    side = Side(name, f"host-{number}", run.series, ())
    rows = rows_of(side, SOME_BENCHMARKS)
    networks = (NETWORK,) if number == 0 else ()
    system = System(
        name=name,
        machine=side.system,
        begun=1e9 + number * 86_400.0,
        n_results=len(rows),
        networks=networks,
        measured=measure_networks((), SOME_BENCHMARKS, networks),
    )
    facts = FACTS | {"governor": "powersave" if number == 1 else "performance"}
    return Contender(system, SideRows(side, rows), facts, {})


def _rows(run: Synthesis, label: str) -> Sequence[Result]:
    known = {benchmark.name: benchmark for benchmark in SOME_BENCHMARKS}
    return make_results(group_series(run.series), known, run="run", system=label)


def on_more_nodes(rows: Sequence[Result]) -> list[Result]:
    """The rows as if every rank had a node of its own."""
    return [
        row.model_copy(
            update={
                "key": replace(row.key, setup=replace(row.key.setup, nodes=row.ranks, per_node=1))
            }
        )
        for row in rows
    ]
