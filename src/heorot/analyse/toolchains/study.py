"""Holds the toolchains of a run against the first of them, program by program."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from heorot.analyse.compare.runs import compare_runs
from heorot.analyse.compare.side import Side
from heorot.analyse.toolchains.porting import find_porting
from heorot.model.analysis.comparison import ComparedGroup
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.toolchains import ToolchainField, ToolchainMean, ToolchainStudy
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import SkippedCase, Step
from heorot.model.run.series import Series


@dataclass(frozen=True)
class Measured:
    """What a run brought, of all toolchains.

    Attributes:
        toolchains: those of the run, the first one is what others are seen beside.
        benchmarks: records of the programs.
        steps: all steps.
        outcomes: how they ended, in the same order.
        series: their samples.
        results: their rows.
        skipped: cases that did not run; of some the program did not compile.
    """

    toolchains: Sequence[Toolchain]
    benchmarks: Sequence[Benchmark]
    steps: Sequence[Step]
    outcomes: Sequence[Outcome]
    series: Sequence[Series]
    results: Sequence[Result]
    skipped: Sequence[SkippedCase] = ()


def study_toolchains(measured: Measured) -> ToolchainStudy | None:
    """Every toolchain beside the first one; None if there is but one.

    Steps over one of several networks are left out: there the network is what differs.

    Args:
        measured: what the run brought.
    """
    names = [toolchain.name for toolchain in measured.toolchains]
    if not names[1:]:
        return None
    base, *others = names
    sides = {name: _side(measured, name) for name in (base, *others)}
    fields = [
        field
        for name in others
        for field in _fields(measured, name, _compare(sides[base], sides[name], measured))
    ]
    if not fields:
        return None
    place = {benchmark.name: number for number, benchmark in enumerate(measured.benchmarks)}
    fields.sort(key=lambda field: place.get(field.benchmark, len(place)))
    return ToolchainStudy(
        base=base,
        fields=tuple(fields),
        means=tuple(sorted(_means(fields), key=lambda mean: -mean.ratio)),
        porting=tuple(
            find_porting(measured.toolchains, measured.steps, measured.outcomes, measured.skipped)
        ),
    )


def _side(measured: Measured, name: str) -> Side:
    """The samples of one toolchain as one of two runs."""
    ids = {step.id for step in measured.steps if step.toolchain == name and not step.network}
    return Side(
        name=name,
        system="",
        series=[one for one in measured.series if one.step in ids],
        results=[row for row in measured.results if row.toolchain == name],
    )


def _compare(base: Side, other: Side, measured: Measured) -> Mapping[str, ComparedGroup]:
    """How each program that both have does."""
    if not base.series or not other.series:
        return {}
    compared = compare_runs(base, other, measured.benchmarks)
    return {group.name: group for group in compared.groups if "/" in group.name}


def _fields(
    measured: Measured, name: str, groups: Mapping[str, ComparedGroup]
) -> Iterator[ToolchainField]:
    """Each program that was to run with the toolchain and with the first one."""
    base = measured.toolchains[0].name
    unbuilt = {
        case.benchmark: case.reason
        for case in measured.skipped
        if case.failed and case.toolchain == name
    }
    tried = {step.benchmark for step in measured.steps if step.toolchain == base}
    own = [
        (step, outcome)
        for step, outcome in zip(measured.steps, measured.outcomes, strict=True)
        if step.toolchain == name
    ]
    for benchmark in dict.fromkeys([*unbuilt, *(step.benchmark for step, _ in own)]):
        if benchmark not in tried:
            continue
        outcomes = [outcome for step, outcome in own if step.benchmark == benchmark]
        if benchmark in unbuilt:
            yield ToolchainField(
                benchmark=benchmark,
                toolchain=name,
                state="not built",
                reason=unbuilt[benchmark],
            )
        elif why := _wrong(outcomes):
            yield ToolchainField(benchmark=benchmark, toolchain=name, state="wrong", reason=why)
        else:
            yield _measured(benchmark, name, outcomes, groups.get(benchmark))


def _measured(
    benchmark: str, name: str, outcomes: Sequence[Outcome], group: ComparedGroup | None
) -> ToolchainField:
    ended = [outcome for outcome in outcomes if outcome.state == "completed"]
    reason = "" if ended else next((one.reason for one in outcomes if one.reason), "")
    field = ToolchainField(
        benchmark=benchmark,
        toolchain=name,
        state="measured" if ended else "not ended",
        reason=reason,
    )
    if group is None:
        return field
    update = {
        "ratio": group.geometric_mean_ratio,
        "low": group.low,
        "high": group.high,
        "verdict": group.verdict,
        "n": group.n,
    }
    return field.model_copy(update=update)


def _wrong(outcomes: Sequence[Outcome]) -> str:
    """The first check that failed, and how many others did; empty if all passed."""
    failed = [check for outcome in outcomes for check in outcome.checks if not check.passed]
    if not failed:
        return ""
    first, names = failed[0], {(check.region, check.name) for check in failed}
    where = f"{first.region}: " if first.region else ""
    told = f"{where}{first.name} is {first.value:.3g}, {first.tolerance:.3g} is allowed"
    return f"{told} (and {len(names) - 1} more checks)" if len(names) > 1 else told


def _means(fields: Sequence[ToolchainField]) -> Iterator[ToolchainMean]:
    for name in dict.fromkeys(field.toolchain for field in fields):
        ratios = [field.ratio for field in fields if field.toolchain == name and field.ratio]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            yield ToolchainMean(toolchain=name, ratio=mean, n=len(ratios))
