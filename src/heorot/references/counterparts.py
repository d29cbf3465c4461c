"""Turns the figures of a published system into quantities that a run can be compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heorot.model.analysis.published import Publication, PublishedQuantity
from heorot.model.point import Point
from heorot.references.records import Counterpart, PublishedFigure, PublishedSystem, Rule, Source

_DISTRUSTED = {
    "perturbed": "other users were active, by the source",
    "doubtful": "questioned by the source",
    "failed": "it failed",
    "missing": "there is no number",
}
_OF_NO_RULE = "there is no counterpart"


@dataclass(frozen=True)
class Meeting:
    """A figure, and the quantity that it meets.

    Attributes:
        relation: `same`, `similar` or `context`.
        reason: why no more.
        quantity: None of context.
    """

    figure: PublishedFigure
    relation: str
    reason: str
    quantity: PublishedQuantity | None = None


def meetings(source: Source, system: str) -> Iterator[Meeting]:
    """The figures of a system in the order of the source, each with what it meets."""
    for figure in source.figures:
        if figure.system == system:
            yield _meet(figure, next((r for r in source.rules if r.covers(figure)), None))


def publication(source: Source, system: PublishedSystem, network: str = "") -> Publication | None:
    """A system with the figures that may be compared; None if there are none.

    Args:
        network: leaves out figures of other networks; empty takes all.
    """
    quantities: dict[tuple[object, ...], PublishedQuantity] = {}
    for meeting in meetings(source, system.name):
        one = meeting.quantity
        if one is not None and (not network or meeting.figure.network in {"", network}):
            # Tables that repeat others have nothing new.
            quantities.setdefault((one.key, one.metric, one.value), one)
    if not quantities:
        return None
    return Publication(
        name=f"{system.title}{f', {network}' if network else ''}",
        source=source.document,
        date=None if system.year is None else str(system.year),
        cores=system.processors,
        quantities=tuple(quantities.values()),
    )


def networks_of(source: Source, system: str) -> list[str]:
    """The networks of the figures of a system that may be compared."""
    found = (each.figure.network for each in meetings(source, system) if each.quantity is not None)
    return [name for name in dict.fromkeys(found) if name]


def _meet(figure: PublishedFigure, rule: Rule | None) -> Meeting:
    if rule is None:
        return Meeting(figure, "context", _OF_NO_RULE)
    here, value = rule.here, figure.value
    if figure.state:
        return Meeting(figure, "context", _DISTRUSTED[figure.state])
    if here is None or rule.relation == "context" or value is None:
        return Meeting(figure, "context", rule.reason)
    if figure.is_bound:
        return Meeting(figure, "context", "it is a bound")
    region = here.regions.get(figure.variant, "") if here.regions else here.region
    if not region:
        return Meeting(figure, "context", rule.reason)
    return Meeting(figure, rule.relation, rule.reason, _quantity(figure, rule, here, region, value))


def _quantity(
    figure: PublishedFigure, rule: Rule, here: Counterpart, region: str, value: float
) -> PublishedQuantity:
    ranks = here.ranks or figure.processes
    times = ranks if here.per_process and ranks else 1
    nodes = _nodes(ranks, figure.per_node)
    about = "about " if figure.qualifier == "approx" else ""
    reported = " of others" if figure.second_hand else ""
    said = f"{about}{figure.printed} {figure.unit}{reported}, {_place(figure.table)}"
    note = (
        f"{said}, {figure.variant}; {rule.relation}"
        if figure.variant
        else f"{said}; {rule.relation}"
    )
    return PublishedQuantity(
        benchmark=here.benchmark,
        region=region,
        metric=here.metric,
        unit=here.unit,
        value=value * here.factor * times,
        point=Point({**here.point, **here.points.get(figure.variant, {})}),
        best_over=here.best_over,
        nodes=nodes,
        ranks=ranks,
        threads=1,
        per_node=figure.per_node if nodes else None,
        note=f"{note}: {rule.reason}" if rule.reason else note,
    )


def _nodes(ranks: int | None, per_node: int | None) -> int | None:
    """Nodes that so many ranks take; None if that is unknown or they do not fill them evenly."""
    if not ranks or not per_node or ranks % per_node:
        return None
    return ranks // per_node


def _place(table: str) -> str:
    return table if table.startswith("text") else f"table {table}"
