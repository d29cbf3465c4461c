"""A recipe as a program of the catalogue: metrics, bounds, headlines, figures, header."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heorot.model.catalogue.benchmark import Benchmark, Header, Size
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric
from heorot.model.quantities import REGION, VALUE, Quantity
from heorot.model.recipe import Recipe
from heorot.pattern import group_names
from heorot.recipes.expand import cases_of, cases_over_nodes, complete, expand
from heorot.units import parse_unit

RUN_TIME, WHOLE_RUN = "run_time", "whole_run"
COMMAND_TIME = "command_time"
SOLUTION_RATE = "solution_rate"
_RUN_TIME = Metric(name=RUN_TIME, unit="s", better="lower", regions=(WHOLE_RUN,))
_COMMAND_TIME = Metric(name=COMMAND_TIME, unit="s", better="lower", count=COMMAND_TIME)
# Basis of scaling for programs that print only times: one problem solved in that time.
_SOLUTION_RATE = Metric(name=SOLUTION_RATE, unit="1/s", better="higher", count=SOLUTION_RATE)
# Few numbers of cores are drawn as bars rather than a curve.
_LEAST_VALUES = 3


def benchmark_of(recipe: Recipe) -> Benchmark:
    """The description of a recipe's program before it runs."""
    metrics = {quantity.name: _metric(quantity) for quantity in recipe.quantities}
    if prints_times_only(recipe):
        metrics[SOLUTION_RATE] = _SOLUTION_RATE
    return Benchmark(
        name=recipe.benchmark,
        metrics=(*metrics.values(), *_from_outside(recipe)),
        cases=cases_of(recipe),
        tiny=next(expand(recipe.cases[0], 1)),
        title=recipe.display_name,
        size=_size(recipe),
        problem=_problem(recipe),
        suits=recipe.suits,
        over_nodes=cases_over_nodes(recipe),
        estimate=complete(recipe),
        ceilings=tuple(ceiling for each in recipe.metrics for ceiling in _ceilings(each)),
        headlines=tuple(
            Headline(
                label=_label(recipe, each, region),
                metric=each.name,
                region=region,
                point=each.headline_at,
            )
            for each in recipe.metrics
            for region in each.headline
        ),
        figures=tuple(_figures(recipe)),
        needs_mpi=recipe.mpi == "toolchain",
    )


def header_of(recipe: Recipe) -> Header:
    """A recipe's description, in the sections of the headers of our sources."""
    checks = "; ".join(each.name for each in recipe.verification)
    sections = {
        "Comparable": recipe.comparable,
        "Verified": checks or "Not at all: the recipe has no verification.",
        "Source": recipe.source,
        "Licence": recipe.licence,
    }
    return Header(
        question=recipe.question, sections={name: text for name, text in sections.items() if text}
    )


def _size(recipe: Recipe) -> Size | None:
    """The size of its problems: per rank if they fill memory that way, or as its recipe states."""
    size = recipe.size
    fills = [run.fill for run in recipe.cases if run.fill]
    if size and any((each.value, each.of) == (size.coordinate, "rank") for each in fills):
        return size.model_copy(update={"of": "rank"})
    return size


def _problem(recipe: Recipe) -> tuple[str, ...]:
    """The options that determine the problem of a case."""
    if recipe.problem is not None:
        return recipe.problem
    return tuple(dict.fromkeys(name for run in recipe.cases for name in run.names))


def coordinates(recipe: Recipe) -> frozenset[str]:
    """The names in a recipe's patterns that are coordinates."""
    groups = [group_names(each.pattern) for each in recipe.metrics]
    return frozenset().union(*groups) - {VALUE, REGION}


def prints_times_only(recipe: Recipe) -> bool:
    """Whether a program with a size prints times of its own, and no rate."""
    times = [each for each in recipe.metrics if parse_unit(each.unit)[0] == "s"]
    is_rate = any(each.better == "higher" for each in recipe.metrics)
    return recipe.size is not None and not is_rate and any(not each.beyond_run for each in times)


def _from_outside(recipe: Recipe) -> tuple[Metric, ...]:
    """Metrics measured from outside of any program, and of each of several commands."""
    return (_COMMAND_TIME, _RUN_TIME) if recipe.executables[1:] else (_RUN_TIME,)


def _metric(quantity: Quantity) -> Metric:
    unit, _ = parse_unit(quantity.unit)
    return Metric(name=quantity.name, unit=unit, better=quantity.better, count=quantity.name)


def _ceilings(quantity: Quantity) -> Iterator[Ceiling]:
    if quantity.ceiling:
        reason = "no program computes or moves data faster than the machine"
        yield Ceiling(metric=quantity.name, by=quantity.ceiling, reason=reason)
    if quantity.most is not None:
        most = quantity.most * parse_unit(quantity.unit)[1]
        yield Ceiling(metric=quantity.name, most=most, reason="its recipe states it")


def _label(recipe: Recipe, quantity: Quantity, region: str) -> str:
    words = [recipe.display_name, *([region] if len(quantity.headline) > 1 else [])]
    words += [quantity.name] if sum(bool(each.headline) for each in recipe.metrics) > 1 else []
    return re.sub("_", " ", ", ".join(words))


def _figures(recipe: Recipe) -> Iterator[Figure]:
    """Each metric over its own coordinate, else by layout and over the cores."""
    for quantity in {each.name: each for each in recipe.quantities}.values():
        name = quantity.name.replace("_", " ")
        own = sorted(group_names(quantity.pattern) - {VALUE, REGION})
        if own:
            yield Figure(
                title=f"{name} over {own[0].replace('_', ' ')}",
                kind="curve",
                metric=quantity.name,
                x=own[0],
                x_label=own[0].replace("_", " "),
                least_values=_LEAST_VALUES,
                series=("region", "layout"),
                log_x=True,
                log_y=True,
            )
            continue
        yield Figure(
            title=f"{name} by layout", kind="bars", metric=quantity.name, series=("layout",)
        )
        yield Figure(
            title=f"{name} over the cores",
            kind="curve",
            metric=quantity.name,
            x="cores",
            x_label="cores",
            least_values=_LEAST_VALUES,
            series=("region",),
            log_x=True,
            log_y=True,
        )
