"""Notes of the page about numbers: imprecise, bimodal, perturbed, itself the bound."""

from __future__ import annotations

import re
from dataclasses import replace

from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import Finding, Mode
from heorot.report.page import format_report
from tests.unit.report.samples import MACHINE_ROWS, make_evaluation


def page_of(**changes: object) -> str:
    """The page of the sample whose analysis is changed so."""
    evaluation = make_evaluation(2)
    analysis = evaluation.analysis.model_copy(update=changes)
    return format_report(replace(evaluation, analysis=analysis), MACHINE_ROWS)


def with_headline(**changes: object) -> str:
    """The page of the sample whose headline of EP is changed so."""
    *others, last = make_evaluation(2).analysis.scores
    score = last.model_copy(update={"result": last.result.model_copy(update=changes)})
    return page_of(scores=(*others, score))


def card_of(page: str) -> str:
    return page.partition('id="scores"')[2].partition("</section>")[0]


def test_a_wide_headline_is_seen_by_its_uncertainty_on_score_card_and_tile() -> None:
    page = with_headline(median=75.7e6, ci_low=28.9e6, ci_high=77.3e6)
    page = page.replace("\N{NO-BREAK SPACE}", " ")
    exact = "[28.9…77.3 in 3 launches]"
    assert f'<td class="n pm warn" title="{exact}">62</td>' in card_of(page)
    tile = page.partition('class="tiles"')[2].partition("</ul>")[0]
    assert f'<p title="{exact}"><b>75.7</b>' in tile
    assert "±62 %" in tile


def test_two_modes_are_told_where_the_median_is_quoted() -> None:
    modes = (
        Mode(median=29e6, share=0.4, launches=(1, 3)),
        Mode(median=77e6, share=0.6, launches=(2, 4, 5)),
    )
    page = with_headline(modes=modes).replace("\N{NO-BREAK SPACE}", " ")
    note = "two modes: 29.0 Mop/s in launches 1 and 3; 77.0 Mop/s in launches 2, 4 and 5"
    assert f'<i class="caution" title="{note}"' in card_of(page)
    assert page.count(note) >= 2


def test_a_share_names_its_bound_and_the_quantity_that_it_is_of() -> None:
    *others, last = make_evaluation(2).analysis.scores
    flops = last.result.model_copy(
        update={"metric": "flop_rate", "unit": "flop/s", "share_of_ceiling": 0.286}
    )
    own = others[0].model_copy(update={"bound": "best measured", "share": None})
    limited = last.model_copy(
        update={"limited": flops, "ceiling": "it waits", "share": 0.286, "bound": "L3 bandwidth"}
    )
    page = page_of(scores=(own, *others[1:], limited)).replace("\N{NO-BREAK SPACE}", " ")
    card = card_of(page)
    assert '<td class="by" title="best measured">best measured</td>' in card
    assert re.search(
        r'<td class="n" title="flop rate [^"]*flop/s \[[^"]*\]; it waits">29</td>', card
    )
    assert '<td class="by" title="L3 bandwidth">L3</td>' in card
    assert "no bound known" in card
    first = card.partition("<p>")[2].partition("</p>")[0]
    assert re.fullmatch(
        r"Furthest from its bound: <a [^>]*>.*</a>, 29 % of L3 bandwidth: it waits\.", first
    )


def test_a_row_of_the_score_card_stands_there_once_and_in_no_other_card() -> None:
    page = format_report(make_evaluation(2), MACHINE_ROWS)
    n_scores = len(make_evaluation(2).analysis.scores)
    assert page.count('<tr class="score">') == card_of(page).count('<tr class="score">') == n_scores
    assert page.count('<table class="scores">') == 1
    assert "wider than the axis" not in page


def test_what_was_disturbed_is_told_in_one_way() -> None:
    noise = Disturbances(n_launches=34, n_disturbed=4, n_repeated=2, n_results=120)
    page = page_of(disturbances=noise)
    assert f'<li class="warn">{noise.text}</li>' in page
    assert "<caption>Perturbed launches</caption>" in page
    assert ">0 perturbed<" not in page


def test_a_finding_about_many_has_a_table() -> None:
    finding = Finding(
        text="2 results of 3, of 2 programs, had intervals above 10 %",
        severity="note",
        columns=("program", "such results"),
        rows=(("memory/<b>", "1"), ("npb/ep", "1")),
    )
    page = page_of(findings=(finding,))
    findings = page.partition('id="findings"')[2].partition("</section>")[0]
    assert findings.count('<li class="note">') == 1
    assert '<table id="finding-table-0">' in findings
    assert '<details id="finding-0"><summary>' in findings
    assert "memory/&lt;b&gt;" in findings


def test_what_limits_says_why_and_apart_from_that_why_it_is_not_reached() -> None:
    page = format_report(make_evaluation(2), MACHINE_ROWS)
    ep = page.partition('id="b-npb_ep"')[2].partition("</article>")[0]
    assert "because no core exceeds its FMA peak." in ep
    assert "It stays below because random numbers are integer work" in ep
    peak = page.partition('id="b-compute_peak"')[2].partition("</article>")[0]
    assert "at most 7.00 GHz, because no processor on sale has a higher clock" in peak
    assert "Nothing is expected to come near it, so it yields no share." in peak
