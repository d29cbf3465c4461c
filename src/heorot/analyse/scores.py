"""The score card: the headlines of all programs, each with its share and the bound of the share."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.resident_sets import resident_set, source_of
from heorot.analyse.rows import best
from heorot.analyse.validity.ceilings import CeilingFinder
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.node_roofline.roofs import RooflinePoint
from heorot.model.analysis.result import Result, Score
from heorot.model.analysis.rows import Rows
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Headline
from heorot.units import format_binary

_BANDWIDTH = "B/s"
_BEST = "best measured"


def make_scores(context: Context, depth: NodeRoofline | None = None) -> list[Score]:
    """The headlines; if one was not measured, the next with its label takes its place.

    Args:
        depth: the roofline points; None if there is no roofline.
    """
    finder = CeilingFinder(context)
    below = {place.key: place for place in depth.points} if depth else {}
    scores: dict[tuple[str, str], Score] = {}
    for benchmark in context.benchmarks.values():
        for headline in benchmark.headlines:
            for name, rows in _apart(context, benchmark.name, headline).items():
                row = _pick(rows, headline)
                place = (benchmark.name, headline.label + name)
                if row is None or place in scores:
                    continue
                limited = None if _is_judged(row) else _limited(context.rows, row, benchmark)
                level = _word_level(context, row) if headline.tells_level else ""
                judged = limited or row
                share, bound = _bound(
                    context, finder, judged, below.get(source_of(context, row).key), headline
                )
                scores[place] = Score(
                    label=", ".join(filter(None, (headline.label + name, level))),
                    result=row,
                    ceiling=_word_ceiling(finder, judged, headline),
                    limited=limited,
                    share=share,
                    bound=bound,
                    level=level,
                )
    return list(scores.values())


def _bound(
    context: Context,
    finder: CeilingFinder,
    row: Result,
    place: RooflinePoint | None,
    headline: Headline,
) -> tuple[float | None, str]:
    """The share of the bound that limits a row, and that bound; neither if unknown.

    For flops that is the roofline of its core count, if the row has a point in it: a low share of
    peak is no defect in a memory-bound kernel. A bandwidth has its own bound.
    """
    if place is not None and place.share is not None and row.unit != _BANDWIDTH:
        return place.share, "flop peak" if place.by_units else f"{place.resident_in} bandwidth"
    if row.is_ceiling:
        return None, _BEST
    if row.share_of_ceiling is None:
        return None, ""
    rule = finder.rule_for(row)
    if rule is None or (rule.inside_only and row.nodes > 1):
        return row.share_of_ceiling, headline.bound
    home = resident_set(context, row) if headline.tells_level else None
    return row.share_of_ceiling, f"{home[1]} bandwidth" if home else rule.by.replace("_", " ")


def _apart(context: Context, benchmark: str, headline: Headline) -> dict[str, list[Result]]:
    """The rows of a headline by the resource that its label names."""
    rows = context.rows.find(benchmark, headline.region, headline.metric, point=headline.point)
    found: dict[str, list[Result]] = {}
    for row in rows:
        name = context.uses.which(row, headline.each).name if headline.each else ""
        found.setdefault(name and f", {name}", []).append(row)
    return found


def _is_judged(row: Result) -> bool:
    return row.share_of_ceiling is not None or row.is_ceiling


def _limited(rows: Rows, row: Result, benchmark: Benchmark) -> Result | None:
    """The row of the same samples in the unit that has a bound."""
    for metric in benchmark.metrics:
        found = rows.find(row.benchmark, row.region, metric.name, stack=row.stack)
        for other in found:
            if (other.case, other.point) != (row.case, row.point) or other.better != row.better:
                continue
            if _is_judged(other):
                return other
    return None


def _word_ceiling(finder: CeilingFinder, row: Result, headline: Headline) -> str:
    """Why no higher value is possible, or why the row is far below its bound."""
    if row.is_ceiling:
        return f"is itself the {_BEST}"
    if row.share_of_ceiling is None:
        return ""
    rule = finder.rule_for(row)
    if rule is None or (rule.inside_only and row.nodes > 1):
        return headline.share_of
    return rule.unreached or rule.reason


def _word_level(context: Context, row: Result) -> str:
    """The working set of a row and the level that holds it: `124 MiB from memory`."""
    home = resident_set(context, row)
    return "" if home is None else f"{format_binary(home[0])} from {home[1]}"


def _pick(rows: Sequence[Result], headline: Headline) -> Result | None:
    found = [row for row in rows if not row.is_star and _is_placed(row, headline)]
    if headline.pick == "largest":
        sized = [row for row in found if not isinstance(row.point.get(headline.by, ""), str)]
        most = max((float(row.point[headline.by]) for row in sized), default=0.0)
        found = [row for row in sized if float(row.point[headline.by]) == most]
    return best(found)


def _is_placed(row: Result, headline: Headline) -> bool:
    """Whether a row ran on the number of nodes that the headline is about."""
    return headline.nodes == "any" or (row.nodes > 1) == (headline.nodes == "several")
