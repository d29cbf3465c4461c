"""Toolchains are judged by the regions that they can change, such as library calls."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heorot.analyse.toolchains.analysis import find_differing, name_part
from heorot.families import BENCHMARKS
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.machine.toolchain import Compiler, Toolchain
from tests.unit.analyse.toolchains.launches import BASE, ODD, STREAM, Run, chain

NATIVE = Path(__file__).resolve().parents[4] / "native/benchmarks"
MADE_BY_OTHERS = [each for each in BENCHMARKS if each.blas_regions or each.fortran_regions]


@pytest.mark.parametrize("benchmark", MADE_BY_OTHERS, ids=lambda each: each.name)
def test_regions_made_by_others_are_in_the_source(benchmark: Benchmark) -> None:
    place = NATIVE / benchmark.name
    files = sorted(place.glob("*.cpp")) if place.is_dir() else [place.with_suffix(".cpp")]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    for region in (*benchmark.blas_regions, *benchmark.fortran_regions):
        assert re.search(rf'[",]{region}[",]', source), region


def test_these_programs_have_a_library_beside_their_own_code() -> None:
    assert {each.name.partition("/")[2] for each in BENCHMARKS if each.uses_blas} == {
        "dot_product",
        "matrix_multiply",
        "matrix_vector",
        "dense_solve",
        "dense_eigen",
    }


@pytest.mark.parametrize(
    ("other", "ratio", "n", "part"),
    [
        # Another library under the same build: only its calls count, at their full effect.
        (chain("+ref", flags=BASE, blas_library="ref.so"), 0.1, 1, "library calls"),
        # Another build with the same library: its calls, which cannot change, dilute nothing.
        (chain("+O2", blas_library="open.so"), 2.0, 1, ""),
        (chain("+O2+ref", blas_library="ref.so"), (2.0 * 0.1) ** 0.5, 2, ""),
    ],
)
def test_a_toolchain_is_judged_by_what_it_can_change(
    other: Toolchain, ratio: float, n: int, part: str
) -> None:
    product = "algorithms/matrix_multiply"
    made = Run()
    for region, seconds in (("blocked", 0.5), ("blas", 10.0)):
        made.add(BASE, 1.0, product, region=region)
        made.add(other.name, seconds, product, region=region)
    analysed = made.analyse((chain(BASE, blas_library="open.so"), other))
    assert analysed is not None
    (field,) = analysed.fields
    assert field.ratio == pytest.approx(ratio, rel=1e-6)
    assert (field.n, field.part) == (n, part)


def test_another_compiler_for_devices_is_judged_by_the_programs_that_it_makes() -> None:
    nvcc, hipcc = (
        Compiler(language="c++", target="device", command=Path(name)) for name in ("nvcc", "hipcc")
    )
    base, other = (chain(BASE).with_compiler(each) for each in (nvcc, hipcc))
    assert name_part(base, other) == "device kernels"
    made = Run()
    made.add(BASE, 1.0, "devices/copy", region="copy")
    made.add(BASE, 1.0, STREAM)
    may_differ = find_differing(BENCHMARKS, base, other)
    assert [may_differ(one) for one in made.series] == [True] * 3 + [False] * 3


def test_another_fortran_compiler_is_judged_by_its_kernels() -> None:
    made = Run()
    for region, seconds in (("triad", 1.0), ("fortran_triad", 2.0)):
        made.add(BASE, 1.0, region=region)
        made.add(ODD, seconds, region=region)
    chains = (chain(BASE, fortran="gfortran"), chain(ODD, flags=BASE, fortran="flang"))
    analysed = made.analyse(chains)
    assert analysed is not None
    (field,) = analysed.fields
    assert field.ratio == pytest.approx(0.5, rel=1e-6)
    assert field.part == "Fortran kernels"
