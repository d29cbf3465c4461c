"""The policy of compute/dot_product, and its sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.compute.vectors.dot_product import DOT_PRODUCT, KERNELS
from heorot.families.compute.vectors.dots import sentences
from tests.unit.analyse.builders import a_context, a_machine, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result
    from heorot.model.catalogue.benchmark import Profile


def dot(region: str, median: float, n: int = 1600, toolchain: str = "gnu-12") -> Result:
    return a_result(
        benchmark=DOT_PRODUCT.name,
        region=region,
        metric="flop_rate",
        unit="flop/s",
        point={"n": n, "working_set_bytes": 16 * n},
        toolchain=toolchain,
        median=median,
    )


@pytest.mark.parametrize(
    ("n_cores", "profile", "names"),
    [
        (1, "standard", ["one_core"]),
        (4, "quick", ["one_core"]),
        (4, "standard", ["one_core", "all_cores_copies"]),
    ],
)
def test_copies_come_later(n_cores: int, profile: Profile, names: list[str]) -> None:
    assert [case.name for case in DOT_PRODUCT.cases(a_machine(n_cores), profile)] == names


def test_fewer_loops_take_less_time() -> None:
    (case,) = DOT_PRODUCT.cases(a_machine(1), "quick")
    assert DOT_PRODUCT.estimate is not None
    every, one = (
        DOT_PRODUCT.estimate(
            a_machine(1), case.model_copy(update={"options": case.options | {"kernels": kernels}})
        )
        for kernels in (",".join(KERNELS), "simple")
    )
    assert every.needs.seconds == pytest.approx(case.needs.seconds)
    assert one.needs.seconds < 0.5 * every.needs.seconds


def test_authors_are_reported_where_partial_sums_are_fastest() -> None:
    rows = [
        dot("simple", 2.5e9),
        dot("unrolled", 25e9),
        dot("blas", 25.1e9),
        dot("fortran", 5e9),
        dot("unrolled", 12e9, n=10**6),
        dot("simple", 9e9, n=10**6),
        dot("blas", 90e9, toolchain="clang-16"),
    ]
    (said,) = sentences(a_context(rows))
    assert said.text == (
        "DDOT of 1600 elements on one core: BLAS (version not recorded, "
        "kernels and threads unknown) 25.1 Gflop/s [24.8…25.4 in 3 launches]; unrolled "
        "25.0 Gflop/s [24.8…25.2 in 3 launches]; Fortran 5.00 Gflop/s [4.95…5.05 in 3 launches]; "
        "naive 2.50 Gflop/s [2.48…2.52 in 3 launches]."
    )
    assert said.evidence == tuple(rows[i].id for i in (0, 1, 2, 3))


def test_what_is_not_there_is_not_reported() -> None:
    rows = [dot("simple", 25e9), dot("unrolled", 25e9)]
    (said,) = sentences(a_context(rows))
    assert said.text.endswith("naive 25.0 Gflop/s [24.8…25.2 in 3 launches].")
    assert sentences(a_context(rows[1:])) == []
    assert sentences(a_context(rows[:1])) == []


def test_levels_show_where_the_rate_falls() -> None:
    curve = dict.fromkeys((100, 150, 200, 300, 400), 20e9)
    curve |= dict.fromkeys((1000, 2000, 4000, 6000, 8000), 10e9)
    curve |= dict.fromkeys((10**6, 2 * 10**6, 4 * 10**6, 6 * 10**6, 8 * 10**6), 2e9)
    (said,) = sentences(a_context([dot("unrolled", rate, n) for n, rate in curve.items()]))
    assert said.text == (
        "Unrolled DDOT falls from 20.0 Gflop/s [19.8…20.2 in 3 launches] to 2.00 Gflop/s "
        "[1.98…2.02 in 3 launches] at 122 MiB. It slows down where both vectors exceed 6.25 KiB "
        "and 125 KiB."
    )
    flat = [dot("unrolled", 20e9, n) for n in curve]
    assert sentences(a_context(flat)) == []
