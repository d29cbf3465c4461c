"""Which rows stand for the algorithms on the score card: by size, not by order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.scores import make_scores
from heorot.families.algorithms.sparse.sparse_matrix_vector import SPARSE_MATRIX_VECTOR
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result

KIB, MIB = 1 << 10, 1 << 20


def product(matrix: str, rows: int, size: int, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": SPARSE_MATRIX_VECTOR.name,
        "region": "csr",
        "metric": "flop_rate",
        "unit": "flop/s",
        "point": {"matrix": matrix, "rows": rows, "working_set_bytes": size},
    }
    return a_result(median=median, **(fields | changes))


def test_a_sweep_that_goes_downwards_is_reported_by_its_largest_matrix() -> None:
    """A run had 3.18 Gflop/s of a matrix of 80 rows on its score card, as of one from memory."""
    rows = [
        product("laplace3d", 389017, 124 * MIB, 3.54e9),
        product("laplace3d", 4096, 1 * MIB, 3.30e9),
        product("laplace3d", 80, 16 * KIB, 3.18e9),
        product("powerlaw", 500000, 124 * MIB, 1.13e9),
        product("powerlaw", 98, 16 * KIB, 3.31e9),
    ]
    scores = make_scores(a_context(rows, benchmarks=(SPARSE_MATRIX_VECTOR,)))
    assert [(score.label, score.result.median) for score in scores] == [
        ("SpMV (CSR), 27-point Laplacian, 124 MiB from memory", 3.54e9),
        ("SpMV (CSR), power-law rows, 124 MiB from memory", 1.13e9),
    ]


@pytest.mark.parametrize(("size", "level"), [(16 * KIB, "L1"), (8 * MIB, "L3")])
def test_a_matrix_in_a_cache_is_not_reported_as_one_from_memory(size: int, level: str) -> None:
    rows = [product("laplace3d", 1000, size, 3e9)]
    (score,) = make_scores(a_context(rows, benchmarks=(SPARSE_MATRIX_VECTOR,)))
    assert score.label.endswith(f" from {level}")
