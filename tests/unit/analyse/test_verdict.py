"""Sentences of the verdict: the heaviest of all families, and how trustworthy the run is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.analyse.templates.briefs import is_brief
from heorot.analyse.verdict import MOST_SENTENCES, Evidence, make_verdict
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import CrossCheck, Finding, Sentence
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import CheckLine
from tests.unit.analyse.evaluations import a_collection


def evidence(*, outcomes: Iterable[Outcome] = (), **changes: Any) -> Evidence:
    nothing: dict[str, Any] = {"findings": (), "checks": (), "disturbances": Disturbances()}
    return Evidence(collected=a_collection((), outcomes), **(nothing | changes))


def said(family: str, *weights: float) -> list[Sentence]:
    """A sentence of each weight, named after family and weight."""
    return [Sentence(text=f"{family}{weight}", weight=weight, family=family) for weight in weights]


def texts(sentences: Iterable[Sentence]) -> list[str]:
    return [sentence.text for sentence in sentences]


def chosen(sentences: Sequence[Sentence], found: Evidence | None = None) -> list[str]:
    """The verdict without its last sentence."""
    verdict, _ = make_verdict(sentences, found or evidence())
    return texts(verdict[:-1])


def a_check(quantity: str, ratio: float) -> CrossCheck:
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


def a_loss(lost: float, text: str = "It loses.") -> Attribution:
    return Attribution(benchmark="a/b", text=text, evidence=("key",), lost=lost)


def test_few_sentences_all_stand_in_the_order_of_the_families() -> None:
    sentences = [*said("a", 0.1, 0.9), *said("b", 0.5)]
    verdict, others = make_verdict(sentences, evidence())
    assert texts(verdict[:-1]) == texts(sentences)
    assert others == []


def test_the_heaviest_of_every_family_comes_before_the_others_of_any() -> None:
    loud = said("loud", *(0.8 + 0.01 * i for i in range(10)))
    quiet = said("quiet", 0.2, 0.1)
    found = chosen([*loud, *quiet])
    assert len(found) == MOST_SENTENCES - 1
    assert [text for text in found if text.startswith("quiet")] == ["quiet0.2"]
    assert found[:-1] == texts(loud[-(MOST_SENTENCES - 2) :])


def test_of_equally_heavy_sentences_the_first_speaks() -> None:
    twins = [Sentence(text=text, weight=0.5, family="twins") for text in ("first", "second")]
    rest = said("rest", *(0.6 + 0.01 * i for i in range(MOST_SENTENCES - 2)))
    assert "second" not in chosen([*twins, *rest])
    assert "first" in chosen([*twins, *rest])


def test_what_finds_no_place_is_handed_back_in_its_order() -> None:
    sentences = [*said("a", *(0.1 * i for i in range(1, 6))), *said("b", 0.05, 0.03, 0.04)]
    verdict, others = make_verdict(sentences, evidence())
    assert texts(others) == ["b0.03", "b0.04"]
    assert texts(each for each in sentences if each not in others) == texts(verdict[:-1])


@pytest.mark.parametrize("n_families", [9, 10, 25])
def test_of_too_many_families_the_heaviest_are_heard(n_families: int) -> None:
    weights = [(1 + 7 * number % n_families) / n_families for number in range(n_families)]
    sentences = [
        one for number, weight in enumerate(weights) for one in said(f"f{number}_", weight, 0.0)
    ]
    verdict, others = make_verdict(sentences, evidence())
    least = sorted(weights)[-(MOST_SENTENCES - 1)]
    assert texts(verdict[:-1]) == [
        f"f{number}_{weight}" for number, weight in enumerate(weights) if weight >= least
    ]
    assert len(verdict) == MOST_SENTENCES
    assert len(others) == len(sentences) - (MOST_SENTENCES - 1)


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefghijkl"), st.floats(0.0, 1.0)), max_size=40, unique=True
    )
)
def test_nothing_is_lost_and_nothing_said_twice(drawn: list[tuple[str, float]]) -> None:
    sentences = [one for family, weight in sorted(drawn) for one in said(family, weight)]
    verdict, others = make_verdict(sentences, evidence(checks=[a_check("x", 1.0)]))
    assert len(verdict) <= MOST_SENTENCES
    spoken = [one for one in verdict if one.family]
    assert sorted(texts([*spoken, *others])) == sorted(texts(sentences))
    assert len(spoken) + len(others) == len(sentences)
    heard = {one.family for one in spoken}
    weighty = {one.family for one in sentences if one.weight > 0.0}
    assert heard == weighty or len(heard) == MOST_SENTENCES - 1


def test_the_last_sentence_says_how_far_to_trust_the_run() -> None:
    (only,), others = make_verdict([], evidence())
    assert only.text == "There was no check, there was no launch; nothing was perturbed."
    assert others == []
    verdict, _ = make_verdict(said("a", *(0.01 * i for i in range(20))), evidence())
    assert verdict[-1] == only


def outcome(*passed: bool, **changes: Any) -> Outcome:
    checks = tuple(
        CheckLine(type="check", name="c", value=1.0, tolerance=0.0, passed=ok) for ok in passed
    )
    return Outcome(**({"step": "S0001", "state": "completed", "checks": checks} | changes))


def trust(**changes: Any) -> str:
    verdict, _ = make_verdict([], evidence(**changes))
    (sentence,) = [one.text for one in verdict if one.kind == "run/trust"]
    return sentence


def briefs(**changes: Any) -> list[str]:
    verdict, _ = make_verdict(said("a", 0.5), evidence(**changes))
    return [one.brief for one in verdict]


def test_what_went_wrong_comes_first_in_brief() -> None:
    error = Finding(text="x", severity="error")
    outcomes = [outcome(True, False), outcome(state="lost"), outcome(state="refused")]
    reported = Disturbances(n_launches=3, n_disturbed=2, n_results=40, n_spoilt=4)
    found = briefs(
        outcomes=outcomes,
        findings=[error],
        disturbances=reported,
        checks=[a_check("latency", 2.0)],
        attributions=[a_loss(0.3)],
    )
    assert found == [
        "1 check failed and 1 launch did not complete.",
        "1 error must be resolved first; 1 launch could not run here.",
        "4 of 40 measured results rest on perturbed samples.",
        "1 of 1 cross-check disagrees: latency.",
        "It loses.",
        "a0.5",
    ]


def test_a_clean_run_says_so_last_with_what_was_perturbed() -> None:
    outcomes = [outcome(True)] * 3
    reported = Disturbances(n_launches=3, n_disturbed=2, n_repeated=1, n_results=40)
    assert briefs(outcomes=outcomes)[-1] == "All checks passed and all 3 launches completed."
    assert briefs(outcomes=outcomes, disturbances=reported)[-1] == (
        "All checks passed and all 3 launches completed, 2 of them perturbed."
    )


def test_every_sentence_has_a_brief_and_there_is_room_for_the_machine() -> None:
    """However much is against a run, a family still has its sentence."""
    everything = evidence(
        outcomes=[outcome(False), outcome(state="lost"), outcome(state="refused")],
        findings=[Finding(text="x", severity="error")],
        disturbances=Disturbances(n_launches=3, n_disturbed=2, n_results=40, n_spoilt=4),
        suspects=[Finding(text="peak is passed", severity="warning")],
        checks=[a_check("latency", 2.0)],
        attributions=[a_loss(0.3)],
    )
    verdict, _ = make_verdict(said("a", 0.5), everything)
    assert len(verdict) == MOST_SENTENCES
    assert verdict[-1].family == "a"
    assert all(is_brief(one.brief) and one.brief for one in verdict)


def test_a_long_sentence_without_a_brief_does_not_stand() -> None:
    long = Sentence(text="It has " + "many " * 30 + "words.", weight=0.9, family="a")
    exact = Sentence(text="It takes 3 s [2, 4; 5 launches].", weight=0.9, family="b")
    short = long.model_copy(update={"brief": "It is long."})
    assert chosen([long, exact]) == []
    assert chosen([short]) == [short.text]


def test_failed_checks_steps_and_errors_are_counted() -> None:
    error = Finding(text="x", severity="error")
    warning = Finding(text="y", severity="warning")
    text = trust(outcomes=[outcome(True, False, True)], findings=[error, warning, error])
    assert text.startswith("2 of 3 checks passed, the only launch completed")
    assert text.endswith("; 2 errors must be resolved first.")
    assert trust(outcomes=[outcome(False)]).startswith("The only check has not passed")
    assert trust(outcomes=[outcome(True)] * 2).startswith("All 2 checks passed, all 2 launches")
    lost = outcome(state="lost")
    assert "1 of 2 launches completed" in trust(outcomes=[lost, outcome()], findings=[error])
    repeated = [outcome(True), outcome(True), outcome(True)]
    said = trust(outcomes=repeated, n_repeats=1)
    assert said.startswith("All 3 checks passed, all 2 launches and 1 repeat completed;")
    said = trust(outcomes=[*repeated, lost], n_repeats=1)
    assert "3 of 4 launches and repeats completed;" in said
    assert trust(findings=[error]).endswith("; 1 error must be resolved first.")


def test_what_was_perturbed_is_reported_in_the_words_of_its_account() -> None:
    reported = Disturbances(n_launches=34, n_disturbed=4, n_repeated=2, n_results=120)
    assert trust(disturbances=reported).endswith(
        "; 4 of 34 launches were perturbed, 2 of them repeated unperturbed; every measured result "
        "rests on unperturbed samples."
    )


def test_a_doubtful_bound_is_crowded_out_by_nothing() -> None:
    sentences = [each for number in range(12) for each in said(f"family{number}", 1.0)]
    suspects = [Finding(text=f"peak {n} is passed", severity="warning") for n in range(3)]
    verdict, _ = make_verdict(sentences, evidence(suspects=suspects))
    assert len(verdict) == MOST_SENTENCES
    assert verdict[0].text == "Peak 0 is passed; peak 1 is passed; and 1 more."
    assert verdict[0].brief == "3 bounds are suspect."


def test_disagreement_is_named() -> None:
    checks = [a_check("core clock", 1.0), a_check("latency", 2.0)]
    assert chosen([], evidence(checks=checks)) == ["1 of 2 cross-checks disagrees: latency."]
    checks = [a_check("latency", 2.0), a_check("latency", 0.5), a_check("rate", 2.0)]
    (text,) = chosen([], evidence(checks=checks))
    assert text.endswith("3 of 3 cross-checks disagree: latency, rate.")
    many = [a_check(name, 2.0) for name in "abcde"]
    (text,) = chosen([], evidence(checks=many))
    assert text == "5 of 5 cross-checks disagree: a, b, c and 2 more."


def test_agreement_is_reported() -> None:
    agreed = [a_check("core clock", 1.0)]
    assert chosen([], evidence(checks=agreed))[0].endswith("agree (one pair).")
    assert chosen([], evidence(checks=agreed * 3))[0].endswith("agree (3 pairs).")


def test_disagreement_weighs_more_than_agreement() -> None:
    middling = said("a", 0.9, *(0.6 + 0.01 * i for i in range(9)))
    apart, agreed = ([a_check("latency", ratio)] for ratio in (2.0, 1.0))
    assert "latency" in chosen(middling, evidence(checks=apart))[0]
    assert "cross-checks agree" not in " ".join(chosen(middling, evidence(checks=agreed)))


def test_the_worst_loss_comes_before_the_families_and_is_crowded_out_by_nothing() -> None:
    losses = [a_loss(0.3, "Some."), a_loss(0.7, "Most."), a_loss(0.5, "Half.")]
    assert chosen(said("a", 0.1), evidence(attributions=losses)) == ["Most.", "a0.1"]
    many = [each for number in range(12) for each in said(f"family{number}", 1.0)]
    assert chosen(many, evidence(attributions=losses))[0] == "Most."


def test_the_largest_loss_is_said_even_if_it_takes_more_numbers_than_a_brief() -> None:
    text = "On 2 cores solver with 4000 unknowns, 130 MiB, loses 58 % [55…63 in 3 launches]: why."
    found = evidence(attributions=[a_loss(0.2), a_loss(0.58, text)])
    verdict, _ = make_verdict(said("a", 0.5), found)
    losses = [each.short for each in verdict if "loses" in each.text]
    assert losses == ["On 2 cores solver with 4000 unknowns, 130 MiB, loses 58 %"]


def test_a_small_loss_is_no_news() -> None:
    assert chosen([], evidence(attributions=[a_loss(0.09)])) == []


def test_a_refusal_is_no_step_that_should_have_completed() -> None:
    outcomes = [Outcome(step="S0001", state="completed"), Outcome(step="S0002", state="refused")]
    (refused, sentence), _ = make_verdict((), evidence(outcomes=outcomes))
    assert "the only launch completed" in sentence.text
    assert sentence.text.endswith("; 1 could not run here.")
    assert refused.brief == "1 launch could not run here."


def test_a_contradiction_is_crowded_out_by_nothing() -> None:
    sentences = [each for number in range(12) for each in said(f"family{number}", 1.0)]
    verdict, others = make_verdict(sentences, evidence(checks=[a_check("core clock", 2.0)]))
    assert len(verdict) == MOST_SENTENCES
    assert "core clock" in verdict[0].text
    assert len(others) == 12 - (MOST_SENTENCES - 2)


def test_equal_sentences_are_two() -> None:
    twice = said("a", 0.5, 0.5) * 6
    verdict, others = make_verdict(twice, evidence())
    assert (len(verdict), len(others)) == (MOST_SENTENCES, 12 - (MOST_SENTENCES - 1))
