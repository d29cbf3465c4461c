"""The score card: the headlines of all programs, with what their shares are shares of."""

from __future__ import annotations

from heorot.analyse.rows import best
from heorot.analyse.trust.ceilings import CeilingFinder
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Score
from heorot.model.analysis.rows import Rows
from heorot.model.catalogue.benchmark import Headline


def make_scores(context: Context) -> list[Score]:
    """The headlines; one that could not be measured leaves its place to the next of its label.

    Args:
        context: the run, all rows in it.
    """
    finder = CeilingFinder(context)
    scores: dict[tuple[str, str], Score] = {}
    for benchmark in context.benchmarks.values():
        for headline in benchmark.headlines:
            row = _pick(context.rows, benchmark.name, headline)
            place = (benchmark.name, headline.label)
            if row is not None and place not in scores:
                rule = finder.rule_for(row)
                reason = rule.reason if rule else headline.share_of
                scores[place] = Score(
                    label=headline.label,
                    result=row,
                    ceiling="" if row.share_of_ceiling is None else reason,
                )
    return list(scores.values())


def _pick(rows: Rows, benchmark: str, headline: Headline) -> Result | None:
    every = rows.find(benchmark, headline.region, headline.metric, point=headline.point)
    found = [row for row in every if not row.is_star]
    if headline.pick == "last":
        return found[-1] if found else None
    return best(found)
