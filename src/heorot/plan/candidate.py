"""Candidates of a plan: benchmarks selected by patterns, their cases per toolchain, their times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from heorot.errors import UsageError
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile
from heorot.model.machine.toolchain import Toolchain
from heorot.model.point import Options
from heorot.model.run.identity import Setup
from heorot.model.run.plan import SkippedCase
from heorot.suggestion import nearest, suggest

# Time to start and end a program beyond its own estimate: fixed part, and part per rank [s].
_START_SECONDS = 0.2
_RANK_SECONDS = 0.01

# The hosts of a step by their numbers in the allocation; empty for the first ones.
HostNumbers = tuple[int, ...]


@dataclass(frozen=True)
class Candidate:
    """A case of a benchmark for a toolchain.

    Attributes:
        rounds: the copies that run at the same time, round by round; each copy is the numbers of
            its hosts in the allocation. A case that does not run on each node has one copy, on the
            first hosts.
        network: the network that it uses; empty if there is no choice.
    """

    benchmark: Benchmark
    case: Case
    toolchain: Toolchain
    rounds: tuple[tuple[HostNumbers, ...], ...] = (((),),)
    network: str = ""

    @property
    def setup(self) -> Setup:
        """The setup of its launches."""
        case = self.case
        return Setup(
            benchmark=self.benchmark.name,
            case=case.name,
            toolchain=self.toolchain.name,
            network=self.network,
            nodes=case.nodes,
            ranks=case.ranks,
            threads=case.threads,
            per_node=case.per_node,
            options=Options(case.options),
        )

    @property
    def copy_seconds(self) -> float:
        """Estimate of one launch of one copy with its start-up [s]."""
        seconds = self.case.needs.seconds * time_factor(self.benchmark, self.toolchain)
        return seconds + _START_SECONDS + _RANK_SECONDS * self.case.ranks

    @property
    def at_once(self) -> int:
        """The largest number of its copies that run at the same time."""
        return max(map(len, self.rounds))

    @property
    def seconds(self) -> float:
        """Estimate of one launch of all copies [s]."""
        return self.copy_seconds * len(self.rounds)

    def skipped(self, reason: str) -> SkippedCase:
        return SkippedCase(setup=self.setup, reason=reason)


_LEVEL = re.compile(r"(?<!\S)-O(\S*)")
# Typical slowdown of whole launches; measured: 3 to 50 without optimisation, 1 to 5 with the
# reference BLAS.
_UNOPTIMISED = 8.0
_REFERENCE_BLAS = 3.0
_REFERENCE = re.compile(r"reference\b", re.IGNORECASE)


def time_factor(benchmark: Benchmark, toolchain: Toolchain) -> float:
    """Expected time of a launch with a toolchain, over its estimate [1]."""
    levels = _LEVEL.findall(toolchain.flags_of(benchmark.name))
    factor = 1.0
    # The last -O flag counts; without any, compilers do not optimise.
    if not levels or levels[-1] == "0":
        factor *= _UNOPTIMISED
    if benchmark.uses_blas and _REFERENCE.match(toolchain.blas):
        factor *= _REFERENCE_BLAS
    return factor


def select(
    benchmarks: Sequence[Benchmark], only: Sequence[str], profile: Profile
) -> tuple[Benchmark, ...]:
    """The benchmarks that match any of the patterns; without patterns all of the profile.

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
    """A likely correction of a pattern: a whole family, a program by its last name, a typo."""
    names = [benchmark.name for benchmark in benchmarks]
    last_names = {name.partition("/")[2]: name for name in names}
    if pattern.strip("/*") in {benchmark.family for benchmark in benchmarks}:
        return f"did you mean '{pattern.strip('/*')}/*'?"
    near = nearest(pattern, [*names, *last_names])
    if near:
        return f"did you mean {last_names.get(near, near)}?"
    return f"{suggest('list')} shows all benchmarks"
