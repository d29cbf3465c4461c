"""Whole synthetic runs: good and impossible results, comparisons, sentences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from heorot.analyse.analysis import analyse
from heorot.analyse.templates.briefs import is_brief
from heorot.analyse.verdict import MOST_SENTENCES
from heorot.model.run.outcome import Outcome
from tests.unit.analyse.builders import a_machine, a_step
from tests.unit.analyse.evaluations import a_collection
from tests.unit.analyse.synthesis import SOME_BENCHMARKS, SOME_FAMILIES, Synthesis

if TYPE_CHECKING:
    from heorot.model.analysis.result import Analysis


def analysed(run: Synthesis, only: str = "") -> Analysis:
    steps = [step for step in run.steps if only in step.benchmark]
    ids = {step.id for step in steps}
    outcomes = [outcome for outcome in run.outcomes if outcome.step in ids]
    series = [one for one in run.series if one.step in ids]
    machine = a_machine(run.n_cores)
    collected = a_collection(series, outcomes)
    return analyse(collected, steps, SOME_FAMILIES, machine, run="r", seed=1)


def test_nothing_on_a_healthy_machine_is_implausible() -> None:
    analysis = analysed(Synthesis(n_samples=12, launch_noise=0.02, sample_noise=0.03))
    assert [row.id for row in analysis.results if row.plausible is False] == []
    judged = {row.benchmark for row in analysis.results if row.plausible is True}
    assert judged == {benchmark.name for benchmark in SOME_BENCHMARKS}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("benchmark", "region"),
    [
        ("compute/peak", "fma_double"),
        ("compute/peak", "clock_multiply"),
        ("compute/vector_kernels", "axpy"),
        ("compute/vector_kernels", "divide"),
        ("compute/vector_kernels", "broadcast"),
        ("memory/stream", "triad"),
    ],
)
def test_a_hoisted_loop_is_found(benchmark: str, region: str) -> None:
    run = Synthesis(n_samples=8, n_launches=2)
    for one in run.series:
        if (one.benchmark, one.region) == (benchmark, region):
            one.seconds[:] /= 10.0
    analysis = analysed(run)
    impossible = {(r.benchmark, r.region) for r in analysis.results if r.plausible is False}
    assert impossible == {(benchmark, region)}
    errors = [finding for finding in analysis.findings if finding.severity == "error"]
    assert errors
    assert all("withheld" in finding.text for finding in errors)


@pytest.mark.slow
def test_all_that_was_measured_in_two_ways_is_compared() -> None:
    analysis = analysed(Synthesis(n_samples=8))
    assert [check.quantity for check in analysis.cross_checks] == [
        "time spent sampling",
        "core clock",
        "core clock",
        *(f"memory bandwidth of one core ({each})" for each in ("copy", "add", "triad")),
        "latency of 8 bytes",
        "EP class A on 2 cores",
    ]
    assert all(check.agrees for check in analysis.cross_checks)


def text_of(analysis: Analysis) -> str:
    return " ".join(one.text for one in (*analysis.verdict, *analysis.sentences))


def assert_well_written(analysis: Analysis) -> None:
    keys = {row.id for row in analysis.results}
    for sentence in (*analysis.verdict, *analysis.sentences):
        assert re.fullmatch(r"[A-Z0-9].*\.", sentence.text), sentence.text
        assert "  " not in sentence.text
        assert not re.search(r"\b1 (cores|steps|checks|results)\b", sentence.text), sentence.text
        assert "nan" not in sentence.text
        assert "class  " not in sentence.text
        assert set(sentence.evidence) <= keys
        assert len(set(sentence.evidence)) == len(sentence.evidence)
        assert 0.0 <= sentence.weight <= 1.0


@pytest.mark.slow
def test_the_verdict_on_a_whole_run() -> None:
    analysis = analysed(Synthesis())
    assert 5 <= len(analysis.verdict) <= MOST_SENTENCES
    assert all(one.brief and is_brief(one.brief) for one in analysis.verdict)
    assert_well_written(analysis)
    text = text_of(analysis)
    for words in (
        "in double precision. That is 31",
        "at the measured clock of",
        "FMA peak of 2 cores",
        "STREAM Triad reaches",
        ". L1d ends between 32 KiB and 64 KiB",
        "Machine balance of 2 cores",
        "Latency of 8 B messages inside a node: 30",
        "checks passed, all",
        "completed; nothing was perturbed.",
    ):
        assert words in text, words
    intervals = [
        sentence for sentence in analysis.verdict if re.search(r"\[.+(, |…).+\]", sentence.text)
    ]
    assert len(intervals) >= 5
    assert all(" ±" in sentence.brief for sentence in intervals)
    assert all(sentence.evidence for sentence in intervals)


@pytest.mark.slow
def test_classes_for_trying_are_no_verdict() -> None:
    analysis = analysed(Synthesis(npb_class="W"))
    assert "class W" not in " ".join(one.text for one in analysis.verdict)
    (small,) = [one.text for one in analysis.sentences if "class W" in one.text]
    assert small.startswith("NPB EP class W generates random numbers at")
    assert small.endswith("(class W is too small to judge).")


@pytest.mark.slow
def test_sentences_bear_the_names_of_their_families() -> None:
    analysis = analysed(Synthesis(n_samples=8, toolchains=("gnu-12+a", "gnu-12+b")))
    assert_well_written(analysis)
    spoken = [each.family for each in (*analysis.verdict, *analysis.sentences) if each.family]
    assert set(spoken) == {"depth", *(family.name for family in SOME_FAMILIES)}
    for sentence in analysis.verdict:
        # Limits on a node are reported for the programs of all families.
        if sentence.family not in {"", "depth"} and sentence.evidence:
            assert sentence.evidence[0].startswith(f"{sentence.family}/")


def test_one_core_without_messages() -> None:
    analysis = analysed(Synthesis(n_cores=1, toolchains=("gnu-12",)))
    assert 5 <= len(analysis.verdict) <= MOST_SENTENCES
    assert all(one.brief and is_brief(one.brief) for one in analysis.verdict)
    assert_well_written(analysis)
    text = text_of(analysis)
    assert " on one core over " in text
    assert "message" not in text
    assert "FMA peak of 2 cores" not in text
    assert "efficiency" not in text


@pytest.mark.parametrize(
    ("only", "words"),
    [
        ("compute/peak", "FMA peak of one core"),
        ("compute/vector_kernels", "DAXPY on one core"),
        ("memory/stream", "STREAM Triad reaches"),
        ("messages/pingpong", "Latency of 8 B messages"),
    ],
)
def test_one_program_alone(only: str, words: str) -> None:
    analysis = analysed(Synthesis(n_launches=2, n_samples=10), only)
    assert_well_written(analysis)
    assert words in text_of(analysis)
    assert "launches completed" in analysis.verdict[-1].text


def test_nothing_but_failures() -> None:
    steps = [a_step(id="S0001"), a_step(id="S0002", launch=2)]
    outcomes = [Outcome(step=step.id, state="failed", reason="signal 11") for step in steps]
    analysis = analyse(
        a_collection([], outcomes), steps, SOME_FAMILIES, a_machine(), run="r", seed=1
    )
    sentence, resolve = analysis.verdict
    assert sentence.brief == "2 launches did not complete."
    assert resolve.brief == "1 error must be resolved first."
    assert sentence.text == (
        "There was no check, 0 of 2 launches completed; nothing was perturbed; "
        "1 error must be resolved first."
    )
    assert analysis.results == ()
    assert analysis.scores == ()
    assert analysis.sentences == ()
