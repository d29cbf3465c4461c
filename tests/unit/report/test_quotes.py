"""Every number that the page quotes is that of a row it names, and one row is quoted in one way."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from heorot.analyse.templates.briefs import is_brief
from heorot.analyse.verdict import MOST_SENTENCES
from heorot.model.analysis.node_roofline.levels import SHARE_OF_ROOFLINE
from heorot.report.anchors import find_anchors
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.report.sections.scorecard import score_lines
from heorot.store.samples import read_samples
from tests.unit.analyse.builders import a_machine, a_result
from tests.unit.analyse.evaluations import an_evaluation
from tests.unit.analyse.quotes import Numbers, astray, held, unfounded
from tests.unit.analyse.synthesis import SOME_FAMILIES, Synthesis
from tests.unit.report.recorded import MEDIANS, RECORDED, evaluate

if TYPE_CHECKING:
    from heorot.model.analysis.breakdown import Attribution
    from heorot.model.analysis.result import Result, Sentence
    from heorot.model.evaluation import Evaluation
    from heorot.model.run.series import Series


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    run = Synthesis(n_samples=8, launch_noise=0.02, toolchains=("gnu-12", "gnu-13"))
    return an_evaluation(run.series, run.steps, SOME_FAMILIES, a_machine(run.n_cores))


@pytest.fixture(scope="module")
def recorded() -> Evaluation:
    """A whole first look at a real machine."""
    return evaluate(read_samples(RECORDED))


@pytest.fixture(scope="module")
def quick() -> Evaluation:
    """A quick look at another one, of which the median of each launch is known."""
    return evaluate(read_samples(MEDIANS))


@pytest.fixture(scope="module")
def unsteady() -> Evaluation:
    """The same with launches that differ so much that hardly any ratio is certainly above one."""
    random = np.random.default_rng(28)
    return evaluate([slowed(one, random.lognormal(0.0, 0.7)) for one in read_samples(MEDIANS)])


@pytest.fixture(scope="module")
def crowded() -> Evaluation:
    """The same where programs gain little by a second core, and communicate half of the time."""
    return evaluate([divided(one) if one.cores > 1 else one for one in read_samples(MEDIANS)])


def slowed(one: Series, factor: float) -> Series:
    """A series with times multiplied by a factor."""
    return replace(one, seconds=factor * one.seconds)


def divided(one: Series) -> Series:
    """A series that communicates as long as it computes."""
    phases = [
        phase.model_copy(update={"communication_seconds": phase.computation_seconds})
        for phase in one.phases
    ]
    return replace(slowed(one, 1.8), phases=tuple(phases))


def said(evaluation: Evaluation) -> dict[str, list[Result]]:
    """Texts of sentences and score card, with the rows that they name."""
    analysis = evaluation.analysis
    rows = {row.id: row for row in analysis.results}
    texts = {
        one.text: [rows[key] for key in one.evidence]
        for one in (*analysis.verdict, *analysis.sentences)
        if one.evidence
    }
    texts |= {one.text: [rows[key] for key in one.evidence] for one in analysis.attributions}
    texts |= {
        bare(one.brief): [rows[key] for key in one.evidence]
        for one in analysis.verdict
        if one.evidence
    }
    for line in score_lines(analysis.scores, find_anchors(evaluation), {}):
        row, limited = line.score.result, line.score.limited
        share = f", {line.share}" if line.share else ""
        named = [row, limited] if limited else [row]
        named += [each for each in rows.values() if _tells_size(each, row)]
        # The share of a roofline is a row of its own.
        named += [
            each
            for each in rows.values()
            if each.metric == SHARE_OF_ROOFLINE
            and (each.benchmark, each.region) == (row.benchmark, row.region)
            and each.median == pytest.approx(line.score.share)
        ]
        texts[f"{line.score.label}: {line.value} {line.interval}{share}"] = named
    return texts


def bare(brief: str) -> str:
    """A brief without uncertainties."""
    return re.sub(r" ±[\d.]+ %", "", brief)


def sentences_of(evaluation: Evaluation) -> list[str]:
    """All sentences about a run."""
    analysis = evaluation.analysis
    texts = [one.text for one in (*analysis.verdict, *analysis.sentences)]
    return [*texts, *(one.text for one in analysis.attributions)]


def of_bounds(evaluation: Evaluation) -> dict[str, list[Numbers]]:
    """Numbers of the node's tables for the rows that sentences name."""
    analysis = evaluation.analysis
    known: dict[str, list[Numbers]] = {}
    for one in analysis.depth.points:
        ends = one.rate.median, one.rate.low, one.rate.high
        of_peak = tuple(each / one.flop_peak for each in ends)
        known[one.row] = [of_peak, one.intensity, one.working_set_bytes or 0.0]
    for balance in analysis.depth.balances:
        middle = balance.flops_per_byte
        known[balance.row] = [(8.0 * middle.median, 8.0 * middle.low, 8.0 * middle.high)]
    for loss in analysis.depth.contentions:
        both = (loss.consumed, loss.part, loss.wait_alone, loss.wait, loss.clock_alone, loss.clock)
        known[loss.row] = [each for each in both if each is not None]
    limits = [0.6]  # from which share on a bound limits
    said: tuple[Sentence | Attribution, ...]
    said = (*analysis.verdict, *analysis.sentences, *analysis.attributions)
    return {
        text: [*limits, *(number for key in one.evidence for number in known.get(key, ()))]
        for one in said
        for text in (one.text, bare(one.brief))
        if any(key in known for key in one.evidence)
    }


