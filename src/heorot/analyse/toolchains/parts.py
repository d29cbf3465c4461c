"""Which regions of programs a toolchain can touch: what it cannot touch would dilute its effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.series import Series


def name_part(base: Toolchain, other: Toolchain) -> str:
    """What of programs is not the same with both; empty if all that a compiler makes may differ."""
    if not _same_compiler(base, other):
        return ""
    kernels = ["Fortran kernels"] if base.fortran != other.fortran else []
    calls = ["library calls"] if base.blas_library != other.blas_library else []
    return " and ".join([*kernels, *calls])


def find_differing(
    benchmarks: Sequence[Benchmark], base: Toolchain, other: Toolchain
) -> Callable[[Series], bool]:
    """Tells regions that may differ between two toolchains from those that cannot.

    A program that says of none of its regions what makes them counts as a whole.
    """
    library = {each.name: each.blas_regions for each in benchmarks}
    fortran = {each.name: each.fortran_regions for each in benchmarks}
    one_library, one_fortran = (
        base.blas_library == other.blas_library,
        base.fortran == other.fortran,
    )

    def may_differ(one: Series) -> bool:
        calls, kernels = library.get(one.benchmark, ()), fortran.get(one.benchmark, ())
        if one.region in calls:
            return not one_library
        if not _same_compiler(base, other) or not (calls or kernels):
            return True
        return one.region in kernels and not one_fortran

    return may_differ


def _same_compiler(base: Toolchain, other: Toolchain) -> bool:
    """Whether both build the same programs, but for kernels in Fortran."""
    first, second = (each.without_compiler("fortran") for each in (base, other))
    return first.build == second.build
