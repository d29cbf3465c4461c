"""The first screen: its figures of a machine, and its lines about trust and gaps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import Finding
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import find_anchors
from heorot.report.page import format_report, format_summary
from heorot.report.screens.summary import LEAST_TILES, MOST_TILES, Summary, summarise
from heorot.report.sections.scorecard import ScoreLine, score_lines
from heorot.store.samples import read_samples
from tests.unit.report.many_programs import make_cluster_evaluation
from tests.unit.report.recorded import MEDIANS, evaluate
from tests.unit.report.samples import MACHINE_ROWS, make_evaluation


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return make_evaluation(2)


def lines_of(evaluation: Evaluation) -> list[ScoreLine]:
    return score_lines(evaluation.analysis.scores, find_anchors(evaluation), evaluation.headers)


def summary_of(evaluation: Evaluation, **changes: Any) -> Summary:
    """The first screen of a run whose analysis is changed so."""
    analysis = evaluation.analysis.model_copy(update=changes)
    changed = replace(evaluation, analysis=analysis)
    return summarise(changed, lines_of(changed))


def test_figures_are_those_of_the_families_then_those_of_other_programs(
    evaluation: Evaluation,
) -> None:
    names = [line.name for line in summary_of(evaluation).tiles]
    assert names == [
        "Peak",
        "axpy from L1d",
        "Memory bandwidth",
        "Message latency",
        "Message bandwidth",
        "NPB EP",
    ]
    assert len(names) == LEAST_TILES


def test_between_nodes_comes_before_inside_one(evaluation: Evaluation) -> None:
    scores = list(evaluation.analysis.scores)
    (inside,) = [score for score in scores if score.label == "Message latency, 8 B"]
    far = inside.result.model_copy(
        update={"key": inside.result.key.but(nodes=2, ranks=2, per_node=1)}
    )
    between = inside.model_copy(update={"label": "Latency between nodes, 8 B", "result": far})
    assert inside.result.nodes == 1
    results = (*evaluation.analysis.results, far)
    found = summary_of(evaluation, scores=(*scores, between), results=results)
    names = [line.name for line in found.tiles]
    assert "Latency between nodes" in names
    assert "Message latency" not in names


@pytest.mark.slow
def test_there_are_never_more_than_fit() -> None:
    cluster = make_cluster_evaluation(n_launches=1, node_counts=(1, 64))
    tiles = summarise(cluster, lines_of(cluster)).tiles
    assert LEAST_TILES <= len(tiles) <= MOST_TILES


def test_trust_is_checks_launches_and_noise(evaluation: Evaluation) -> None:
    noise = Disturbances(n_launches=30, n_disturbed=4, n_repeated=2, n_results=120, n_spoilt=3)
    trust = dict(summary_of(evaluation, disturbances=noise).trust)
    assert trust["1 of 1 check failed"] == "bad"
    assert trust["30 launches and 1 repeat, 5 failed"] == "bad"
    assert trust["4 perturbed, 2 repeated"] == "warn"
    assert trust["3 results of perturbed samples only"] == "bad"
    assert dict(summary_of(evaluation).trust)["none perturbed"] == "good"


def test_the_three_heaviest_findings_are_said_in_their_first_clause(
    evaluation: Evaluation,
) -> None:
    findings = [
        Finding(
            text=f"{n} results of 40 [2, 4; 5 launches] were wide: look; closer",
            severity="note",
        )
        for n in range(5)
    ]
    found = summary_of(evaluation, findings=tuple(findings))
    assert [one.text for one in found.wrong] == [f"{n} results of 40 were wide" for n in range(3)]
    assert [one.target for one in found.wrong] == ["finding-0", "finding-1", "finding-2"]
    assert found.n_findings == 5


def test_what_was_not_covered_is_named(evaluation: Evaluation) -> None:
    gaps = summary_of(evaluation).uncovered
    assert gaps[0] == "communication between nodes"
    assert any(gap.endswith("programs of Cores") for gap in gaps)
    assert gaps[-1] == "3 cases left out"


@pytest.mark.slow
def test_a_recorded_run_has_a_roofline_and_shares_of_it() -> None:
    recorded = evaluate(read_samples(MEDIANS))
    found = summarise(recorded, lines_of(recorded))
    assert LEAST_TILES <= len(found.tiles) <= MOST_TILES
    assert found.roofline is not None
    bounds = {line.name: line.bound for line in found.tiles}
    assert "flop peak" in bounds.values()
    scores = {score.label: score for score in recorded.analysis.scores}
    fed = [score for score in scores.values() if score.bound.endswith("bandwidth")]
    assert len(fed) > 5
    # Rates bound by memory bandwidth have no share of the peak.
    assert any(
        score.share
        and score.result.share_of_ceiling
        and score.share > 3 * score.result.share_of_ceiling
        for score in fed
    )


def test_the_first_screen_alone_is_a_page_with_links_to_the_report_or_none(
    evaluation: Evaluation,
) -> None:
    beside, alone = (format_summary(evaluation, report) for report in ("report.html", None))
    assert beside.count('href="report.html#') > LEAST_TILES
    assert 'href="#r' not in beside
    assert "report.html" not in alone
    for page in (beside, alone):
        assert page.count("<section") == 1
        assert "Can I trust it" in page
        assert len(page) < 100_000
    whole = format_report(evaluation, MACHINE_ROWS)
    assert whole.index('id="summary"') < whole.index('id="verdict"')
