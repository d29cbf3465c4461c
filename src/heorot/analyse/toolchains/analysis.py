"""Compares the toolchains of a run with the first one, program by program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from heorot.analyse.compare.runs import compare_runs
from heorot.analyse.compare.side import Side
from heorot.analyse.toolchains.accuracy import find_accuracy
from heorot.analyse.toolchains.means import find_means
from heorot.analyse.toolchains.porting import find_porting
from heorot.analyse.toolchains.troubles import find_ended, find_unbuilt, judge_programs
from heorot.model.analysis.comparison import ComparedGroup
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.toolchains import State, ToolchainField, ToolchainStudy
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.identity import Stack
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import SkippedCase, Step
from heorot.model.run.series import Series


@dataclass(frozen=True)
class Measured:
    """The results of a run with all toolchains.

    Attributes:
        toolchains: those of the run; the first one is the baseline.
        skipped: cases that did not run; for some the program did not compile.
    """

    toolchains: Sequence[Toolchain]
    benchmarks: Sequence[Benchmark]
    steps: Sequence[Step]
    outcomes: Sequence[Outcome]
    series: Sequence[Series]
    results: Sequence[Result]
    skipped: Sequence[SkippedCase] = ()


def analyse_toolchains(measured: Measured) -> ToolchainStudy | None:
    """Every toolchain against the first one; None if none can be compared.

    Steps over one of several networks are left out: there the network differs.
    """
    if not measured.toolchains:
        return None
    base, *others = measured.toolchains
    fields = [field for other in others for field in _fields(measured, base, other)]
    place = {benchmark.name: number for number, benchmark in enumerate(measured.benchmarks)}
    fields.sort(key=lambda field: place.get(field.benchmark, len(place)))
    ran = (measured.toolchains, measured.steps, measured.outcomes)
    porting = tuple(find_porting(*ran, measured.skipped))
    if not fields and not porting:
        return None
    return ToolchainStudy(
        base=base.name,
        fields=tuple(fields),
        means=tuple(find_means(fields)),
        accuracy=tuple(find_accuracy(*ran)),
        porting=porting,
    )


def _fields(measured: Measured, base: Toolchain, other: Toolchain) -> Iterator[ToolchainField]:
    """Each program planned with both toolchains."""
    groups = _compare(measured, base, other)
    first = _judge(measured, base)
    for benchmark, (state, why) in _judge(measured, other).items():
        if benchmark not in first:
            continue
        in_first, _ = first[benchmark]
        doubtful = state == "measured" and in_first != "measured"
        field = ToolchainField(
            benchmark=benchmark,
            toolchain=other.name,
            state=state,
            part=name_part(base, other),
            reason=f"{in_first} with {base.name}" if doubtful else why,
        )
        group = groups.get(benchmark) if state == in_first == "measured" else None
        yield _with_speed(field, group) if group else field


def _judge(measured: Measured, toolchain: Toolchain) -> Mapping[str, tuple[State, str]]:
    """The outcome of every program with a toolchain."""
    return judge_programs(
        find_unbuilt(measured.skipped, toolchain.name),
        find_ended(measured.steps, measured.outcomes, toolchain.name),
    )


def _with_speed(field: ToolchainField, group: ComparedGroup) -> ToolchainField:
    update = {
        "ratio": group.geometric_mean_ratio,
        "low": group.low,
        "high": group.high,
        "verdict": group.verdict,
        "n": group.n,
    }
    return field.model_copy(update=update)


def _compare(measured: Measured, base: Toolchain, other: Toolchain) -> Mapping[str, ComparedGroup]:
    """The comparison of each program that both have."""
    may_differ = find_differing(measured.benchmarks, base, other)
    first, own = (_side(measured, each.name, may_differ) for each in (base, other))
    if not first.series or not own.series:
        return {}
    compared = compare_runs(first, own, measured.benchmarks)
    return {group.name: group for group in compared.groups if "/" in group.name}


def _side(measured: Measured, name: str, may_differ: Callable[[Series], bool]) -> Side:
    """The samples of one toolchain as one of two runs."""
    ids = {step.id for step in measured.steps if step.toolchain == name and not step.network}
    return Side(
        name=name,
        system="",
        series=[one for one in measured.series if one.step in ids and may_differ(one)],
        results=[row for row in measured.results if row.stack == Stack(name)],
    )


# Regions that a toolchain cannot affect would dilute its effect.
def name_part(base: Toolchain, other: Toolchain) -> str:
    """The part of programs that differs; empty if all compiled code may differ."""
    if not _same_compiler(base, other):
        return ""
    kernels = ["Fortran kernels"] if base.fortran != other.fortran else []
    kernels += ["device kernels"] if base.device != other.device else []
    calls = ["library calls"] if base.blas_library != other.blas_library else []
    return " and ".join([*kernels, *calls])


def find_differing(
    benchmarks: Sequence[Benchmark], base: Toolchain, other: Toolchain
) -> Callable[[Series], bool]:
    """Regions that may differ between two toolchains, and regions that cannot.

    A program that does not record the origin of its regions counts as a whole.
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
    """Whether both build the same programs, except Fortran and device kernels."""
    return base.with_only().build == other.with_only().build
