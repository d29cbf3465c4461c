"""The policy of compute/vector_kernels: extent of its sweeps, and their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.validity.ceilings import apply_ceilings
from heorot.families.compute.vectors.vector_kernels import VECTOR_KERNELS
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.machine import Cache
from tests.unit.analyse.builders import a_context, a_machine, a_measured_context, a_result, a_series

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def vectors(metric: str, median: float, **changes: Any) -> Result:
    return a_result(benchmark=VECTOR_KERNELS.name, metric=metric, median=median, **changes)


def measured() -> list[Result]:
    """A core of 3 GHz that does 32 flops in a cycle."""
    fields = {"benchmark": "compute/peak", "case": "peak"}
    return [
        a_result(region="clock_multiply", metric="clock", median=3e9, **fields),
        a_result(region="fma_double", metric="flop_rate", median=96e9, **fields),
    ]


@pytest.mark.parametrize(("bytes_per_cycle", "plausible"), [(192, True), (230, False)])
def test_two_loads_and_a_store_of_512_bits_in_a_cycle_are_possible(
    bytes_per_cycle: int, plausible: bool
) -> None:
    row = vectors("bandwidth", bytes_per_cycle * 3e9)
    (judged,) = apply_ceilings(a_context([*measured(), row]))
    assert judged.plausible is plausible


@pytest.mark.parametrize(("region", "plausible"), [("axpy", False), ("divide", False)])
def test_what_computes_is_no_faster_than_the_multiply_add_units(
    region: str, plausible: bool | None
) -> None:
    context = a_context([*measured(), vectors("flop_rate", 200e9, region=region)])
    context = context.replacing(apply_ceilings(context))
    assert list(context.rows)[-1].plausible is plausible


@pytest.mark.parametrize(
    ("region", "reported"),
    [("copy", "element_rate"), ("broadcast", "element_rate"), ("add", "flop_rate")],
)
def test_what_only_moves_is_reported_in_elements(region: str, reported: str) -> None:
    counts = {"flops": 1000.0, "bytes": 16000.0, "elements": 1000.0}
    series = a_series(benchmark=VECTOR_KERNELS.name, region=region, counts=counts)
    rows = list(a_measured_context([series]).rows)
    assert [row.metric for row in rows] == [reported, "bandwidth"]
    assert rows[0].unit == {"element_rate": "element/s", "flop_rate": "flop/s"}[reported]


def test_a_sweep_goes_beyond_the_caches_and_needs_memory_for_that() -> None:
    large = (Cache(level=3, kind="unified", size_bytes=64 << 20, n_cpus=8),)
    small = (Cache(level=3, kind="unified", size_bytes=16 << 20, n_cpus=8),)
    for caches in (small, large):
        case, _ = VECTOR_KERNELS.cases(a_machine(caches=caches), "full")
        assert int(case.options["max-bytes"]) >= 4 * (caches[0].size_bytes or 0)
        assert case.needs.memory_bytes > int(case.options["max-bytes"])


def test_smoke_has_no_time_for_what_is_not_contiguous() -> None:
    (case,) = VECTOR_KERNELS.cases(a_machine(), "smoke")
    assert (case.options["access"], case.priority) == ("contiguous", "headline")
    first, second = VECTOR_KERNELS.cases(a_machine(), "quick")
    assert first.options["access"] == "contiguous"
    assert second.options["access"] == "stride3,stride4,indirect"
    assert second.priority == "main"


def test_what_the_user_leaves_out_takes_no_time() -> None:
    assert VECTOR_KERNELS.estimate
    whole, contiguous, one = (
        VECTOR_KERNELS.estimate(a_machine(), Case(name="x", options=dict(options))).needs.seconds
        for options in ((), (("access", "contiguous"),), (("access", "contiguous"), ("ops", "add")))
    )
    assert whole > 3 * contiguous
    # Vectors of some operations are longer than vectors of other operations.
    assert contiguous == pytest.approx(14 * one, rel=0.1)
