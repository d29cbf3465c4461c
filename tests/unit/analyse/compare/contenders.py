"""Systems for tests: runs of npb/ep whose time over the cores is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heorot.analyse.compare.builds import Build
from heorot.analyse.compare.facts import build_facts
from heorot.analyse.compare.runs import SideRows
from heorot.analyse.compare.side import Side, rows_of
from heorot.analyse.compare.systems import Contender, Frame, compare_systems
from heorot.families import BENCHMARKS
from heorot.model.analysis.studies.systems import SideBySide, System
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_series

BUILD = Build(
    sources="abc", compiler="GNU 12.2.0", flags="-O3", mpi="Open MPI v5.0.11", blas="OpenBLAS 1"
)
FACTS = {"kernel": "6.1", "governor": "performance", "memory": "64 GiB"}


def ep_over_cores(
    seconds: Mapping[int, float], n_launches: int = 5, *, benchmark: str = "npb/ep", **changes: Any
) -> list[Series]:
    """Class W on each core count, by ranks, all launches within half a per mille.

    Args:
        seconds: of a body, by core count.
    """
    return [
        a_series(
            **(
                {
                    "step": f"{benchmark}-{cores}-{launch}",
                    "launch": launch,
                    "benchmark": benchmark,
                    "case": f"W_{cores}",
                    "region": benchmark.rpartition("/")[2],
                    "point": {"class": "W"},
                    "options": {"class": "W"},
                    "counts": {"operations": 2e6, "flops": 6e7},
                    "ranks": cores,
                    "per_node": cores,
                    "seconds": np.full(10, 10.0 * body * (1.0 + 2e-4 * (launch % 3))),
                }
                | changes
            )
        )
        for cores, body in seconds.items()
        for launch in range(1, n_launches + 1)
    ]


def contender(
    name: str,
    series: Sequence[Series],
    facts: Mapping[str, str] = FACTS,
    build: Build = BUILD,
    crowded: frozenset[str] = frozenset(),
) -> Contender:
    """A run as one of several systems."""
    builds = {one.step: build for one in series}
    side = Side(name, f"host-{name}", series, (), builds=builds, crowded=crowded)
    rows = rows_of(side, BENCHMARKS)
    return Contender(
        system=System(name=name, machine=side.system, n_results=len(rows)),
        of=SideRows(side, rows),
        facts=facts,
        builds=build_facts(builds.values()),
    )


def side_by_side(*contenders: Contender, **frame: Any) -> SideBySide:
    """All compared with the first."""
    return compare_systems(contenders, replace(Frame(BENCHMARKS), **frame))


def slower(seconds: Mapping[int, float], factors: Sequence[float]) -> dict[int, float]:
    """Times that are a factor longer, one for each core count."""
    return {
        cores: factor * each for (cores, each), factor in zip(seconds.items(), factors, strict=True)
    }
