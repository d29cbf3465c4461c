"""Sentences on DGEMV and dense eigenproblems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heorot.families.algorithms.dense.sentences_eigen import sentences
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def product(region: str, n: int, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "algorithms/matrix_vector",
        "metric": "flop_rate",
        "unit": "flop/s",
        "point": {"n": n, "working_set_bytes": 8 * n * n + 16 * n},
    }
    return a_result(region=region, median=median, **(fields | changes))


def decomposition(region: str, n: int, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "algorithms/dense_eigen",
        "metric": "time",
        "unit": "s",
        "better": "lower",
        "point": {"n": n, "working_set_bytes": 16 * n * n},
    }
    return a_result(region=region, median=median, **(fields | changes))


def said(*rows: Result) -> list[str]:
    found = sentences(a_context(rows))
    known = {row.id for row in rows}
    assert all(each.evidence and set(each.evidence) <= known for each in found)
    assert all(len(set(each.evidence)) == len(each.evidence) for each in found)
    return [each.text for each in found]


def test_a_product_is_reported_at_both_ends_of_the_memory_with_its_other_forms() -> None:
    ends = [product("blocked", 200, 28e9), product("blocked", 3200, 4e9)]
    others = [
        product("axpy", 3200, 2e9),
        product("dot_strided", 3200, 0.4e9),
        product("blas", 3200, 3e9),
        product("axpy", 200, 22e9),
    ]
    (text,) = said(*ends, *others)
    assert text == (
        "DGEMV on one core: 28.0 Gflop/s [27.7…28.3 in 3 launches] with 200 rows. With 3200 rows: "
        "blocked 4.00 Gflop/s [3.96…4.04 in 3 launches]; BLAS (version not recorded, kernels and "
        "threads unknown) 3.00 Gflop/s [2.97…3.03 in 3 "
        "launches]; by columns (DAXPY) 2.00 Gflop/s [1.98…2.02 in 3 launches]; by rows (strided "
        "DDOT) 400 Mflop/s [396…404 in 3 launches]."
    )
    (plain,) = said(*ends)
    assert plain.endswith("With 3200 rows: blocked 4.00 Gflop/s [3.96…4.04 in 3 launches].")
    assert said(ends[0]) == said(*others) == []


def test_forms_of_other_cases_and_toolchains_are_not_mixed_in() -> None:
    ends = [product("blocked", 200, 28e9), product("blocked", 3200, 4e9)]
    others = [
        product("axpy", 3200, 2e9, toolchain="clang-16"),
        product("blas", 3200, 2e9, case="another"),
    ]
    assert said(*ends, *others) == said(*ends)


def test_an_eigenproblem_is_reported_by_its_time_and_by_other_ways() -> None:
    rows = [
        decomposition("vectors", 300, 8e-3),
        decomposition("vectors", 1000, 0.2),
        decomposition("values", 1000, 0.08),
        decomposition("lapack_vectors", 1000, 0.16),
        decomposition("rotations", 300, 16e-3),
        decomposition(
            "vectors",
            1000,
            30e9,
            metric="flop_rate",
            unit="flop/s",
            better="higher",
            share_of_ceiling=0.3,
        ),
    ]
    (text,) = said(*rows)
    assert text == (
        "Dense symmetric eigenproblem, 1000 rows, one core: 200 ms [198…202 in 3 launches], 30.0 % "
        "[29.7…30.3 in 3 launches] of peak. LAPACK (version not recorded, kernels and "
        "threads unknown): 160 ms [158…162 in 3 launches]. Eigenvalues "
        "alone: 80.0 ms [79.2…80.8 in 3 launches]. Implicit QL with plane rotations, 300 rows: "
        "16.0 ms [15.8…16.2 in 3 launches]."
    )
    (short,) = said(rows[1])
    assert short.endswith("1000 rows, one core: 200 ms [198…202 in 3 launches].")
    assert said(rows[2]) == []


def test_the_classical_way_is_reported_with_the_size_of_its_own_matrix() -> None:
    rows = [decomposition("vectors", 1000, 0.2), decomposition("rotations", 300, 0.02)]
    assert "plane rotations, 300 rows: 20.0 ms [" in said(*rows)[0]
