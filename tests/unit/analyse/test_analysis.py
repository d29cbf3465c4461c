"""The whole analysis: order, evidence, headlines, refusals, and how long a million samples take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from heorot.analyse.analysis import analyse
from heorot.model.analysis.result import Analysis, Finding, Sentence
from heorot.model.catalogue.family import Family, FamilyAnalysis
from heorot.model.catalogue.metrics import Ceiling, Reference
from heorot.model.run.outcome import Outcome
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_benchmark, a_machine, a_series, a_step
from tests.unit.analyse.evaluations import a_collection
from tests.unit.analyse.synthesis import SOME_BENCHMARKS, SOME_FAMILIES, Synthesis
from tests.unit.model.keys import but
from tests.yardstick import processor_time

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result


def analysed(run: Synthesis, series: Sequence[Series] | None = None, **changes: object) -> Analysis:
    fields: dict[str, Any] = {
        "collected": a_collection(run.series if series is None else series, run.outcomes),
        "steps": run.steps,
        "families": SOME_FAMILIES,
        "machine": a_machine(),
    }
    return analyse(**(fields | changes), run="night", seed=1)


@pytest.mark.slow
def test_keys_are_unique_and_evidence_exists() -> None:
    analysis = analysed(Synthesis(n_samples=5, toolchains=("gnu-12+a", "gnu-12+b")))
    keys = [row.id for row in analysis.results]
    assert len(set(keys)) == len(keys)
    known = {*keys, *(f"S{n:04d}" for n in range(100))}
    assert all(set(finding.evidence) <= known for finding in analysis.findings)
    assert {row.run for row in analysis.results} == {"night"}
    assert {row.system for row in analysis.results} == {"here"}


def test_rows_are_in_the_order_of_the_catalogue_however_steps_ran() -> None:
    run = Synthesis(n_samples=5)
    shuffled = list(run.series)
    np.random.default_rng(1).shuffle(shuffled)
    shuffled.sort(key=lambda one: -int(one.step[1:]))
    rows = [row for row in analysed(run, series=shuffled).results if not row.derived]
    programs = list(dict.fromkeys(row.benchmark for row in rows))
    assert programs == [benchmark.name for benchmark in SOME_BENCHMARKS]
    cores = [row.cores for row in rows if row.benchmark == "memory/stream"]
    assert cores == sorted(cores)


def test_every_number_is_finite_and_inside_its_interval() -> None:
    for row in analysed(Synthesis(n_samples=7)).results:
        assert np.isfinite([row.median, row.ci_low, row.ci_high, row.min, row.max]).all()
        assert row.ci_low <= row.median <= row.ci_high


def test_the_same_seed_gives_the_same_analysis() -> None:
    run = Synthesis(n_samples=6, octave=0.5)
    assert analysed(run) == analysed(run)


def test_headlines() -> None:
    analysis = analysed(Synthesis())
    scores = {score.label: score for score in analysis.scores}
    assert list(scores) == [
        "FMA peak, double precision",
        "Core clock",
        "DAXPY, fastest, 32 KiB from L1",
        "DAXPY, longest vectors, 128 MiB from memory",
        "STREAM Triad, 366 MiB from memory",
        "Read bandwidth, 122 MiB from memory",
        "Message latency, 8 B",
        "Message bandwidth, 4 MiB",
        "NPB EP, time",
    ]
    assert scores["Core clock"].result.region == "clock_multiply"
    assert scores["STREAM Triad, 366 MiB from memory"].result.cores == 2
    # The processor is unknown: so is the peak of its FMA pipes.
    assert scores["FMA peak, double precision"].ceiling == ""
    # Several operations have as many operands per cycle: one of them is the bound of others.
    assert scores["DAXPY, fastest, 32 KiB from L1"].ceiling in {
        "is itself the best measured",
        "computational intensity x the best operand rate from L1d",
    }
    assert "one bandwidth" in scores["STREAM Triad, 366 MiB from memory"].ceiling
    assert "FMA peak" in scores["DAXPY, longest vectors, 128 MiB from memory"].ceiling


def test_a_headline_that_was_not_measured_leaves_its_place() -> None:
    run = Synthesis(n_samples=5)
    series = [one for one in run.series if one.region != "clock_multiply"]
    scores = {score.label: score for score in analysed(run, series=series).scores}
    assert scores["Core clock"].result.region == "clock_add"


def test_a_failed_verification_is_kept_but_not_ranked() -> None:
    run = Synthesis(n_samples=5)
    series = [
        replace(one, verified="failed") if one.benchmark == "memory/stream" else one
        for one in run.series
    ]
    analysis = analysed(run, series=series)
    rows = [row for row in analysis.results if row.benchmark == "memory/stream"]
    assert rows
    assert {row.verified for row in rows} == {"failed"}
    assert not any(score.result.benchmark == "memory/stream" for score in analysis.scores)
    assert not any("STREAM Triad" in sentence.text for sentence in analysis.verdict)


def test_an_inter_node_figure_taken_inside_one_node_is_refused() -> None:
    run = Synthesis(n_samples=5)
    steps = [
        but(step, nodes=2, per_node=1) if step.benchmark == "messages/pingpong" else step
        for step in run.steps
    ]
    analysis = analysed(run, steps=steps)
    rows = [row for row in analysis.results if row.benchmark == "messages/pingpong"]
    assert {row.verified for row in rows} == {"failed"}
    found = [finding for finding in analysis.findings if "ran on 1 of 2 nodes" in finding.text]
    assert len(found) == run.n_launches
    assert {finding.severity for finding in found} == {"error"}


def test_a_ping_pong_that_does_nothing_disagrees_with_the_broadcast() -> None:
    run = Synthesis(n_samples=5)
    for one in run.series:
        if one.region == "pingpong":
            one.seconds[:] /= 10.0
    analysis = analysed(run)
    assert any("latency of 8 bytes" in finding.text for finding in analysis.findings)


def two_families() -> list[Family]:
    """The first publishes a rate and refuses what was hoisted; the second derives and counts."""

    def refuse(context: Context) -> list[Result]:
        hoisted = [row for row in context.rows if row.region == "hoisted"]
        return [row.model_copy(update={"plausible": False}) for row in hoisted]

    def double(context: Context) -> list[Result]:
        found = context.references.find("top")
        return [row.model_copy(update={"metric": "double", "derived": True}) for row in found]

    def count(context: Context) -> list[Sentence]:
        n_doubles = sum(row.metric == "double" for row in context.rows)
        return [Sentence(text=f"There are {n_doubles}.")]

    def complain(context: Context) -> list[Finding]:
        doubles = [row for row in context.rows if row.metric == "double"]
        return [Finding(text="one row is doubled", severity="note")] * len(doubles)

    top = Reference(name="top", metric="rate", regions=("sound", "hoisted"))
    limit = Ceiling(metric="rate", by="top", reason="nothing exceeds the top")
    first = a_benchmark("one/first", publishes=(top,))
    second = a_benchmark("two/second", ceilings=(limit,))
    return [
        Family(
            name="one", title="1", about="one", benchmarks=(first,),
            analysis=lambda: FamilyAnalysis(judge=(refuse,)),
        ),
        Family(
            name="two", title="2", about="two", benchmarks=(second,),
            analysis=lambda: FamilyAnalysis(
                explain=(double,), find=(complain,), sentences=(count,)
            ),
        ),
    ]  # fmt: skip


def test_families_have_their_turns() -> None:
    series = [
        a_series(benchmark=name, region=region, counts={"operations": amount})
        for name, region, amount in (
            ("two/second", "main", 50.0),
            ("one/first", "hoisted", 1e6),
            ("one/first", "sound", 100.0),
        )
    ]
    analysis = analyse(a_collection(series, []), [], two_families(), a_machine(), run="r", seed=1)
    rows = {(row.region, row.metric): row for row in analysis.results}
    assert list(rows) == [
        ("hoisted", "rate"),
        ("sound", "rate"),
        ("main", "rate"),
        ("sound", "double"),
    ]
    assert rows["hoisted", "rate"].plausible is False
    # A refused row does not bound others.
    assert rows["main", "rate"].share_of_ceiling == pytest.approx(0.5)
    assert "one row is doubled" in [finding.text for finding in analysis.findings]
    # Failures come first.
    assert [(each.family, each.text) for each in analysis.verdict[:2]] == [
        ("", "1 error must be resolved first."),
        ("two", "There are 1."),
    ]


def test_an_empty_run() -> None:
    collected = a_collection([], [])
    analysis = analyse(collected, [], SOME_FAMILIES, a_machine(), run="r", seed=1)
    assert analysis.results == ()
    assert len(analysis.verdict) == 1


def test_outcomes_without_records() -> None:
    steps = [a_step()]
    outcomes = [Outcome(step="S0001", state="lost", reason="never started")]
    analysis = analyse(
        a_collection([], outcomes), steps, SOME_FAMILIES, a_machine(), run="r", seed=1
    )
    assert [finding.severity for finding in analysis.findings] == ["error"]


@pytest.mark.parametrize("n_launches", [1, 2])
def test_few_launches_and_samples(n_launches: int) -> None:
    analysis = analysed(Synthesis(n_launches=n_launches, n_samples=1, octave=0.5))
    assert {score.label for score in analysis.scores} >= {"NPB EP, time", "Core clock"}
    assert any("fewer than 5 launches" in finding.text for finding in analysis.findings)


@pytest.mark.timed
def test_a_million_samples_take_less_than_three_seconds_of_processor_time() -> None:
    access = ("contiguous", "stride3", "stride4", "indirect")
    run = Synthesis(n_samples=138, octave=2.0, access=access)
    assert sum(one.seconds.size for one in run.series) >= 1_000_000
    with processor_time(2.5):
        analysis = analysed(run)
    assert len(analysis.results) > 5_000
