"""The families: the only place that lists them, publishers before those who refer to them."""

from __future__ import annotations

from fnmatch import fnmatchcase

from heorot.errors import UsageError
from heorot.families import algorithms, compute, memory, messages, npb, storage
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.family import Family
from heorot.suggestion import nearest, suggest

FAMILIES: tuple[Family, ...] = (
    compute.FAMILY,
    memory.FAMILY,
    algorithms.FAMILY,
    messages.FAMILY,
    npb.FAMILY,
    storage.FAMILY,
)
BENCHMARKS: tuple[Benchmark, ...] = tuple(
    benchmark for family in FAMILIES for benchmark in family.benchmarks
)


def select(family: str | None = None, name: str | None = None) -> tuple[Benchmark, ...]:
    """The selected benchmarks, all of them without a name.

    Args:
        name: of a benchmark, of a family, or a glob pattern.

    Raises:
        UsageError: there is no such family, or no such benchmark in it.
    """
    families = [each.name for each in FAMILIES]
    if family is not None and family not in families:
        raise UsageError(f"no family '{family}'", f"there are: {', '.join(families)}")
    listed = [benchmark for benchmark in BENCHMARKS if family in {None, benchmark.family}]
    pattern = f"{name}/*" if name in families else name or "*"
    found = tuple(benchmark for benchmark in listed if fnmatchcase(benchmark.name, pattern))
    if found:
        return found
    near = nearest(pattern, [benchmark.name for benchmark in listed])
    raise UsageError(
        f"no benchmark '{name}'" + (f" in family '{family}'" if family else ""),
        f"did you mean {near}?" if near else f"{suggest('list')} shows all",
    )
