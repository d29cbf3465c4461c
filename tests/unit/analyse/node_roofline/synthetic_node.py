"""A node whose roofs are known by hand: two cores, round numbers, and programs below them."""

from __future__ import annotations

from typing import Any

import numpy as np

from heorot.analyse.results import group_series, make_results
from heorot.families import BENCHMARKS
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.run.plan import Step
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_benchmark, a_context, a_machine, a_series, a_steady_result
from tests.unit.model.keys import but

KIB, MIB = 1 << 10, 1 << 20
CHAIN = "gnu-12"
PEAK = 64e9
"""Of one core [flop/s]."""
FEEDS = {"l1": 256e9, "l2": 64e9, "l3": 32e9, "memory": 16e9}
"""Of one core [B/s]."""
TOGETHER = {"l1": 512e9, "l2": 128e9, "l3": 40e9, "memory": 20e9}
"""Of two cores [B/s]."""
ENDS = {"end_l1": 32 * KIB, "end_l2": 1 * MIB, "end_l3": 16 * MIB, "begin_memory": 32 * MIB}
LATENCY = 100e-9

_FLOPS = Metric(name="flop_rate", unit="flop/s", better="higher", count="flops")
MILL = a_benchmark(
    "works/mill",
    title="Mill",
    metrics=(_FLOPS,),
    headlines=(Headline(label="Mill", metric="flop_rate", region="grind", pick="largest"),),
)
"""A program that the catalogue does not have."""


def measured(program: str, region: str, metric: str, value: float, **changes: Any) -> Result:
    """A row of a program that publishes roofs."""
    fields: dict[str, Any] = {
        "benchmark": program,
        "region": region,
        "metric": metric,
        "median": value,
        "derived": True,
    }
    return a_steady_result(**(fields | changes))


def spread(row: Result) -> Result:
    """The same row with an interval of 1 % to both sides."""
    return row.model_copy(update={"ci_low": 0.99 * row.median, "ci_high": 1.01 * row.median})


def cores(several: int) -> dict[str, Any]:
    """The layout of copies on some cores."""
    if several == 1:
        return {"case": "one_core"}
    return {"case": "all_cores_copies", "ranks": several, "options": {"star": True}}


def roof_rows() -> list[Result]:
    """Peaks of three widths, bandwidths of all levels for one core and for two, ends of levels."""
    rows = [
        measured(
            "compute/peak",
            "fma_double",
            "flop_rate",
            PEAK * share * n,
            unit="flop/s",
            point={"vector_bytes": width},
            threads=n,
            derived=False,
        )
        for n in (1, 2)
        for width, share in ((16, 0.25), (32, 0.5), (64, 1.0))
    ]
    for n, bandwidths in ((1, FEEDS), (2, TOGETHER)):
        for level, rate in bandwidths.items():
            for kernel, part in (("read", 1.0), ("triad", 0.5)):
                name = f"bandwidth_{level}"
                rows.append(measured("memory/hierarchy", kernel, name, part * rate, **cores(n)))
        for name, size in ENDS.items():
            shared = n if name in {"end_l3", "begin_memory"} else 1
            end = float(size // shared)
            ends = {"unit": "B", "ci_low": end / 2, "ci_high": end}
            rows.append(measured("memory/hierarchy", "read", name, end / 2, **ends, **cores(n)))
    wait = {"unit": "s", "better": "lower"}
    rows.append(measured("memory/latency", "chase", "latency_memory", LATENCY, **wait))
    return rows


def grinding(
    seconds: float, size: int, *, flops: float = 1e6, moved: float = 4e6, **changes: Any
) -> Series:
    """A series of the mill with flops, moved bytes and a working set."""
    fields: dict[str, Any] = {
        "benchmark": MILL.name,
        "region": "grind",
        "point": {"working_set_bytes": size},
        "counts": {"flops": flops, "bytes": moved},
        "repetitions": 1,
        "seconds": np.full(10, seconds),
    }
    return a_series(**(fields | changes))


def built_by(toolchain: str, *rows: Result) -> list[Result]:
    """The same rows of another toolchain."""
    return [but(row, toolchain=toolchain) for row in rows]


def copies_of(series: Series, n: int = 2, slower: float = 1.0) -> Series:
    """The same with several copies at once, each slower by a factor."""
    copies: Series = but(
        series,
        case=f"{n}_copies",
        ranks=n,
        options={"star": True},
        counts={name: n * value for name, value in series.counts.items()},
        seconds=slower * series.seconds,
    )
    return copies


def a_room(
    *series: Series,
    rows: list[Result] | None = None,
    benchmarks: tuple[Benchmark, ...] = (MILL,),
    steps: tuple[Step, ...] = (),
) -> Context:
    """A run of these series on a node whose roofs were measured."""
    groups = group_series(series)
    every = (*BENCHMARKS, *benchmarks)
    named = {benchmark.name: benchmark for benchmark in every}
    own = make_results(groups, named, run="test", system="here")
    known = roof_rows() if rows is None else rows
    return a_context([*known, *own], groups, machine=a_machine(2), steps=steps, benchmarks=every)