def test_quotes_are_those_of_the_tables(evaluation: Evaluation) -> None:
    texts = said(evaluation)
    assert len(texts) > len(evaluation.analysis.scores) > 0
    assert any(one.family == "depth" for one in evaluation.analysis.sentences)
    assert held(texts, of_bounds(evaluation)) == []


def _tells_size(each: Result, row: Result) -> bool:
    """Whether a row has the working set of a headline that is without: measured, or derived."""
    same = (each.benchmark, each.case, each.region) == (row.benchmark, row.case, row.region)
    return same and (each.metric == "working_set" or (row.derived and each.median == row.median))


@pytest.mark.slow
def test_quotes_on_a_real_run_are_those_of_its_tables(recorded: Evaluation) -> None:
    texts = said(recorded)
    assert len(texts) > len(recorded.analysis.scores) > 5
    assert held(texts, of_bounds(recorded)) == []


@pytest.mark.slow
@pytest.mark.parametrize("run", ["quick", "unsteady", "crowded"])
def test_quotes_of_what_programs_lose_are_those_of_tables(
    run: str, request: pytest.FixtureRequest
) -> None:
    evaluation = request.getfixturevalue(run)
    assert held(said(evaluation), of_bounds(evaluation)) == []


@pytest.mark.slow
def test_programs_lose_to_what_their_sentences_name(crowded: Evaluation) -> None:
    """So that the quotes of all reasons are among those looked at."""
    (cores,) = crowded.analysis.answers
    assert any("communication takes" in claim.text for claim in cores.sentences)
    # Some of them are too small to judge by.
    texts = [one.text for one in crowded.analysis.sentences]
    assert all(claim.text in texts for claim in cores.sentences)


@pytest.mark.slow
@pytest.mark.parametrize("run", ["evaluation", "recorded", "quick", "unsteady", "crowded"])
def test_no_sentence_claims_what_its_interval_does_not(
    run: str, request: pytest.FixtureRequest
) -> None:
    evaluation = request.getfixturevalue(run)
    texts = sentences_of(evaluation)
    texts += [one.text for one in evaluation.analysis.findings]
    assert [(each, text) for text in texts for each in unfounded(text)] == []


@pytest.mark.slow
@pytest.mark.parametrize("run", ["evaluation", "recorded", "quick", "unsteady", "crowded"])
def test_a_verdict_is_seven_sentences_of_few_words_and_two_numbers(
    run: str, request: pytest.FixtureRequest
) -> None:
    verdict = request.getfixturevalue(run).analysis.verdict
    assert 3 <= len(verdict) <= MOST_SENTENCES
    assert [one.text for one in verdict if not one.brief or not is_brief(one.brief)] == []
    assert [one.brief for one in verdict if "[" in one.brief or "unknown" in one.brief] == []
    assert {one.kind for one in verdict} >= {"run/trust"}


