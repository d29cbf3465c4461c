"""The cases of algorithms: sizes enough for plateaus, and thresholds that follow the caches."""

from __future__ import annotations

import pytest

from heorot.families.algorithms import FAMILY
from heorot.families.algorithms.dense.dense_eigen import DENSE_EIGEN
from heorot.families.algorithms.sparse.sparse_eigen import SPARSE_EIGEN
from heorot.families.algorithms.sparse.sparse_matrix_vector import SPARSE_MATRIX_VECTOR
from heorot.families.algorithms.sparse.sparse_solve import SPARSE_SOLVE
from heorot.model.catalogue.benchmark import Benchmark, Profile
from tests.unit.analyse.builders import a_machine

# Below five sizes there is no search for plateaus.
_LEAST_SIZES = 5
_LONGER: tuple[Profile, ...] = ("quick", "standard", "full")


@pytest.mark.parametrize("profile", _LONGER)
@pytest.mark.parametrize(
    ("program", "option"), [(DENSE_EIGEN, "n"), (SPARSE_SOLVE, "n"), (SPARSE_EIGEN, "unknowns")]
)
def test_one_core_has_sizes_enough_for_plateaus(
    program: Benchmark, option: str, profile: Profile
) -> None:
    one_core, *others = program.cases(a_machine(2), profile)
    sizes = [int(each) for each in str(one_core.options[option]).split(",")]
    assert sizes == sorted(set(sizes))
    assert len(sizes) >= _LEAST_SIZES
    for case in others:
        # All cores have problems large enough for them.
        assert int(str(case.options[option]).rsplit(",", 1)[-1]) > sizes[0]


def test_a_quick_sweep_of_sparse_products_has_sizes_enough() -> None:
    (case,) = SPARSE_MATRIX_VECTOR.cases(a_machine(2), "quick")
    largest, growth = float(case.options["max-bytes"]), float(case.options["growth"])
    assert largest / growth ** (_LEAST_SIZES - 1) >= 16 << 10


def test_more_sizes_take_longer() -> None:
    for program, option in ((SPARSE_SOLVE, "n"), (SPARSE_EIGEN, "unknowns"), (DENSE_EIGEN, "n")):
        assert program.estimate is not None
        (case, *_) = program.cases(a_machine(2), "quick")
        largest = str(case.options[option]).rsplit(",", 1)[-1]
        few = case.model_copy(update={"options": case.options | {option: largest}})
        less = program.estimate(a_machine(2), few)
        assert less.needs.seconds < case.needs.seconds
        assert less.needs.memory_bytes == case.needs.memory_bytes


def test_all_algorithms_fit_their_part_of_the_time() -> None:
    budgets: dict[Profile, float] = {"quick": 60.0, "standard": 300.0}
    for profile, most in budgets.items():
        cases = [case for one in FAMILY.benchmarks for case in one.cases(a_machine(2), profile)]
        assert sum(case.needs.seconds for case in cases) <= most
