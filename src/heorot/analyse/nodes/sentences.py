"""Reports slow nodes: a finding for each, and sentences for the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from heorot.analyse.nodes.outliers import FAMILY_WISE, LEAST_LAG
from heorot.analyse.nodes.summaries import NodeRow
from heorot.analyse.rows import word_point
from heorot.analyse.templates import nodes as templates
from heorot.analyse.templates.quantities import exactly, limit
from heorot.model.analysis.claims import Claim, Quantity
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
from heorot.model.catalogue.labels import label_of
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.units import format_quantity

_MOST_FINDINGS = 20
_MOST_EVIDENCE = 6
_MOST_ROWS = 12
# Of fewer nodes 5 % is less than one.
_MANY = 20
_TWO = 2
_MOST = 0.95
_ALARMS: dict[str, Any] = {"lag": limit(0.05), "runs": limit(1.0 / FAMILY_WISE)}


def make_node_findings(nodes: NodeStudy, context: Context) -> list[Finding]:
    """One finding for each slow node or pair; beyond twenty, one for all others."""
    passing = _passing_programs(context.outcomes, context.steps)
    slow = [*nodes.slow, *nodes.slow_pairs]
    found = [_slow_node(one, passing, context) for one in slow[:_MOST_FINDINGS]]
    others = slow[_MOST_FINDINGS:]
    if others:
        found.append(
            templates.MORE_SLOW(
                evidence=[one.metrics[0].row for one in others if one.metrics],
                affected=[one.name for one in others],
                n=len(others),
            )
        )
    return found + [
        templates.APART(affected=(one.slower, one.faster), **_apart(one, context))
        for one in nodes.apart
    ]


def make_node_sentences(
    nodes: NodeStudy, rows: Sequence[NodeRow], context: Context
) -> list[Sentence]:
    """Sentences for the verdict on the nodes."""
    shown = [_slowest(nodes, context)] if nodes.slow else _alike(nodes, rows)
    if len(nodes.slow) > 1:
        shown.append(_several(nodes))
    if nodes.slow_pairs:
        shown.append(_pairs(nodes, context))
    shown += [templates.APART_IN_VERDICT(**_apart(one, context)) for one in nodes.apart]
    return [sentence.model_copy(update={"family": NODES}) for sentence in shown]


def _slow_node(one: Slow, passing: Mapping[str, Sequence[str]], context: Context) -> Finding:
    together = [] if one.is_pair else list(passing.get(one.name, ()))
    worst = one.metrics[0]
    remedy = templates.LINK if one.is_pair or one.of_pairs else templates.NODE
    template = templates.SLOW if len(one.metrics) > 1 else templates.SLOW_IN_ONE
    return template(
        remedy=templates.DISTURBED if one.disturbed else remedy,
        evidence=_evidence([one]),
        affected=(one.name, *together),
        rows=(
            (
                each.benchmark,
                each.case,
                f"{label_of(each.region)}{word_point(context, each.benchmark, each.point)}",
                format_quantity(each.speed, "%"),
                f"{each.z:.1f}",
            )
            for each in one.metrics[:_MOST_ROWS]
        ),
        noun="pair" if one.is_pair else "node",
        one=one,
        n_slow=len(one.metrics),
        speed=_share(one.speed),
        worst=worst,
        quantity=_word_metric(worst, context),
        passing=len(together) or None,
        least=limit(float(np.exp(-LEAST_LAG))),
        **_ALARMS,
    )


def _apart(one: Apart, context: Context) -> dict[str, Any]:
    worst = one.metrics[0]
    return {
        "evidence": _evidence([one]),
        "one": one,
        "n_slow": len(one.metrics),
        "lag": _share(1.0 - one.ratio),
        "worst": _share(1.0 - worst.speed),
        "quantity": _word_metric(worst, context),
        "runs": _ALARMS["runs"],
    }


def _slowest(nodes: NodeStudy, context: Context) -> Sentence:
    """The worst of all, by the quantity in which it is slowest, which its finding names.

    A case has many quantities, and its median may be normal where one of them is slow.
    """
    slowest = nodes.slow[0]
    return templates.SLOWEST(
        evidence=_evidence([slowest]),
        alike=any(overlap(_reach(slowest), _reach(other)) for other in nodes.slow[1:]),
        n_nodes=len(nodes.lines),
        one=slowest,
        worst=slowest.metrics[0],
        quantity=_word_metric(slowest.metrics[0], context),
        n_slow=len(slowest.metrics),
        spread=_spread(nodes.lines, slowest.name),
    )


def _reach(one: Slow) -> Ends:
    """The range of its speeds in the quantities in which it is slow."""
    speeds = [metric.speed for metric in one.metrics]
    return min(speeds), max(speeds)


def _several(nodes: NodeStudy) -> Sentence:
    return templates.SEVERAL(
        evidence=_evidence(nodes.slow),
        n_nodes=len(nodes.lines),
        n=len(nodes.slow),
        nodes=[
            templates.ONE_OF_SEVERAL.claim(one=one, n_slow=len(one.metrics)) for one in nodes.slow
        ],
    )


def _pairs(nodes: NodeStudy, context: Context) -> Sentence:
    worst = nodes.slow_pairs[0]
    return templates.SLOW_PAIR(
        evidence=_evidence(nodes.slow_pairs),
        study=nodes,
        one=worst,
        quantity=_word_metric(worst.metrics[0], context),
        worst=worst.metrics[0],
        others=len(nodes.slow_pairs) - 1 or None,
    )


def _alike(nodes: NodeStudy, rows: Sequence[NodeRow]) -> list[Sentence]:
    """No node is named, and the slowest of all; empty if two differ."""
    known = [(line.typical, line) for line in nodes.lines if line.typical is not None]
    if nodes.apart or len(known) <= 1:
        return []
    speed, slowest = min(known, key=lambda each: each[0])
    keys = [
        row.result.id for row in rows if row.is_first and row.result.point.get(NODE) == slowest.name
    ]
    found: dict[str, Any] = {
        "evidence": keys[:_MOST_EVIDENCE],
        "study": nodes,
        **_ALARMS,
    }
    if len(known) == _TWO:
        return [templates.TWO_ALIKE(**found)]
    spread = _spread(nodes.lines, slowest.name)
    node = slowest.name
    found |= {"n_nodes": len(known), "least": _share(speed), "node": node, "spread": spread}
    return [templates.ALIKE(**found)]


def _spread(lines: Iterable[NodeLine], slowest: str) -> Claim:
    """The distance of most nodes, or all but the slowest, from the median of their kind."""
    away = {line.name: abs(line.typical - 1.0) for line in lines if line.typical is not None}
    if len(away) < _MANY:
        others = [each for name, each in away.items() if name != slowest]
        return templates.OTHERS_WITHIN.claim(within=_share(max(others, default=0.0)))
    within = _share(float(np.quantile(list(away.values()), _MOST)))
    return templates.MOST_WITHIN.claim(most=limit(_MOST), within=within)


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
    region = "" if one.benchmark.endswith(f"/{one.region}") else f" {label_of(one.region)}"
    return f"{context.display_name(one.benchmark)}{region}{point}"


def _evidence(found: Iterable[Slow | Apart]) -> tuple[str, ...]:
    """The first few keys of each, the slowest of all first."""
    lists = [[each.row for each in one.metrics if each.row][:_MOST_EVIDENCE] for one in found]
    ranks = max(map(len, lists), default=0)
    return tuple(dict.fromkeys(keys[i] for i in range(ranks) for keys in lists if i < len(keys)))


def _share(share: float) -> Quantity:
    return exactly(share, "%")
