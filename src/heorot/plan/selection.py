"""Which benchmarks the user means by the patterns given."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from heorot.errors import UsageError
from heorot.model.catalogue.benchmark import Benchmark, Profile
from heorot.suggestion import nearest, suggest


def select(
    benchmarks: Sequence[Benchmark], only: Sequence[str], profile: Profile
) -> tuple[Benchmark, ...]:
    """The benchmarks that match any of the patterns, all of the profile if there are none.

    Raises:
        UsageError: a pattern matches nothing.
    """
    names = [benchmark.name for benchmark in benchmarks]
    for pattern in only:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise UsageError(f"no benchmark matches '{pattern}'", _suggest(pattern, benchmarks))
    return tuple(
        benchmark
        for benchmark in benchmarks
        if (not only and profile in benchmark.profiles)
        or any(fnmatchcase(benchmark.name, pattern) for pattern in only)
    )


def _suggest(pattern: str, benchmarks: Sequence[Benchmark]) -> str:
    """What may have been meant: a whole family, a program by its last name, a slip of the pen."""
    names = [benchmark.name for benchmark in benchmarks]
    last_names = {name.partition("/")[2]: name for name in names}
    if pattern.strip("/*") in {benchmark.family for benchmark in benchmarks}:
        return f"did you mean '{pattern.strip('/*')}/*'?"
    near = nearest(pattern, [*names, *last_names])
    if near:
        return f"did you mean {last_names.get(near, near)}?"
    return f"{suggest('list')} shows all benchmarks"
