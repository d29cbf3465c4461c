"""What a director should hear of a day: up to eight sentences, each with its numbers."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.analyse.templates.quantities import exactly, limit
from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.result import Sentence
from heorot.throughput.analyse import templates
from heorot.throughput.model.measures import DayMeasures, Use
from heorot.throughput.model.story import Account, DayStory, Responses, Spread

MOST_SENTENCES = 8

# By so much clocks may have a day look more efficient than it can be.
_FUZZ = 0.005
_ALL = 0.995
_LEAST_OTHERS = 5e-4


def make_verdict(
    story: DayStory, measures: DayMeasures, policies: Mapping[str, DayMeasures]
) -> tuple[Sentence, ...]:
    """The sentences in the order in which they are read; the first eight of those that apply."""
    told = (
        ("whole", _say_others(measures.use)),
        ("account", _say_account(story.account)),
        ("whole", _say_length(measures)),
        ("account", _say_corrected(story.account, measures)),
        ("interference", _say_interference(story)),
        ("waits", _say_waits(measures)),
        ("projections", _say_dominating(story)),
        ("policies", _say_policies(measures, policies)),
        ("whole", _say_loss(measures)),
        ("responses", _say_responses(story.responses)),
        ("projections", _say_order(story, measures)),
    )
    said = [one.model_copy(update={"evidence": (where,)}) for where, one in told if one]
    return tuple(said[:MOST_SENTENCES])


def _say_others(use: Use) -> Sentence | None:
    """What others had of the machine, and what that means for all that follows; None for none."""
    if use.others is None or use.out is None:
        return None
    parts = []
    if use.others > _LEAST_OTHERS:
        parts.append(templates.HELD.claim(others=exactly(use.others)))
    if use.out > _LEAST_OTHERS:
        parts.append(templates.OUT.claim(out=exactly(use.out), both=bool(parts)))
    unwatched = use.watched < _ALL and (parts or use.watched < _LEAST_OTHERS)
    watched = exactly(use.watched) if unwatched else None
    if parts:
        return templates.OTHERS(parts=parts, watched=watched)
    return templates.WATCHED(watched=watched) if watched else None


def _say_account(account: Account) -> Sentence:
    n, back = account.scheduled, account.n_ok
    if not n:
        return templates.NO_JOB()
    template = templates.FEWER_BACK if account.submitted < n else templates.SOME_BACK
    if back == n > 1:
        template = templates.ALL_BACK
    parts = [templates.fate_of(each) for each in account.missing if each.part]
    return templates.ACCOUNT(
        back_text=template.claim(n=n, back=back, submitted=account.submitted),
        missing=[templates.fate_of(each) for each in account.missing if not each.part],
        n_parts=len(parts),
        parts=parts,
        interventions=len(account.interventions) or None,
    )


def _say_length(measures: DayMeasures) -> Sentence | None:
    use = measures.use
    if use.efficiency is None or use.utilisation_held is None or use.utilisation_cores is None:
        return None
    template = templates.GIVEN_TWICE if use.efficiency > 1.0 + _FUZZ else templates.EFFICIENT
    return templates.LENGTH(
        use=use, judged=template.claim(use=use, by=templates.BOUNDS[use.bound_by])
    )


def _say_corrected(account: Account, measures: DayMeasures) -> Sentence | None:
    if account.corrected_makespan is None:
        return None
    lost = account.missing_core_seconds
    return templates.CORRECTED(
        # Of some that is missing nobody knows how much it is.
        least=any(each.core_seconds is None for each in account.missing),
        lost=exactly(lost / 3600, "h"),
        share=exactly(lost / (lost + account.done_core_seconds)),
        account=account,
        makespan=measures.use.makespan,
    )


def _say_interference(story: DayStory) -> Sentence | None:
    known = [each for each in story.interference if "/" not in each.name]
    if not known:
        return None
    furthest = max(known, key=lambda each: each.maximum_deviation)
    largest = templates.LARGEST.claim(one=furthest)
    apart = [each for each in known if each.significant]
    if apart:
        slowest = max(apart, key=lambda each: each.ratio)
        return templates.APART(
            apart=len(apart),
            n=len(known),
            slowest=slowest.name,
            ratio=templates.ratio_of(slowest),
            largest=largest,
        )
    judged = [each.name for each in known if each.p_value is not None]
    if not judged:
        return templates.TOO_FEW(largest=largest)
    return templates.NOT_APART(n=len(judged), program=judged[0], largest=largest)


def _say_waits(measures: DayMeasures) -> Sentence | None:
    wait, slowdown = measures.wait, measures.slowdown
    if wait is None or wait.n <= 1:
        return None
    return templates.WAITS(
        median=_spread(wait),
        wait=wait,
        slowdown=_spread(slowdown) if slowdown else None,
    )


def _spread(one: Spread, unit: str = "") -> Quantity:
    return Quantity(median=one.median, low=one.low, high=one.high, unit=unit)


def _say_dominating(story: DayStory) -> Sentence | None:
    if not story.components or not story.components[0].node_seconds:
        return None
    most, *others = story.components
    faster = next((each for each in story.faster if each.name == most.name), None)
    way = None
    if faster is not None:
        way = "put together anew" if faster.by == "schedule" else "by its work"
    return templates.DOMINATING(
        most=most,
        more=bool(others) and others[0].node_seconds < most.node_seconds,
        faster=faster,
        way=way,
    )


def _say_policies(measures: DayMeasures, policies: Mapping[str, DayMeasures]) -> Sentence | None:
    real = measures.use.makespan
    if not policies or real <= 0.0:
        return None
    return templates.POLICIES(
        left=bool(measures.use.others or measures.use.out),
        policies=[
            templates.POLICY.claim(
                makespan=each.use.makespan,
                policy=name,
                change=each.use.makespan / real - 1.0,
            )
            for name, each in policies.items()
        ],
    )


def _say_loss(measures: DayMeasures) -> Sentence | None:
    use = measures.use
    if use.loss_any is None or use.loss_fitting is None:
        return None
    return templates.LOSS(
        use=use,
        unknown=use.others is None and use.loss_any > 0.0,
        overtaking=measures.n_overtaking,
        n=measures.n_started,
    )


def _say_responses(responses: tuple[Responses, ...]) -> Sentence | None:
    told = []
    for one in responses:
        alone = next((x for x in responses if x.name == one.name and not x.loaded), None)
        if one.loaded and one.times is not None:
            told.append(
                templates.RESPONSE.claim(
                    one=one,
                    times=one.times,
                    median=_spread(one.times, "s"),
                    most=limit(0.95),
                    alone=alone and alone.times,
                )
            )
    return templates.RESPONSES(commands=told) if told else None


def _say_order(story: DayStory, measures: DayMeasures) -> Sentence | None:
    if not story.orders or measures.use.makespan <= 0.0:
        return None
    best = story.orders[0]
    return templates.ORDER(best=best, change=best.makespan / measures.use.makespan - 1.0)
