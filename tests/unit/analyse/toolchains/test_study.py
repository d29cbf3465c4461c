"""Toolchains beside the first one: who is faster, who is wrong, what porting takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from heorot.analyse.toolchains.study import Measured, study_toolchains
from heorot.analyse.toolchains.telling import tell_toolchains
from heorot.families import BENCHMARKS
from heorot.model.analysis.studies.toolchains import ToolchainStudy
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import SkippedCase, Step
from heorot.model.run.records import CheckLine
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_series, a_step

BASE, FAST, ODD = "gnu", "gnu+Ofast", "clang"
STREAM, GUPS = "memory/stream", "memory/gups"


def chain(name: str, **changes: Any) -> Toolchain:
    return Toolchain(name=name, cxx=Path("c++"), compiler="GNU 12", mpi=None, **changes)


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
                    counts={"bytes": 24000.0, "updates": 1000.0},
                    verified="passed" if passed else "failed",
                )
                drift = 1 + 0.001 * launch
                self.series.append(replace(one, seconds=one.seconds * seconds * drift))

    def study(
        self, toolchains: Sequence[Toolchain], skipped: Sequence[SkippedCase] = ()
    ) -> ToolchainStudy | None:
        return study_toolchains(
            Measured(toolchains, BENCHMARKS, self.steps, self.outcomes, self.series, (), skipped)
        )


CHAINS = (chain(BASE), chain(FAST), chain(ODD))


@pytest.fixture
def run() -> Run:
    """Two programs: one is faster with FAST, where the other one is wrong."""
    made = Run()
    made.add(BASE, 1.0)
    made.add(FAST, 0.5)
    made.add(ODD, 1.25)
    made.add(BASE, 1.0, GUPS)
    made.add(FAST, 0.1, GUPS, deviation=1e-3, passed=False, state="failed")
    made.add(ODD, 1.0, GUPS)
    return made


def studied(run: Run, *skipped: SkippedCase) -> ToolchainStudy:
    study = run.study(CHAINS, skipped)
    assert study is not None
    return study


def test_one_toolchain_is_no_matrix(run: Run) -> None:
    assert run.study(CHAINS[:1]) is None
    assert run.study(()) is None
    assert Run().study(CHAINS) is None


def test_speed_is_told_beside_the_first(run: Run) -> None:
    study = studied(run)
    assert (study.base, study.programs, study.toolchains) == (BASE, [STREAM, GUPS], [FAST, ODD])
    fields = {(each.benchmark, each.toolchain): each for each in study.fields}
    fast = fields[STREAM, FAST]
    assert fast.ratio == pytest.approx(2.0, rel=1e-6)
    assert fast.low is not None
    assert fast.high is not None
    assert fast.low < 2.0 < fast.high
    assert (fast.verdict, fast.state) == ("better", "measured")
    assert fields[STREAM, ODD].ratio == pytest.approx(0.8, rel=1e-6)
    assert fields[GUPS, ODD].verdict == "indistinguishable"


def test_what_is_wrong_has_no_speed(run: Run) -> None:
    study = studied(run)
    (wrong,) = (each for each in study.fields if each.state == "wrong")
    assert (wrong.benchmark, wrong.toolchain, wrong.ratio) == (GUPS, FAST, None)
    assert wrong.reason == "triad: largest relative deviation is 0.001, 1e-14 is allowed"
    fast, odd = study.means
    assert [fast.ratio, odd.ratio] == pytest.approx([2.0, 0.8**0.5])
    assert (fast.n, odd.n) == (1, 2)
    assert [each.toolchain for each in study.means] == [FAST, ODD]


def test_what_does_not_compile_is_told() -> None:
    skipped = SkippedCase(
        benchmark=STREAM, case="x", toolchain=ODD, reason="did not compile: no", failed=True
    )
    without = Run()
    without.add(BASE, 1.0)
    study = without.study((CHAINS[0], CHAINS[2]), (skipped,))
    assert study is not None
    (only,) = study.fields
    assert (only.state, only.reason) == ("not built", "did not compile: no")
    (port,) = study.porting
    assert (port.what, port.detail) == ("did not compile", "did not compile: no")
    assert "1 combination did not compile" in " ".join(each.text for each in tell_toolchains(study))


def test_porting_tells_what_was_in_the_way(run: Run) -> None:
    run.add(ODD, 1.0, "memory/atomics", state="failed")
    study = run.study((CHAINS[0], CHAINS[1], chain(ODD, program_flags={"memory/*": "-O1"})))
    assert study is not None
    told = [(each.toolchain, each.benchmark, each.what) for each in study.porting]
    assert told == [
        (FAST, GUPS, "wrong"),
        (ODD, STREAM, "other flags"),
        (ODD, GUPS, "other flags"),
        (ODD, "memory/atomics", "did not end"),
        (ODD, "memory/atomics", "other flags"),
    ]
    # What did not run with the first toolchain cannot be held against it.
    assert "memory/atomics" not in study.programs


@pytest.mark.parametrize(("deviation", "told"), [(9e-16, False), (2e-15, True)])
def test_a_digit_lost_is_told_though_it_is_allowed(deviation: float, *, told: bool) -> None:
    made = Run()
    made.add(BASE, 1.0, deviation=1e-16)
    made.add(FAST, 1.0, deviation=deviation)
    study = made.study(CHAINS[:2])
    assert study is not None
    assert [each.what for each in study.porting] == ["less accurate"] * told


def test_what_became_inexact_far_below_its_tolerance_is_not_told() -> None:
    made = Run()
    made.add(BASE, 1.0, deviation=0.0)
    made.add(FAST, 1.0, deviation=1e-18)
    study = made.study(CHAINS[:2])
    assert study is not None
    assert study.porting == ()


def test_sentences_name_the_wrong_and_the_fastest(run: Run) -> None:
    texts = [each.text for each in tell_toolchains(studied(run))]
    assert texts[0].startswith(
        "1 combination of program and toolchain yields wrong results, whose speed does not count: "
        "memory/gups with gnu+Ofast (triad: "
    )
    assert texts[1] == (
        "Over 1 program, gnu+Ofast is 2.00 times as fast as gnu (geometric mean); "
        "clang, over 2 programs, 0.89 times."
    )
    assert texts[2].startswith("What gains most by a toolchain is memory/stream: with gnu+Ofast")
    assert texts[3].startswith("What loses most is memory/stream: with clang it is 0.80 [")