@pytest.mark.slow
def test_what_may_be_no_difference_is_said_to_be_none(unsteady: Evaluation) -> None:
    texts = sentences_of(unsteady)
    # Most sentences give the values of both: these are the ratios that are left.
    assert sum("(no difference that " in text for text in texts) > 3


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It is 1.02 [0.97, 1.08; 5 launches] times as fast.", 1),
        ("It is 0.98 [0.86…1.15 in 3 launches] (wide range) times as fast.", 1),
        ("It is 1.02 [1.01, 1.03; 5 launches] times as fast, at 15 GB/s [0.9, 20; 5 launches].", 0),
        ("It is 2.00 [1 launch] times as fast.", 0),
        ("It loses 3.6 % [-0.4, 8.2; 5 launches] of it.", 1),
        ("It loses 3.6 % [0.4, 8.2; 5 launches] of it, 20 % of the time.", 0),
        ("It solves at 198 % [196, 204; 5 launches] of the rate of axpy.", 1),
        ("It is as fast (no difference that 5 launches can show), 104 % of it.", 0),
    ],
)
def test_claims_without_ground_are_found(text: str, wrong: int) -> None:
    assert len(unfounded(text)) == wrong


@pytest.mark.slow
def test_captions_quote_rows_that_they_name(recorded: Evaluation) -> None:
    rows = [row for row in recorded.analysis.results if row.ranked]
    captions = []
    for benchmark in recorded.benchmarks:
        own = [row for row in rows if row.benchmark == benchmark.name]
        for figure in benchmark.figures:
            drawing = draw(figure, Material(own), "f") if own else None
            if drawing is not None:
                of = [row for row in own if row.metric == figure.metric or not figure.metric]
                captions.append(drawing.summary)
                highest = drawing.summary.partition("ighest ")[2]
                assert astray(highest, of, ratios=False) == [], drawing.summary
    assert len(captions) > 5


def test_one_quantity_has_one_value(evaluation: Evaluation) -> None:
    """Memory read bandwidth, and that of triad, is the value of one row each."""
    quoted = {
        (row.region, row.cores)
        for text, rows in said(evaluation).items()
        for row in rows
        if "from memory" in text and row.unit == "B/s"
    }
    assert quoted <= {("triad", 1), ("triad", 2), ("read", 2)}
    balances = [one.text for one in evaluation.analysis.verdict if "flops" in one.text]
    assert len(balances) <= 1


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It reaches 15.0 GB/s [14.8, 15.2; 5 launches].", []),
        ("It reaches 15.0 GB/s [14.8…15.2 in 3 launches].", []),
        ("It reaches 15 GB/s.", []),
        ("It reaches 15.1 GB/s.", ["15.1 GB/s"]),
        ("It reaches 15.0 GB/s [14.8, 15.4; 5 launches].", ["15.0 GB/s [14.8, 15.4; 5 launches]"]),
        ("It reaches 15.0 MB/s.", ["15.0 MB/s"]),
        ("It is 3.00 times 5.00 GB/s, 60.0 % of what limits it, over 64 MiB.", []),
        ("It is 3.10 times 5.00 GB/s, 61.0 % of what limits it.", ["3.10 times", "61.0 %"]),
        ("It goes over 32 MiB.", ["32 MiB"]),
        ("On 2 cores a matrix of 1600 rows.", ["1600 rows"]),
    ],
)
def test_a_number_that_no_row_has_is_found(text: str, wrong: list[str]) -> None:
    point: dict[str, int | float | str] = {"working_set_bytes": 64 << 20}
    rows = [a_result(median=15e9, share_of_ceiling=0.6, point=point), a_result(median=5e9)]
    assert held({text: rows}) == [f"{number} in: {text}" for number in wrong]


def test_two_quotes_of_a_row_agree() -> None:
    row = a_result(median=15e9)
    same = {"A: 15.0 GB/s [14.8, 15.2; 5 launches]": [row]}
    other = {"B: 15 GB/s [15, 15; 5 launches]": [row]}
    assert held(same) == []
    (wrong,) = held(same | other)
    assert wrong.startswith(f"{row.id} is quoted as 15.0 GB/s")
