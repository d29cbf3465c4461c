"""Says which nodes are slow: a finding for each, and sentences for the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from heorot.analyse.nodes.outliers import FAMILY_WISE, LEAST_LAG
from heorot.analyse.nodes.summaries import NodeRow
from heorot.analyse.rows import word_point
from heorot.model.analysis.context import Context
from heorot.model.analysis.extremes import Ends, overlap
from heorot.model.analysis.result import Finding, Sentence
from heorot.model.analysis.studies.nodes import (
    NODE,
    NODES,
    Apart,
    NodeLine,
    NodeStudy,
    Slow,
    SlowMetric,
)
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.units import format_quantity, plural

_MOST_FINDINGS = 20
_MOST_EVIDENCE = 6
_MOST_ROWS = 12
_MOST_NAMED = 4
# Of fewer nodes a twentieth is none.
_MANY = 20
_TWO = 2
_MOST = 0.95
_DISTURBED = (
    "something else ran on it all the time: look for processes of others, then measure it again; "
    "its hardware may be sound"
)
_LINK = "look at its link: cable, speed and errors of the port, the switch behind it"
_NODE = (
    "look at its clock, temperature and memory, and for processes of others; until then keep it "
    "out of parallel jobs, which wait for their slowest node"
)
_THIRD = "measure a third node of their kind: two cannot say which of them is wrong"
# How much is left to chance, in all quantities of all nodes and pairs of a run together.
_RATE = f"false alarms over all of them: at most one run in {1.0 / FAMILY_WISE:.0f}"


def tell_findings(study: NodeStudy, context: Context) -> list[Finding]:
    """One finding for each slow node or pair; beyond twenty, one for all others.

    Args:
        study: of the nodes.
        context: the run.
    """
    passing = _passing_programs(context.outcomes, context.steps)
    slow = [*study.slow, *study.slow_pairs]
    found = [_tell_slow(one, passing, context) for one in slow[:_MOST_FINDINGS]]
    others = slow[_MOST_FINDINGS:]
    if others:
        found.append(
            Finding(
                observation=f"{len(others)} more nodes or pairs are slower than their equals",
                severity="warning",
                evidence=tuple(one.metrics[0].row for one in others if one.metrics),
                affected=tuple(one.name for one in others),
                remedy="look at what they share, such as a switch, a rack or settings",
            )
        )
    return found + [_tell_apart(one, context) for one in study.apart]


def tell_sentences(study: NodeStudy, rows: Sequence[NodeRow], context: Context) -> list[Sentence]:
    """What a director should hear of the nodes.

    Args:
        study: of the nodes.
        rows: those of single nodes and pairs, as evidence.
        context: the run.
    """
    told = [_say_slowest(study, context)] if study.slow else _say_alike(study, rows)
    if len(study.slow) > 1:
        told.append(_say_several(study))
    if study.slow_pairs:
        told.append(_say_pairs(study, context))
    told += [
        Sentence(
            text=f"{_capital(_word_apart(one, context))}.", evidence=_evidence([one]), weight=0.8
        )
        for one in study.apart
    ]
    return [sentence.model_copy(update={"family": NODES}) for sentence in told]


def _tell_slow(one: Slow, passing: Mapping[str, Sequence[str]], context: Context) -> Finding:
    together = [] if one.is_pair else list(passing.get(one.name, ()))
    waiting = f"; {plural(len(together), 'program')} over several nodes ran on it" * bool(together)
    return Finding(
        observation=f"{_word_slow(one, context)}{waiting}",
        severity="warning",
        evidence=_evidence([one]),
        affected=(one.name, *together),
        remedy=_DISTURBED if one.disturbed else _LINK if one.is_pair or one.of_pairs else _NODE,
        columns=("program", "case", "quantity", "of the median", "z"),
        rows=tuple(
            (
                each.benchmark,
                each.case,
                f"{each.region}{word_point(context, each.benchmark, each.point)}",
                _percent(each.speed),
                f"{each.z:.1f}",
            )
            for each in one.metrics[:_MOST_ROWS]
        ),
    )


def _word_slow(one: Slow, context: Context) -> str:
    worst = one.metrics[0]
    noun = "pair" if one.is_pair else "node"
    reaches = "its pairs reach" if one.of_pairs else "it reaches"
    of_all = f"of the median of the {plural(one.n_equals, noun)} of its kind"
    where = f"{len(one.metrics)} of {plural(one.n_metrics, 'quantity')}"
    if len(one.metrics) == 1:
        return (
            f"{noun} {one.name} is slow: {reaches} {_percent(worst.speed)} {of_all} in "
            f"{where}, {_word_metric(worst, context)} (z = {worst.z:.0f}; {_RATE})"
        )
    least = f"less than {100 * np.exp(-LEAST_LAG):.0f} %"
    return (
        f"{noun} {one.name} is slow: in {where} {reaches} {least} {of_all}, {_percent(one.speed)} "
        f"at the median of these (z = {one.z:.0f}; {_RATE}), among them "
        f"{_percent(worst.speed)} in {_word_metric(worst, context)}"
    )


def _tell_apart(one: Apart, context: Context) -> Finding:
    return Finding(
        observation=_word_apart(one, context),
        severity="warning",
        evidence=_evidence([one]),
        affected=(one.slower, one.faster),
        remedy=_THIRD,
    )


def _word_apart(one: Apart, context: Context) -> str:
    worst = one.metrics[0]
    return (
        f"{'pair ' * one.is_pair}{one.slower} is slower than {one.faster} in {len(one.metrics)} of "
        f"{plural(one.n_metrics, 'quantity')}, by {_percent(1.0 - one.ratio)} at the median of "
        f"these and by {_percent(1.0 - worst.speed)} in {_word_metric(worst, context)} ({_RATE}); "
        "two cannot say which of them is wrong"
    )


def _say_slowest(study: NodeStudy, context: Context) -> Sentence:
    """The worst of all, by the quantity in which it is slowest: the one that its finding names.

    A case has many quantities, and its median may be sound where one of them is slow.
    """
    slowest = study.slow[0]
    worst = slowest.metrics[0]
    alike = any(overlap(_reach(slowest), _reach(other)) for other in study.slow[1:])
    who = f"{'One of the' if alike else 'The'} slowest of {len(study.lines)} nodes, {slowest.name},"
    return Sentence(
        text=(
            f"{who} reaches {_percent(worst.speed)} of the median of its kind in "
            f"{_word_metric(worst, context)}"
            f"{' while something else runs on it' * slowest.disturbed} and is slow in "
            f"{len(slowest.metrics)} of {plural(slowest.n_metrics, 'quantity')}; over all of them "
            f"{_word_spread(study.lines, slowest.name)}."
        ),
        evidence=_evidence([slowest]),
        weight=0.95,
    )


def _reach(one: Slow) -> Ends:
    """From the least to the most that it reaches in what it is slow in."""
    speeds = [metric.speed for metric in one.metrics]
    return min(speeds), max(speeds)


def _say_several(study: NodeStudy) -> Sentence:
    named = [
        f"{one.name} ({_percent(one.speed)} of the median in {len(one.metrics)} of "
        f"{plural(one.n_metrics, 'quantity')})"
        for one in study.slow[:_MOST_NAMED]
    ]
    more = len(study.slow) - len(named)
    return Sentence(
        text=(
            f"Of {len(study.lines)} nodes {len(study.slow)} are slower than their equals: "
            f"{', '.join(named)}{f' and {more} more' * bool(more)}."
        ),
        evidence=_evidence(study.slow),
        weight=0.8,
    )


def _say_pairs(study: NodeStudy, context: Context) -> Sentence:
    worst = study.slow_pairs[0]
    others = len(study.slow_pairs) - 1
    more = f"; so are {plural(others, 'other pair')}" if others else ""
    return Sentence(
        text=(
            f"Of {study.n_pairs} pairs of nodes {worst.name} is slow though neither node is: "
            f"{_word_metric(worst.metrics[0], context)} reaches {_percent(worst.metrics[0].speed)} "
            f"of the median{more}."
        ),
        evidence=_evidence(study.slow_pairs),
        weight=0.8,
    )


def _say_alike(study: NodeStudy, rows: Sequence[NodeRow]) -> list[Sentence]:
    """That nobody is named, and who is slowest of all the same; nothing where two differ."""
    known = [(line.typical, line) for line in study.lines if line.typical is not None]
    if study.apart or len(known) <= 1:
        return []
    speed, slowest = min(known, key=lambda each: each[0])
    keys = [
        row.result.id for row in rows if row.is_first and row.result.point.get(NODE) == slowest.name
    ]
    quantities = plural(study.n_metrics, "quantity")
    if len(known) == _TWO:
        text = (
            f"In none of {quantities} do the two nodes differ by 5 % or more beyond what their "
            f"launches do ({_RATE})."
        )
    else:
        text = (
            f"None of {len(known)} nodes is slower than its equals beyond chance; over "
            f"{quantities} they reach {_percent(speed)} ({slowest.name}) or more of the median, "
            f"{_word_spread(study.lines, slowest.name)} ({_RATE})."
        )
    return [Sentence(text=text, evidence=tuple(keys[:_MOST_EVIDENCE]), weight=0.6)]


def _word_spread(lines: Iterable[NodeLine], slowest: str) -> str:
    """How near to the median of their kind most nodes are, or all but the slowest."""
    away = {line.name: abs(line.typical - 1.0) for line in lines if line.typical is not None}
    if len(away) < _MANY:
        others = [each for name, each in away.items() if name != slowest]
        return f"the other nodes lie within {_percent(max(others, default=0.0), 2)}"
    most = float(np.quantile(list(away.values()), _MOST))
    return f"95 % of the nodes lie within {_percent(most, 2)}"


def _passing_programs(outcomes: Iterable[Outcome], steps: Iterable[Step]) -> dict[str, list[str]]:
    """The programs over several nodes that had ranks on a host, by host."""
    several = {step.id: step.benchmark for step in steps if step.nodes > 1}
    found: dict[str, dict[str, None]] = {}
    for outcome in outcomes:
        benchmark = several.get(outcome.step)
        if benchmark is not None and outcome.run is not None:
            for host in {place.host for place in outcome.run.placement}:
                found.setdefault(host, {})[benchmark] = None
    return {host: list(programs) for host, programs in found.items()}


def _word_metric(one: SlowMetric, context: Context) -> str:
    point = word_point(context, one.benchmark, one.point)
    region = "" if one.benchmark.endswith(f"/{one.region}") else f" {one.region}"
    return f"{context.spoken(one.benchmark)}{region}{point}"


def _evidence(found: Iterable[Slow | Apart]) -> tuple[str, ...]:
    """The first few keys of each, the slowest of all first."""
    lists = [[each.row for each in one.metrics if each.row][:_MOST_EVIDENCE] for one in found]
    ranks = max(map(len, lists), default=0)
    return tuple(dict.fromkeys(keys[i] for i in range(ranks) for keys in lists if i < len(keys)))


def _percent(share: float, digits: int = 3) -> str:
    return format_quantity(share, "%", digits)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:] if text.startswith("pair ") else text
