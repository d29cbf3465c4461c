"""Every number that the page quotes is that of a row it names, and one row is quoted in one way."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from heorot.families import FAMILIES
from heorot.report.anchors import find_anchors
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.report.sections.scorecard import score_lines
from heorot.store.samples import read_samples
from tests.unit.analyse.builders import a_machine, a_result, a_step
from tests.unit.analyse.evaluations import an_evaluation
from tests.unit.analyse.quotes import astray, held
from tests.unit.analyse.synthesis import SOME_FAMILIES, Synthesis

if TYPE_CHECKING:
    from heorot.model.analysis.breakdown import Attribution
    from heorot.model.analysis.result import Result, Sentence
    from heorot.model.evaluation import Evaluation

RECORDED = Path(__file__).resolve().parents[2] / "samples/runs/twelve_launches.parquet"


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    run = Synthesis(n_samples=8, launch_noise=0.02, toolchains=("gnu-12", "gnu-13"))
    return an_evaluation(run.series, run.steps, SOME_FAMILIES, a_machine(run.n_cores))


@pytest.fixture(scope="module")
def recorded() -> Evaluation:
    """A whole first look at a real machine."""
    series = read_samples(RECORDED)
    steps = {
        one.step: a_step(
            id=one.step,
            benchmark=one.benchmark,
            case=one.case,
            launch=one.launch,
            ranks=one.ranks,
            threads=one.threads,
            options=one.options,
            toolchain=one.toolchain,
        )
        for one in series
    }
    return an_evaluation(series, list(steps.values()), FAMILIES, a_machine(2))


def said(evaluation: Evaluation) -> dict[str, list[Result]]:
    """What sentences and the score card say, with the rows that they name."""
    analysis = evaluation.analysis
    rows = {row.key: row for row in analysis.results}
    texts = {
        one.text: [rows[key] for key in one.evidence]
        for one in (*analysis.verdict, *analysis.sentences)
        if one.evidence
    }
    texts |= {one.text: [rows[key] for key in one.evidence] for one in analysis.attributions}
    for line in score_lines(analysis.scores, find_anchors(evaluation), {}):
        row, limited = line.score.result, line.score.limited
        share = f", {line.share}" if line.share else ""
        named = [row, limited] if limited else [row]
        named += [each for each in rows.values() if _tells_size(each, row)]
        ends = line.interval.strip("[]")
        told = f"[{ends}; {line.launches}]" if "…" not in ends else f"[{ends} in {line.launches}]"
        told = told.replace("range of ", "")
        texts[f"{line.score.label}: {line.value} {told}{share}"] = named
    return texts


def of_bounds(evaluation: Evaluation) -> dict[str, list[float]]:
    """What the tables of one node in depth have of the places that sentences name."""
    analysis = evaluation.analysis
    known: dict[str, list[float]] = {}
    for one in analysis.depth.places:
        numbers = [one.share_of_peak, one.bound / one.ceiling, one.intensity]
        roofs = analysis.depth.roofs_of(one.cores, one.toolchain)
        if roofs is not None and roofs.waiting is not None:
            numbers.append(one.rate.median / one.intensity / roofs.waiting.rate)
        known[one.key] = [*numbers, one.working_set_bytes or 0.0]
    for wall in analysis.depth.walls:
        known[wall.key] = [8.0 * wall.flops_per_byte.median]
    worst: dict[str, float] = {}
    for loss in analysis.depth.contentions:
        worst[loss.benchmark] = max(loss.lost.median, worst.get(loss.benchmark, -1.0))
        both = (loss.drawn, loss.part, loss.wait_alone, loss.wait, loss.clock_alone, loss.clock)
        known[loss.key] = [each for each in both if each is not None]
        known[loss.key] += [min(explained, loss.lost.median) for _, explained in loss.explains]
    middle = median([0.0, *worst.values()][1:] or [0.0])
    limits = [0.6, middle]  # from which share on a bound limits, and what programs lose
    said: tuple[Sentence | Attribution, ...]
    said = (*analysis.verdict, *analysis.sentences, *analysis.attributions)
    return {
        one.text: [*limits, *(number for key in one.evidence for number in known.get(key, ()))]
        for one in said
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
    """What cores read from memory, and what triad reaches there, is the value of one row each."""
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
    assert wrong.startswith(f"{row.key} is quoted as 15.0 GB/s")
