"""What a director should hear of a day: up to eight sentences, each with its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heorot.analyse.day.telling.others import NOT_WATCHED, say_others
from heorot.analyse.day.telling.words import (
    BOUNDS,
    change,
    fate_of,
    median_of,
    names,
    percent,
    ratio_of,
)
from heorot.model.analysis.result import Sentence
from heorot.model.day.measures import DayMeasures
from heorot.model.day.story import Account, DayStory, Responses
from heorot.units import format_duration, plural

MOST_SENTENCES = 8

# By so much clocks may have a day look more efficient than it can be.
_FUZZ = 0.005


def make_verdict(
    story: DayStory, measures: DayMeasures, policies: Mapping[str, DayMeasures]
) -> tuple[Sentence, ...]:
    """The sentences in the order in which they are read; the first eight of those that apply.

    Args:
        story: all that is known besides, still without verdict.
        measures: of the day.
        policies: of simulations of the same jobs.
    """
    told: Iterable[tuple[str, str]] = (
        ("whole", say_others(measures.use)),
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
    said = [Sentence(text=text, evidence=(where,)) for where, text in told if text]
    return tuple(said[:MOST_SENTENCES])


def _say_account(account: Account) -> str:
    n, back = account.scheduled, account.n_ok
    parts = [each for each in account.missing if each.part]
    jobs = [each for each in account.missing if not each.part]
    if not n:
        return "No job was scheduled."
    verb = "was" if n == 1 else "were"
    text = f"{plural(n, 'job')} {verb} submitted and {back} came back well"
    if account.submitted < n:
        text = f"Of {plural(n, 'job')} {account.submitted} were submitted and {back} came back well"
    if back == n:
        text = f"All {n} jobs that were submitted came back well" if n > 1 else text
    if jobs:
        text += f"; {names([fate_of(each) for each in jobs])}"
    if parts:
        text += f"; inside composite jobs {plural(len(parts), 'program')} did not end well"
        text += f" ({names([fate_of(each) for each in parts])})"
    if account.interventions:
        text += f"; it took {plural(len(account.interventions), 'intervention')} by hand"
    return f"{text}."


def _say_length(measures: DayMeasures) -> str:
    use = measures.use
    if use.efficiency is None or use.utilisation_held is None or use.utilisation_cores is None:
        return ""
    busy = use.utilisation_busy
    worked = f", and programs ran in {percent(busy)} of it" if busy is not None else ""
    bound = f"{format_duration(use.bound)} ({BOUNDS[use.bound_by]})"
    if use.efficiency > 1.0 + _FUZZ:
        judged = f"these jobs need {bound} if no {use.unit} is given twice at a time, so some were"
    else:
        judged = f"no schedule of these jobs is shorter than {bound}, so this one is "
        judged += f"{percent(use.efficiency)} efficient"
    return (
        f"The day took {format_duration(use.makespan)}; {judged}. Jobs held nodes in "
        f"{percent(use.utilisation_held)} of the node time and had "
        f"{percent(use.utilisation_cores)} of the core time{worked}."
    )


def _say_corrected(account: Account, measures: DayMeasures) -> str:
    if account.corrected_makespan is None:
        return ""
    lost = account.missing_core_seconds
    share = lost / (lost + account.done_core_seconds)
    # Of some that is missing nobody knows how much it is.
    least = "at least " if any(each.core_seconds is None for each in account.missing) else ""
    return (
        f"These totals lack work: {least}{lost / 3600:.3g} core hours that were not done, "
        f"{percent(share)} of all; with it the day would have taken {least or 'about '}"
        f"{format_duration(account.corrected_makespan)} instead of "
        f"{format_duration(measures.use.makespan)}, if it fits as well as the rest."
    )


def _say_interference(story: DayStory) -> str:
    known = [each for each in story.interference if "/" not in each.name]
    if not known:
        return ""
    furthest = max(known, key=lambda each: each.maximum_deviation)
    deviation = f"{percent(furthest.maximum_deviation)} ({furthest.worst})"
    of_all = f"largest deviation of a single job from its single-user time is {deviation}"
    apart = [each for each in known if each.significant]
    if not apart:
        judged = [each.name for each in known if each.p_value is not None]
        if not judged:
            return f"Too few runs alone to judge interference; the {of_all}."
        who = judged[0] if len(judged) == 1 else f"of {len(judged)} programs none"
        verb = "does not run" if len(judged) == 1 else "runs"
        return f"Under load {who} {verb} differently beyond chance; the {of_all}."
    worst = max(apart, key=lambda each: each.ratio)
    differ = "differs from its single-user time" if len(apart) == 1 else ""
    return (
        f"Under load {len(apart)} of {plural(len(known), 'program')} "
        f"{differ or 'differ from their single-user times'} beyond chance; {worst.name} takes "
        f"{ratio_of(worst)} as long. The {of_all}."
    )


def _say_waits(measures: DayMeasures) -> str:
    wait, slowdown = measures.wait, measures.slowdown
    if wait is None or wait.n <= 1:
        return ""
    text = (
        f"Jobs waited {median_of(wait)} in the median and {format_duration(wait.mean)} on average, "
        f"one in twenty more than {format_duration(wait.p95)}, the longest "
        f"{format_duration(wait.maximum)}"
    )
    if slowdown:
        ends = f"[{slowdown.low:.2f}, {slowdown.high:.2f}]"
        text += f"; their bounded slowdown is {slowdown.median:.2f} {ends} in the median"
    return f"{text}."


def _say_dominating(story: DayStory) -> str:
    if not story.components or not story.components[0].node_seconds:
        return ""
    most, *others = story.components
    text = f"{most.name} takes {percent(most.share)} of the node time"
    if others and others[0].node_seconds < most.node_seconds:
        text += ", more than any other"
    faster = next((each for each in story.faster if each.name == most.name), None)
    if faster is not None:
        way = "put together anew" if faster.by == "schedule" else "by its work"
        text += (
            f"; were it {faster.factor:g} times faster, the day would take "
            f"{format_duration(faster.makespan)} ({change(faster.change)}, {way})"
        )
    return f"{text}."


def _say_policies(measures: DayMeasures, policies: Mapping[str, DayMeasures]) -> str:
    real = measures.use.makespan
    if not policies or real <= 0.0:
        return ""
    told = [
        f"{format_duration(each.use.makespan)} under {name} "
        f"({change(each.use.makespan / real - 1.0)})"
        for name, each in policies.items()
    ]
    left = " on the nodes that others left" if measures.use.others or measures.use.out else ""
    return f"Simulated with the measured run times{left}, the same jobs take {', '.join(told)}."


def _say_loss(measures: DayMeasures) -> str:
    use = measures.use
    if use.loss_any is None or use.loss_fitting is None:
        return ""
    unknown = f" ({NOT_WATCHED})" if use.others is None and use.loss_any else ""
    return (
        f"Nodes were idle while jobs waited in {percent(use.loss_any)} of the node time, and in "
        f"{percent(use.loss_fitting)} though a job waited that needed no more of them{unknown}; "
        f"{measures.n_overtaking} of {plural(measures.n_started, 'job')} overtook an earlier one."
    )


def _say_responses(responses: tuple[Responses, ...]) -> str:
    told = []
    for one in responses:
        alone = next((x for x in responses if x.name == one.name and not x.loaded), None)
        if one.loaded and one.median is not None and one.p95 is not None:
            text = (
                f"{one.name} answered in {format_duration(one.median)} "
                f"[{format_duration(one.low)} to {format_duration(one.high)}] in the median "
                f"and {format_duration(one.p95)} at worst in 19 of 20 cases"
            )
            if alone is not None and alone.median is not None:
                text += f", on the empty system in {format_duration(alone.median)}"
            told.append(text)
    return f"Beside the load {names(told)}." if told else ""


def _say_order(story: DayStory, measures: DayMeasures) -> str:
    if not story.orders or measures.use.makespan <= 0.0:
        return ""
    best = story.orders[0]
    return (
        f"The best order found for the same jobs ({best.name}) takes "
        f"{format_duration(best.makespan)} "
        f"({change(best.makespan / measures.use.makespan - 1.0)})."
    )
