"""The verdict on a throughput test: at most seven sentences, each of at most two numbers."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.analyse.templates.quantities import exactly
from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.result import Sentence
from heorot.throughput.analyse import templates
from heorot.throughput.model.explanation import Account, Responses, ThroughputExplanation
from heorot.throughput.model.measures import ThroughputMeasures, Use
from heorot.throughput.model.spread import Spread

MOST_SENTENCES = 7

# Efficiency above 1 that clocks may cause.
_FUZZ = 0.005
_ALL = 0.995
_LEAST_OTHERS = 5e-4


def make_verdict(
    explanation: ThroughputExplanation,
    measures: ThroughputMeasures,
    policies: Mapping[str, ThroughputMeasures],
) -> tuple[Sentence, ...]:
    """The first seven applicable sentences, in reading order."""
    shown = (
        ("whole", _others_sentence(measures.use)),
        ("account", _account_sentence(explanation.account)),
        ("whole", _length_sentence(measures)),
        ("account", _corrected_sentence(explanation.account, measures)),
        ("interference", _interference_sentence(explanation)),
        ("waits", _waits_sentence(measures)),
        ("whole", _loss_sentence(measures)),
        ("policies", _policies_sentence(measures, policies)),
        ("responses", _responses_sentence(explanation.responses)),
        ("projections", _dominating_sentence(explanation)),
        ("projections", _order_sentence(explanation, measures)),
    )
    sentences = [one.model_copy(update={"evidence": (where,)}) for where, one in shown if one]
    return tuple(sentences[:MOST_SENTENCES])


def _others_sentence(use: Use) -> Sentence | None:
    """Node time of other users; None if zero."""
    parts = []
    if (use.others or 0.0) > _LEAST_OTHERS:
        parts.append(templates.HELD.claim(others=exactly(use.others or 0.0)))
    if (use.out or 0.0) > _LEAST_OTHERS:
        parts.append(templates.OUT.claim(out=exactly(use.out or 0.0), both=bool(parts)))
    return templates.OTHERS(parts=parts) if parts else None


def _account_sentence(account: Account) -> Sentence:
    n, back = account.scheduled, account.n_ok
    if not n:
        return templates.NO_JOB()
    template = templates.FEWER_BACK if account.submitted < n else templates.SOME_BACK
    if back == n > 1:
        template = templates.ALL_BACK
    return templates.ACCOUNT(
        back_text=template.claim(n=n, back=back),
        lacks_parts=any(each.part for each in account.missing),
        by_hand=bool(account.interventions),
        missing=[templates.clause_of(each) for each in account.missing],
        submitted=account.submitted,
    )


def _length_sentence(measures: ThroughputMeasures) -> Sentence | None:
    use = measures.use
    if use.efficiency is None:
        return None
    template = templates.GIVEN_TWICE if use.efficiency > 1.0 + _FUZZ else templates.EFFICIENT
    return templates.LENGTH(
        use=use, judged=template.claim(use=use, by=templates.BOUNDS[use.bound_by])
    )


def _corrected_sentence(account: Account, measures: ThroughputMeasures) -> Sentence | None:
    if account.corrected_makespan is None:
        return None
    lost = account.missing_core_seconds
    return templates.CORRECTED(
        # With an unknown amount among them, the sum is a lower bound.
        least=any(each.core_seconds is None for each in account.missing),
        lost=exactly(lost / 3600, "h"),
        share=exactly(lost / (lost + account.done_core_seconds)),
        account=account,
        makespan=exactly(measures.use.makespan, "s"),
    )


def _interference_sentence(explanation: ThroughputExplanation) -> Sentence | None:
    known = [each for each in explanation.interference if "/" not in each.name]
    if not known:
        return None
    furthest = max(known, key=lambda each: each.maximum_deviation)
    apart = [each for each in known if each.significant]
    if apart:
        slowest = max(apart, key=lambda each: each.ratio)
        more = len(apart) - 1
        return templates.APART(
            slowest=slowest.name, ratio=templates.ratio_of(slowest), more=more or None, n=len(known)
        )
    judged = any(each.p_value is not None for each in known)
    template = templates.NOT_APART if judged else templates.TOO_FEW
    return template(largest=templates.LARGEST.claim(one=furthest), n=len(known))


def _waits_sentence(measures: ThroughputMeasures) -> Sentence | None:
    wait = measures.wait
    if wait is None or wait.n <= 1:
        return None
    return templates.WAITS(median=_spread(wait, "s"), wait=wait)


def _spread(one: Spread, unit: str) -> Quantity:
    return Quantity(median=one.median, low=one.low, high=one.high, unit=unit)


def _loss_sentence(measures: ThroughputMeasures) -> Sentence | None:
    use = measures.use
    if use.loss_any is None or use.loss_fitting is None:
        return None
    watched = use.others is not None and use.watched > _LEAST_OTHERS
    partly = "watched in part only" if use.watched < _ALL else ""
    return templates.LOSS(use=use, unwatched=partly if watched else "not watched")


def _policies_sentence(
    measures: ThroughputMeasures, policies: Mapping[str, ThroughputMeasures]
) -> Sentence | None:
    real = measures.use.makespan
    if not policies or real <= 0.0:
        return None
    policy, best = min(policies.items(), key=lambda each: each[1].use.makespan)
    return templates.POLICIES(
        policy=policy, makespan=best.use.makespan, change=best.use.makespan / real - 1.0
    )


def _responses_sentence(responses: tuple[Responses, ...]) -> Sentence | None:
    """For the command with the longest response time under load."""
    found = [(one.times, one) for one in responses if one.loaded and one.times]
    if not found:
        return None
    times, latest = max(found, key=lambda each: each[0].median)
    alone = next((x for x in responses if x.name == latest.name and not x.loaded), None)
    return templates.RESPONSE(one=latest, median=_spread(times, "s"), alone=alone and alone.times)


def _dominating_sentence(explanation: ThroughputExplanation) -> Sentence | None:
    if not explanation.components or not explanation.components[0].node_seconds:
        return None
    most, *others = explanation.components
    more = bool(others) and others[0].node_seconds < most.node_seconds
    return templates.DOMINATING(most=most, more=more)


def _order_sentence(
    explanation: ThroughputExplanation, measures: ThroughputMeasures
) -> Sentence | None:
    if not explanation.orders or measures.use.makespan <= 0.0:
        return None
    best = explanation.orders[0]
    return templates.ORDER(best=best, change=best.makespan / measures.use.makespan - 1.0)
