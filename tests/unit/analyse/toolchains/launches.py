"""Runs of several toolchains for tests, put together launch by launch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from heorot.analyse.toolchains.analysis import Measured, analyse_toolchains
from heorot.families import BENCHMARKS
from heorot.model.analysis.studies.toolchains import ToolchainStudy
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import SkippedCase, Step
from heorot.model.run.records import CheckLine
from heorot.model.run.series import Series
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_series, a_step

BASE, FAST, ODD = "gnu", "gnu+Ofast", "clang"
STREAM, GUPS = "memory/stream", "memory/gups"


def chain(name: str, flags: str = "", fortran: str = "", **changes: Any) -> Toolchain:
    """A toolchain with builds of its own, unless flags are given."""
    compilers = some_compilers("c++", "GNU 12", flags or name, fortran)
    return Toolchain(name=name, compilers=compilers, mpi=None, **changes)


def check(value: float, *, passed: bool = True) -> CheckLine:
    return CheckLine(
        type="check",
        name="largest relative deviation",
        value=value,
        tolerance=1e-14,
        passed=passed,
        region="triad",
    )


@dataclass
class Run:
    """A run of several toolchains, put together launch by launch."""

    steps: list[Step] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    series: list[Series] = field(default_factory=list)

    def add(
        self,
        toolchain: str,
        seconds: float,
        benchmark: str = STREAM,
        *,
        deviation: float = 0.0,
        passed: bool = True,
        state: Any = "completed",
        region: str = "triad",
    ) -> None:
        """Three launches of a program."""
        for launch in (1, 2, 3):
            name = f"S{len(self.steps) + 1:04d}"
            self.steps.append(
                a_step(id=name, benchmark=benchmark, toolchain=toolchain, launch=launch)
            )
            self.outcomes.append(
                Outcome(
                    step=name,
                    state=state,
                    reason="" if state == "completed" else "exit code 139",
                    checks=(check(deviation, passed=passed),),
                )
            )
            if state == "completed" or not passed:
                one = a_series(
                    step=name,
                    benchmark=benchmark,
                    toolchain=toolchain,
                    launch=launch,
                    region=region,
                    counts={"bytes": 24000.0, "updates": 1000.0, "flops": 1000.0},
                    verified="passed" if passed else "failed",
                )
                drift = 1 + 0.001 * launch
                self.series.append(replace(one, seconds=one.seconds * seconds * drift))

    def analyse(
        self, toolchains: Sequence[Toolchain], skipped: Sequence[SkippedCase] = ()
    ) -> ToolchainStudy | None:
        return analyse_toolchains(
            Measured(toolchains, BENCHMARKS, self.steps, self.outcomes, self.series, (), skipped)
        )
