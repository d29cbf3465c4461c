"""Toolchains compared with the first one: speed, wrong results, porting."""

from __future__ import annotations

import pytest

from heorot.analyse.toolchains.sentences import make_toolchain_sentences
from heorot.model.analysis.studies.toolchains import ToolchainStudy
from heorot.model.run.identity import Setup
from heorot.model.run.plan import SkippedCase
from tests.unit.analyse.toolchains.launches import BASE, FAST, GUPS, ODD, STREAM, Run, chain

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
    analysed = run.analyse(CHAINS, skipped)
    assert analysed is not None
    return analysed


def test_one_toolchain_is_no_matrix(run: Run) -> None:
    assert run.analyse(CHAINS[:1]) is None
    assert run.analyse(()) is None
    assert Run().analyse(CHAINS) is None


def test_speed_is_reported_beside_the_first(run: Run) -> None:
    analysed = studied(run)
    assert (analysed.base, analysed.programs, analysed.toolchains) == (
        BASE,
        [STREAM, GUPS],
        [FAST, ODD],
    )
    fields = {(each.benchmark, each.toolchain): each for each in analysed.fields}
    fast = fields[STREAM, FAST]
    assert fast.ratio == pytest.approx(2.0, rel=1e-6)
    assert fast.low is not None
    assert fast.high is not None
    assert fast.low < 2.0 < fast.high
    assert (fast.verdict, fast.state) == ("better", "measured")
    assert fields[STREAM, ODD].ratio == pytest.approx(0.8, rel=1e-6)
    assert fields[GUPS, ODD].verdict == "indistinguishable"


def test_what_is_wrong_has_no_speed(run: Run) -> None:
    analysed = studied(run)
    (wrong,) = (each for each in analysed.fields if each.state == "wrong")
    assert (wrong.benchmark, wrong.toolchain, wrong.ratio) == (GUPS, FAST, None)
    assert wrong.reason == "triad: largest relative deviation is 0.001, 1e-14 is allowed"
    fast, odd = analysed.means
    assert [fast.ratio, odd.ratio] == pytest.approx([2.0, 0.8**0.5])
    assert (fast.n, odd.n) == (1, 2)
    assert [each.toolchain for each in analysed.means] == [FAST, ODD]


def test_what_does_not_compile_is_reported() -> None:
    skipped = SkippedCase(
        setup=Setup(benchmark=STREAM, case="x", toolchain=ODD),
        reason="did not compile: no",
        failed=True,
    )
    without = Run()
    without.add(BASE, 1.0)
    analysed = without.analyse((CHAINS[0], CHAINS[2]), (skipped,))
    assert analysed is not None
    (only,) = analysed.fields
    assert (only.state, only.reason) == ("not built", "no")
    (port,) = analysed.porting
    assert (port.what, port.detail) == ("did not compile", "no")
    assert "1 combination did not compile" in " ".join(
        each.text for each in make_toolchain_sentences(analysed)
    )


def test_porting_tells_what_was_in_the_way(run: Run) -> None:
    run.add(ODD, 1.0, "memory/atomics", state="failed")
    analysed = run.analyse((CHAINS[0], CHAINS[1], chain(ODD, program_flags={"memory/*": "-O1"})))
    assert analysed is not None
    reported = [(each.toolchain, each.benchmark, each.what) for each in analysed.porting]
    assert reported == [
        (FAST, GUPS, "wrong"),
        (ODD, STREAM, "other flags"),
        (ODD, GUPS, "other flags"),
        (ODD, "memory/atomics", "did not end"),
        (ODD, "memory/atomics", "other flags"),
    ]
    # Programs that did not run with the first toolchain cannot be compared with it.
    assert "memory/atomics" not in analysed.programs


@pytest.mark.parametrize(("deviation", "reported"), [(9e-16, False), (2e-15, True)])
def test_a_digit_lost_is_reported_though_it_is_allowed(deviation: float, *, reported: bool) -> None:
    made = Run()
    made.add(BASE, 1.0, deviation=1e-16)
    made.add(FAST, 1.0, deviation=deviation)
    analysed = made.analyse(CHAINS[:2])
    assert analysed is not None
    assert [each.what for each in analysed.porting] == ["less accurate"] * reported


