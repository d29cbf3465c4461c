"""Synthetic results, seeded and realistic: bars and curves of five programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Better
from heorot.model.point import Point, Scalar
from heorot.model.run.series import Verified
from tests.unit.analyse.builders import a_result

OPERATIONS = {
    "broadcast": 1, "copy": 1, "add": 1, "subtract": 1, "multiply": 1, "divide": 1,
    "dotproduct": 2, "axpy": 2, "triad": 2, "rotation": 3, "recurrence1": 1, "recurrence2": 2,
    "difference2": 3, "polynomial9": 18,
}  # fmt: skip
ACCESS = {"contiguous": 1.0, "stride3": 0.52, "stride4": 0.44, "indirect": 0.31}
PEAK_FLOPS = 108e9
_CACHES = (48 << 10, 2 << 20, 64 << 20)
_RATES = (30e9, 15e9, 7e9, 2.2e9)


class Rows:
    """Makes results with plausible spreads from one seed."""

    def __init__(self, seed: int = 7) -> None:
        self.random = np.random.default_rng(seed)

    def make(
        self,
        benchmark: str,
        region: str,
        metric: str,
        unit: str,
        median: float,
        *,
        case: str = "one_core",
        point: Mapping[str, Scalar] | None = None,
        better: Better = "higher",
        ranks: int = 1,
        threads: int = 1,
        share: float | None = None,
        verified: Verified = "passed",
        plausible: bool | None = None,
        disturbed: bool = False,
        toolchain: str = "gnu-12+openmpi-5.0.11",
        derived: bool = False,
    ) -> Result:
        """One result whose samples scatter by some per cent."""
        width = float(abs(self.random.normal(0.004, 0.004))) * (8.0 if disturbed else 1.0) + 1e-3
        median *= 1 + float(self.random.normal(0, 0.01))
        return a_result(
            run="first",
            system="hall-01",
            benchmark=benchmark,
            case=case,
            region=region,
            point=Point(point or {}),
            metric=metric,
            unit=unit,
            better=better,
            median=median,
            ci_low=median * (1 - width),
            ci_high=median * (1 + 0.7 * width),
            q10=median * (1 - 4 * width),
            q90=median * (1 + 3 * width),
            min=median * (1 - 9 * width),
            max=median * (1 + 5 * width),
            n=int(self.random.integers(30, 900)),
            verified=verified,
            plausible=True if plausible is None and share is not None else plausible,
            disturbed=disturbed,
            share_of_ceiling=share,
            ranks=ranks,
            threads=threads,
            per_node=ranks,
            toolchain=toolchain,
            derived=derived,
        )


def stream_rows(rows: Rows) -> Iterator[Result]:
    """Bars: six operations in two layouts."""
    rates = {"copy": 21.7, "scale": 15.1, "add": 15.0, "triad": 15.3, "read": 23.9, "memcpy": 24.2}
    for case, threads, factor in (("one_core", 1, 1.0), ("all_cores", 2, 1.86)):
        ceiling = rates["read"] * factor * 1e9
        for region, rate in rates.items():
            value = rate * factor * 1e9
            limit = ceiling * (2 if region == "memcpy" else 1)
            yield rows.make(
                "memory/stream", region, "bandwidth", "B/s", value, case=case, threads=threads,
                point={"n": 1 << 26}, share=None if region == "read" else value / limit,
                disturbed=region == "add" and threads == 2,
            )  # fmt: skip


def vector_rows(rows: Rows, n_lengths: int = 40) -> Iterator[Result]:
    """Curves: 14 operations, four ways of access, rate and bandwidth over the length."""
    for region, flops in OPERATIONS.items():
        for access, factor in ACCESS.items():
            if access == "indirect" and region.startswith(("recurrence", "difference")):
                continue
            for n in np.unique(np.geomspace(2, 1 << 24, n_lengths).astype(int)):
                size = int(n) * 24
                level = sum(size > cache for cache in _CACHES)
                rate = min(0.93 * PEAK_FLOPS, _RATES[level] * factor * flops**0.7 * n / (n + 40))
                point = Point({"access": access, "n": int(n), "working_set_bytes": size})
                bad = region == "divide" and access == "stride4" and level == 3
                yield rows.make(
                    "compute/vector_kernels", region, "flop_rate", "flop/s", rate, point=point,
                    share=rate / PEAK_FLOPS, verified="failed" if bad else "passed",
                    disturbed=region == "copy" and access == "contiguous" and 1000 < n < 9000,
                )  # fmt: skip
            point = Point({"access": access})
            peak = min(0.93 * PEAK_FLOPS, _RATES[0] * factor * flops**0.7)
            yield rows.make(
                "compute/vector_kernels", region, "r_max_l1", "flop/s", peak, point=point,
                share=peak / PEAK_FLOPS, derived=True,
            )  # fmt: skip


def peak_rows(rows: Rows) -> Iterator[Result]:
    """Bars: the bound itself."""
    for case, threads in (("one_core", 1), ("all_cores", 2)):
        for region, rate in (("fma_double", PEAK_FLOPS), ("fma_single", 2 * PEAK_FLOPS)):
            yield rows.make(
                "compute/peak", region, "flop_rate", "flop/s", rate * threads * 0.99,
                case=case, threads=threads,
            )  # fmt: skip
        yield rows.make(
            "compute/peak", "clock_multiply", "clock", "Hz", 3.42e9, case=case, threads=threads
        )


def pingpong_rows(rows: Rows) -> Iterator[Result]:
    """Curves with a point at zero, which a logarithmic axis has no place for."""
    for toolchain, latency, rate in (
        ("gnu-12+openmpi-5.0.11", 0.27e-6, 11.8e9),
        ("gnu-12+mpich-5.0.2", 0.65e-6, 12.1e9),
    ):
        for size in (0, *(1 << i for i in range(23))):
            seconds = latency + size / rate + (1.1e-6 if size >= 8192 else 0)
            point = Point({"bytes": size})
            yield rows.make(
                "messages/pingpong", "pingpong", "latency", "s", seconds, point=point,
                case="two_ranks", better="lower", ranks=2, toolchain=toolchain,
            )  # fmt: skip
            if size:
                share = size / seconds / 14e9
                yield rows.make(
                    "messages/pingpong", "pingpong", "bandwidth", "B/s", size / seconds,
                    point=point, case="two_ranks", ranks=2, toolchain=toolchain, share=share,
                )  # fmt: skip


def ep_rows(rows: Rows) -> Iterator[Result]:
    """Bars: one region in three layouts."""
    for case, ranks, threads in (("W_one_core", 1, 1), ("W_ranks", 2, 1), ("W_threads", 1, 2)):
        cores = ranks * threads
        point = Point({"class": "W"})
        yield rows.make(
            "npb/ep", "ep", "operation_rate", "op/s", 61e6 * cores, case=case, ranks=ranks,
            threads=threads, point=point,
        )  # fmt: skip
        yield rows.make(
            "npb/ep", "ep", "flop_rate", "flop/s", 1.6e9 * cores, case=case, ranks=ranks,
            threads=threads, point=point, share=1.6e9 / PEAK_FLOPS,
        )  # fmt: skip


def make_results(n_lengths: int = 40) -> tuple[Result, ...]:
    """All results of the synthetic run."""
    rows = Rows()
    return (
        *peak_rows(rows),
        *vector_rows(rows, n_lengths),
        *stream_rows(rows),
        *pingpong_rows(rows),
        *ep_rows(rows),
    )
