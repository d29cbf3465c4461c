"""Sentences on DGEMM and dense LU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heorot.families.algorithms.dense.dense_solve import DENSE_SOLVE
from heorot.families.algorithms.dense.matrix_multiply import MATRIX_MULTIPLY
from heorot.families.algorithms.dense.sentences_products import sentences
from heorot.model.machine.pace import Pace
from tests.unit.analyse.builders import a_context, a_machine, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def rate(benchmark: str, region: str, n: int, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": f"algorithms/{benchmark}",
        "metric": "flop_rate",
        "unit": "flop/s",
        "point": {"n": n, "working_set_bytes": 24 * n * n},
    }
    return a_result(region=region, median=median, **(fields | changes))


def product(region: str, n: int, median: float, **changes: Any) -> Result:
    return rate("matrix_multiply", region, n, median, **changes)


def system(region: str, n: int, median: float, **changes: Any) -> Result:
    return rate("dense_solve", region, n, median, **changes)


def said(*rows: Result) -> list[str]:
    found = sentences(a_context(rows))
    known = {row.id for row in rows}
    assert all(each.evidence and set(each.evidence) <= known for each in found)
    assert all(len(set(each.evidence)) == len(each.evidence) for each in found)
    return [each.text for each in found]


def test_the_largest_product_is_reported_with_a_library_and_all_cores() -> None:
    rows = [
        product("blocked", 500, 50e9),
        product("blocked", 1000, 40e9, share_of_ceiling=0.8),
        product("blas", 1000, 44e9),
        product("blocked", 1000, 70e9, case="all_cores", threads=2),
        product("blocked", 1000, 79e9, case="copies", ranks=2, options={"star": True}),
    ]
    (text,) = said(*rows)
    assert text == (
        "DGEMM with 1000 rows reaches 40.0 Gflop/s [39.6…40.4 in 3 launches] on one core, 80.0 % "
        "[79.2…80.8 in 3 launches] of peak. BLAS (version not recorded, kernels "
        "and threads unknown): 44.0 Gflop/s [43.6…44.4 in 3 launches]. On 2 "
        "cores: 70.0 Gflop/s [69.3…70.7 in 3 launches]."
    )
    (short,) = said(rows[0])
    assert short.endswith("reaches 50.0 Gflop/s [49.5…50.5 in 3 launches] on one core.")
    assert said(rows[2], rows[3], rows[4]) == []


def test_orders_are_compared_for_the_largest_matrices_in_all_of_them() -> None:
    rows = [
        product("jki", 100, 9e9),
        product("jki", 250, 8e9),
        product("ijk", 250, 2e9),
        product("ikj", 250, 0.8e9),
        product("blocked", 250, 48e9),
        product("blocked", 1000, 48e9),
    ]
    text = said(*rows)[1]
    assert text == (
        "DGEMM loop orders, 250 rows, one core: blocked 48.0 Gflop/s [47.5…48.5 in 3 launches]; "
        "jki 8.00 Gflop/s [7.92…8.08 in 3 launches]; ijk 2.00 Gflop/s [1.98…2.02 in 3 launches]; "
        "ikj 800 Mflop/s [792…808 in 3 launches]."
    )
    assert said(rows[1]) == said(rows[2], rows[3]) == []


def test_a_system_is_reported_beside_the_product_it_consists_of() -> None:
    rows = [
        system("blocked", 1000, 30e9, share_of_ceiling=0.6),
        system("lapack", 1000, 27e9),
        system("blocked", 1000, 48e9, case="all_cores", threads=2),
        product("blocked", 1000, 40e9),
        product("blocked", 250, 50e9),
    ]
    text = said(*rows)[-1]
    assert text == (
        "Dense LU (HPL-like) with 1000 rows reaches 30.0 Gflop/s [29.7…30.3 in 3 launches] on one "
        "core, 60.0 % [59.4…60.6 in 3 launches] of peak. DGEMM of that size: 40.0 Gflop/s "
        "[39.6…40.4 in 3 launches]. LAPACK (version not recorded, "
        "kernels and threads unknown): 27.0 Gflop/s [26.7…27.3 in 3 launches]. On 2 cores: "
        "48.0 Gflop/s [47.5…48.5 in 3 launches]."
    )
    (short,) = said(rows[0].model_copy(update={"share_of_ceiling": None}))
    assert short.endswith("reaches 30.0 Gflop/s [29.7…30.3 in 3 launches] on one core.")


def test_the_fastest_system_is_reported_as_a_multiple_of_axpy() -> None:
    """This is no bound: a blocked solution is faster."""

    def axpy(median: float, access: str = "contiguous", **changes: Any) -> Result:
        return a_result(
            benchmark="compute/vector_kernels",
            region="axpy",
            metric="flop_rate",
            unit="flop/s",
            point={"access": access, "working_set_bytes": 16384},
            median=median,
            **changes,
        )

    vectors = [
        axpy(40e9),
        axpy(20e9, case="far"),
        axpy(60e9, "indirect"),
        axpy(90e9, ranks=2, case="copies"),
    ]
    rows = [system("blocked", 500, 36e9), system("blocked", 1000, 30e9)]
    text = said(*rows, *vectors)[-1]
    assert text.endswith(
        "on one core. The best size, 500 rows, is 0.900 [0.882…0.918 in 3 launches] times as fast "
        "as the best DAXPY."
    )
    text = said(system("blocked", 500, 80e9), *vectors)[-1]
    assert "500 rows, is 2.00 [1.96…2.04 in 3 launches] times as fast as" in text
    # The largest is the fastest.
    (alone,) = said(rows[1], *vectors)
    assert "The best size, 1000 rows, is 0.750 [" in alone


def test_other_toolchains_are_not_mixed_in() -> None:
    rows = [
        system("blocked", 1000, 30e9),
        system("lapack", 1000, 27e9, toolchain="clang-16"),
        product("blocked", 1000, 29e9, toolchain="clang-16"),
        system("blocked", 1000, 48e9, case="all_cores", threads=2, toolchain="clang-16"),
    ]
    assert said(*rows)[-1].endswith("reaches 30.0 Gflop/s [29.7…30.3 in 3 launches] on one core.")


def test_slow_machines_leave_out_the_largest_matrices() -> None:
    machine = a_machine(2)
    slow = machine.model_copy(update={"pace": Pace(scalar_speed=0.2, vector_speed=0.1)})
    for program in (MATRIX_MULTIPLY, DENSE_SOLVE):
        usual, few = (program.cases(one, "standard") for one in (machine, slow))
        assert [case.name for case in usual] == ["one_core", "all_cores_copies", "all_cores"]
        assert str(usual[0].options["n"]).endswith(",1000,2000")
        for case, shorter in zip(usual, few, strict=True):
            assert str(case.options["n"]).startswith(str(shorter.options["n"]))
        assert str(few[0].options["n"]) != str(usual[0].options["n"])


def test_a_user_s_sizes_are_estimated_as_they_are() -> None:
    machine = a_machine(2)
    for program in (MATRIX_MULTIPLY, DENSE_SOLVE):
        assert program.estimate is not None
        case = program.tiny.model_copy(update={"options": {"n": "3000"}})
        twice = program.tiny.model_copy(update={"options": {"n": "6000,what"}})
        one, other = (program.estimate(machine, each) for each in (case, twice))
        assert 5.0 < other.needs.seconds / one.needs.seconds < 9.0
        assert other.working_set_bytes == 4 * one.working_set_bytes
        assert other.needs.memory_bytes > other.working_set_bytes
        own = case.model_copy(update={"options": {"n": "3000", "regions": "blocked"}})
        assert program.estimate(machine, own).needs.seconds < 0.6 * one.needs.seconds