def test_what_became_inexact_far_below_its_tolerance_is_not_reported() -> None:
    made = Run()
    made.add(BASE, 1.0, deviation=0.0)
    made.add(FAST, 1.0, deviation=1e-18)
    analysed = made.analyse(CHAINS[:2])
    assert analysed is not None
    assert analysed.porting == ()


def test_what_the_first_stack_fails_is_reported_and_has_no_ratio() -> None:
    made = Run()
    made.add(BASE, 1.0, deviation=2e-14, passed=False, state="failed")
    made.add(FAST, 0.5)
    analysed = made.analyse(CHAINS[:2])
    assert analysed is not None
    (only,) = analysed.fields
    assert (only.state, only.ratio, only.reason) == ("measured", None, f"wrong with {BASE}")
    assert [(each.toolchain, each.what) for each in analysed.porting] == [(BASE, "wrong")]
    assert next(each.text for each in make_toolchain_sentences(analysed)).startswith(
        "1 combination of program and toolchain fails verification, its times do not count: "
        f"{STREAM} with {BASE} (triad: "
    )


def test_what_does_not_compile_with_the_first_stack_is_reported() -> None:
    made = Run()
    made.add(FAST, 0.5)
    skipped = SkippedCase(
        setup=Setup(benchmark=STREAM, case="x", toolchain=BASE),
        reason="did not compile: no",
        failed=True,
    )
    analysed = made.analyse(CHAINS[:2], (skipped,))
    assert analysed is not None
    assert [each.reason for each in analysed.fields] == [f"not built with {BASE}"]
    assert [(each.toolchain, each.detail) for each in analysed.porting] == [(BASE, "no")]


def test_one_toolchain_has_its_porting(run: Run) -> None:
    analysed = run.analyse((chain(BASE, program_flags={STREAM: "-O1"}),))
    assert analysed is not None
    assert analysed.fields == ()
    assert [each.what for each in analysed.porting] == ["other flags"]
    assert [*make_toolchain_sentences(analysed)] == []


def test_map_and_porting_tell_the_same_worst_value() -> None:
    made = Run()
    made.add(BASE, 1.0)
    made.add(FAST, 1.0, deviation=2e-14, passed=False, state="failed")
    made.add(FAST, 1.0, deviation=3e-10, passed=False, state="failed")
    analysed = made.analyse(CHAINS[:2])
    assert analysed is not None
    (field,), (port,) = analysed.fields, analysed.porting
    assert (
        field.reason
        == port.detail
        == ("triad: largest relative deviation is 3e-10, 1e-14 is allowed")
    )


def test_only_toolchains_over_the_same_programs_are_ranked(run: Run) -> None:
    for other, seconds in ((BASE, 1.0), (ODD, 1.0)):
        run.add(other, seconds, "compute/peak", region="fma_double")
    texts = [each.text for each in make_toolchain_sentences(studied(run))]
    # FAST has one program of three.
    assert any(text.startswith("Over 3 programs, clang is 0.93 [") for text in texts)
    assert not any(text.startswith("Over 1 program") for text in texts)


def test_sentences_name_the_wrong_and_the_fastest(run: Run) -> None:
    texts = [each.text for each in make_toolchain_sentences(studied(run))]
    assert texts[0].startswith(
        "1 combination of program and toolchain fails verification, its times do not count: "
        "memory/gups with gnu+Ofast (triad: "
    )
    assert texts[1] == (
        "Over 1 program, gnu+Ofast is 2.00 [2.00, 2.00] times as fast as gnu in the geometric "
        "mean; clang is 0.80 [0.80, 0.80] times as fast."
    )
    assert texts[2].startswith(
        "The largest gain by a toolchain is that of memory/stream: with gnu+Ofast"
    )
    assert texts[3].startswith(
        "The largest loss by a toolchain is that of memory/stream: with clang it is 0.80 ["
    )


def test_of_two_that_gain_as_much_none_gains_most(run: Run) -> None:
    for other, seconds in ((BASE, 1.0), (FAST, 0.5)):
        run.add(other, seconds, "compute/peak", region="fma_double")
    texts = [each.text for each in make_toolchain_sentences(studied(run))]
    assert any(text.startswith("One of the largest gains by a toolchain is ") for text in texts)
    assert not any("The largest gain" in text for text in texts)
