"""The verdict on all kinds of runs: plain sentences with numbers and intervals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from heorot.analyse.analysis import analyse
from heorot.analyse.rows import Rows
from heorot.analyse.verdict import make_verdict
from heorot.model.analysis.result import Analysis, CrossCheck, Finding, Result, Sentence
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import CheckLine

if TYPE_CHECKING:
    from tests.unit.analyse.conftest import Kit

    from tests.unit.analyse.synthesis import Synthesis


def analysed(kit: Kit, run: Synthesis, only: str = "") -> Analysis:
    steps = [step for step in run.steps if only in step.benchmark]
    ids = {step.id for step in steps}
    outcomes = [outcome for outcome in run.outcomes if outcome.step in ids]
    series = [one for one in run.series if one.step in ids]
    machine = kit.machine(run.n_cores)
    return analyse(series, outcomes, steps, kit.benchmarks, machine, run="r", seed=1)


def text_of(sentences: Sequence[Sentence]) -> str:
    return " ".join(sentence.text for sentence in sentences)


def assert_well_written(analysis: Analysis) -> None:
    keys = {row.key for row in analysis.results}
    for sentence in analysis.verdict:
        assert re.fullmatch(r"[A-Z0-9].*\.", sentence.text), sentence.text
        assert "  " not in sentence.text
        assert not re.search(r"\b1 (cores|steps|checks|results)\b", sentence.text), sentence.text
        assert "nan" not in sentence.text
        assert "class  " not in sentence.text
        assert set(sentence.evidence) <= keys
        assert len(set(sentence.evidence)) == len(sentence.evidence)


def test_a_whole_run(kit: Kit) -> None:
    analysis = analysed(kit, kit.run())
    assert 5 <= len(analysis.verdict) <= 10
    assert_well_written(analysis)
    text = text_of(analysis.verdict)
    for words in (
        "in double precision: 31",
        "of what its units can do at that clock",
        "2 cores together compute",
        "byte per flop of peak",
        "times slower; the fast cache ends between 32 KiB and 64 KiB",
        "To start axpy costs",
        "A message of 8 B inside a node takes 30",
        "NPB EP class W runs at",
        "with a parallel efficiency of",
        "agrees (7 pairs)",
        "checks passed, all",
        "no result was disturbed.",
    ):
        assert words in text, words
    intervals = [
        sentence for sentence in analysis.verdict if re.search(r"\[.+, .+\]", sentence.text)
    ]
    assert len(intervals) >= 6
    assert all(sentence.evidence for sentence in intervals)


def test_one_core_without_messages(kit: Kit) -> None:
    analysis = analysed(kit, kit.run(n_cores=1, toolchains=("gnu-12",)))
    assert 5 <= len(analysis.verdict) <= 10
    assert_well_written(analysis)
    text = text_of(analysis.verdict)
    assert "Memory feeds one core" in text
    assert "message" not in text
    assert "cores together" not in text
    assert "efficiency" not in text


@pytest.mark.parametrize(
    ("only", "words"),
    [
        ("compute/peak", "One core computes"),
        ("compute/vector_kernels", "from the first-level"),
        ("memory/stream", "Memory feeds 2 cores"),
        ("messages/pingpong", "A message of 8 B"),
        ("npb/ep", "NPB EP class W"),
    ],
)
def test_one_program_alone(kit: Kit, only: str, words: str) -> None:
    analysis = analysed(kit, kit.run(n_launches=2, n_samples=10), only)
    assert_well_written(analysis)
    words = words if only != "compute/vector_kernels" else "Vectors in the first-level cache"
    assert words in text_of(analysis.verdict)
    assert "steps completed" in analysis.verdict[-1].text


def test_nothing_but_failures(kit: Kit) -> None:
    steps = [kit.step(id="S0001"), kit.step(id="S0002", launch=2)]
    outcomes = [Outcome(step=step.id, state="failed", reason="signal 11") for step in steps]
    machine = kit.machine()
    analysis = analyse([], outcomes, steps, kit.benchmarks, machine, run="r", seed=1)
    (sentence,) = analysis.verdict
    assert sentence.text == (
        "There was no check, 0 of 2 steps completed, no result was disturbed; "
        "1 error must be settled first."
    )
    assert analysis.results == ()
    assert analysis.scores == ()


def test_failed_checks_and_errors_are_counted() -> None:
    def outcome(*passed: bool) -> Outcome:
        checks = tuple(
            CheckLine(type="check", name="c", value=1.0, tolerance=0.0, passed=ok) for ok in passed
        )
        return Outcome(step="S0001", state="completed", checks=checks)

    error = Finding(observation="x", severity="error")
    (sentence,) = make_verdict(Rows(), [outcome(True, False, True)], [error, error], [])
    assert sentence.text.startswith("2 of 3 checks passed, the only step completed")
    assert "2 errors must be settled first" in sentence.text
    (sentence,) = make_verdict(Rows(), [outcome(False)], [], [])
    assert sentence.text.startswith("The only check has not passed")


def test_disagreement_is_named() -> None:
    def check(quantity: str, ratio: float) -> CrossCheck:
        return CrossCheck(
            quantity=quantity,
            first_name="a",
            first=1.0,
            second_name="b",
            second=ratio,
            unit="s",
            ratio=ratio,
            allowed=1.1,
        )

    checks = [check("core clock", 1.0), check("latency", 2.0)]
    sentence = make_verdict(Rows(), [], [], checks)[0]
    assert sentence.text == "Of 2 pairs of numbers that ought to agree, 1 does not: latency."
    assert make_verdict(Rows(), [], [], checks[:1])[0].text.endswith("agrees (one pair).")


def test_the_slow_toolchain_is_named(kit: Kit) -> None:
    def latency(chain: str, median: float) -> Result:
        return kit.result(
            benchmark="messages/pingpong",
            region="pingpong",
            metric="latency",
            unit="s",
            better="lower",
            point={"bytes": 8},
            median=median,
            toolchain=chain,
        )

    rows = Rows([latency("gnu-12+mpich-5", 9e-7), latency("gnu-12+openmpi-5", 3e-7)])
    text = text_of(make_verdict(rows, [], [], []))
    assert "takes 300 ns [297, 303] with gnu-12+openmpi-5" in text
    assert "takes 3.0 times as long with gnu-12+mpich-5" in text
    same = Rows([latency("a", 3.0e-7), latency("b", 3.01e-7)])
    assert "toolchain matters" not in text_of(make_verdict(same, [], [], []))


def test_a_message_between_nodes_is_called_one(kit: Kit) -> None:
    row = kit.result(
        benchmark="messages/pingpong",
        region="pingpong",
        metric="latency",
        unit="s",
        better="lower",
        point={"bytes": 8},
        median=2e-6,
        nodes=2,
    )
    assert "between two nodes" in make_verdict(Rows([row]), [], [], [])[0].text


def test_disturbed_numbers_say_so(kit: Kit) -> None:
    text = text_of(make_verdict(Rows([kit.result(disturbed=True)]), [], [], []))
    assert "(disturbed) in triad" in text
    assert "1 of 1 results rest on disturbed samples" in text


def test_the_largest_class_speaks_for_ep(kit: Kit) -> None:
    def ep(size: str, **changes: object) -> Result:
        fields = {"benchmark": "npb/ep", "region": "ep", "metric": "operation_rate", "unit": "op/s"}
        return kit.result(**fields, case=f"{size}_x", point={"class": size}, **changes)

    rows = Rows([ep("A", median=2e8), ep("S", median=9e8), ep("W", median=8e8)])
    assert "NPB EP class A runs at 200 Mop/s" in text_of(make_verdict(rows, [], [], []))


def test_refused_numbers_are_not_quoted(kit: Kit) -> None:
    rows = Rows([kit.result(verified="failed"), kit.result(plausible=False)])
    assert len(make_verdict(rows, [], [], [])) == 1
