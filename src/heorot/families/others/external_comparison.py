"""External programs compared with Heorot's own, where both measure the same quantity.

A recipe names for a metric the program of Heorot's that measures the same. Rows with equal nodes,
ranks and threads yield a ratio of their medians, external over own time, with an interval that
encloses both intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heorot.analyse.rows import derive, over, word_point
from heorot.analyse.templates.quantities import keys, limit, of_ends
from heorot.families.others import templates
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.quantities import Beside, Quantity
from heorot.model.recipe import Recipe
from heorot.recipes.values import as_text, case_values, layout_values
from heorot.template import fill

RATIO = "theirs_over_ours"
# Number of pairs of a recipe in sentences; the table has them all.
_MOST_PAIRS = 4
# Theirs is faster if it takes less than this part of our time.
_FASTER = 1.05


@dataclass(frozen=True)
class Pair:
    """An external row, the row of ours that measures the same, and their ratio with its interval.

    The ratio is one of times: above one, ours is faster.
    """

    theirs: Result
    ours: Result
    ratio: tuple[float, float, float]


def explain(recipes: Sequence[Recipe], context: Context) -> list[Result]:
    """External time over ours, wherever both ran."""
    return [
        derive([pair.theirs], f"{RATIO}_{metric}", "", "lower", pair.ratio, point=pair.theirs.point)
        for recipe in recipes
        for metric, pair in _pairs(recipe, context)
    ]


def sentences(recipes: Sequence[Recipe], context: Context) -> list[Sentence]:
    """The ratio of every external program to ours, and whether its figures are comparable."""
    said = (_sentence(recipe, context) for recipe in recipes)
    return [sentence for sentence in said if sentence is not None]


def _sentence(recipe: Recipe, context: Context) -> Sentence | None:
    pairs = [pair for _, pair in _pairs(recipe, context)]
    if not pairs:
        return None
    faster = sorted(
        (pair for pair in pairs if pair.ratio[0] < 1.0 / _FASTER), key=lambda one: one.ratio
    )
    shown = [*faster, *(pair for pair in pairs if pair not in faster)][:_MOST_PAIRS]
    return templates.BESIDE(
        evidence=keys(*(row for pair in shown for row in (pair.theirs, pair.ours))),
        program=recipe.display_name,
        version=recipe.source.partition(",")[0],
        effort="compiled by the toolchain" if recipe.build else "as installed",
        faster=len(faster) or None,
        least=limit(_FASTER - 1.0),
        n_pairs=len(pairs),
        pairs=[_claim(pair, context) for pair in shown],
        more=len(pairs) - len(shown) or None,
        comparable=recipe.comparable.partition(":")[0].lower() == "yes",
    )


def _claim(pair: Pair, context: Context) -> Claim:
    theirs, ours = pair.theirs, pair.ours
    launches = min(theirs.n_launches, ours.n_launches)
    return templates.PAIR.claim(
        what=f"{theirs.region}{word_point(context, theirs.benchmark, theirs.point)}",
        ratio=of_ends(pair.ratio, launches, rows=keys(theirs, ours)),
        ours=ours.benchmark,
        layout=templates.LAYOUT.claim(row=theirs),
        # The interval of one launch does not include the variation between launches.
        only=theirs.n_launches == 1,
    )


def _pairs(recipe: Recipe, context: Context) -> Iterator[tuple[str, Pair]]:
    """All pairs of a recipe, those of its first metrics first; the largest problems last."""
    for quantity in recipe.metrics:
        for row in context.rows:
            if _is_of(row, recipe, quantity) and quantity.beside is not None:
                ours = _ours(row, quantity.beside, recipe, context)
                if ours is not None:
                    yield quantity.name, Pair(row, ours, _ratio(row, ours))


def _is_of(row: Result, recipe: Recipe, quantity: Quantity) -> bool:
    return (
        row.benchmark == recipe.benchmark
        and row.metric == quantity.name
        and row.verified != "failed"
        and row.plausible is not False
        and not row.derived
    )


def _ours(row: Result, beside: Beside, recipe: Recipe, context: Context) -> Result | None:
    """The row of ours that measures the same as an external row, of its toolchain if possible."""
    layout = layout_values(row.ranks, row.threads, row.nodes)
    place_values = {name: as_text(value) for name, value in row.point.items()}
    try:
        values = {**case_values(recipe, row.options, layout), **place_values, "region": row.region}
        wanted = {name: fill(text, values) for name, text in beside.point.items()}
        place = [fill(text, values) for text in (beside.benchmark, beside.region, beside.metric)]
    except ValueError:  # a coordinate that this region does not have
        return None
    alike = [
        own
        for own in context.rows.find(*place)
        if (own.nodes, own.ranks, own.threads) == (row.nodes, row.ranks, row.threads)
        and own.unit == row.unit
        and not own.is_star
        and all(as_text(own.point.get(name, "")) == text for name, text in wanted.items())
    ]
    same = [own for own in alike if own.stack == row.stack]
    return next(iter(same or alike), None)


def _ratio(theirs: Result, ours: Result) -> tuple[float, float, float]:
    above, below = (ours, theirs) if theirs.better == "higher" else (theirs, ours)
    if min(below.median, below.ci_low, below.ci_high) <= 0.0:
        return above.median / below.median, 0.0, float("inf")
    return over(above, below)
