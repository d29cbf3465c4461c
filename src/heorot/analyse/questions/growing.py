"""Weak scaling: the efficiency of programs whose problems grow with the cores.

As the work or memory per core is constant, time on more cores is no speedup. The comparable
quantity is the work per core and second: for equal work of every rank, the time on the fewest cores
divided by the time on more.

Source: J. L. Gustafson, Reevaluating Amdahl's Law, Communications of the ACM 31, 1988.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.analyse.questions.numbers import Both, Numbers, QuantityKey, size_of
from heorot.analyse.rows import derive
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark, Size
from heorot.model.run.experiment import Experiment
from heorot.model.run.identity import Setup

METRIC = "scaled_efficiency"
# Rates of all ranks together, whatever the work of each; rates of steps or of whole problems are
# comparable only for equal work.
_OF_ALL = ("flop/s", "B/s")
_ASKED = ("cores", "nodes")


def explain(context: Context, experiments: Sequence[Experiment]) -> list[Result]:
    """The efficiency of every setup of every experiment on more cores or nodes."""
    numbers = Numbers(context)
    found = {
        one.row.id: derive(
            [one.row, one.base], METRIC, "1", "higher", efficiency(one), point=one.row.point
        )
        for experiment in experiments
        if experiment.question in _ASKED
        for one in grown(context, numbers, experiment)
    }
    return [*found.values()]


def grown(context: Context, numbers: Numbers, asked: Experiment) -> Iterator[Both]:
    """Growing problems of an experiment, by the core count; empty for other experiments."""
    base, *others = asked.setups
    for setup in sorted({*asked.further, *others}, key=lambda setup: setup.cores):
        both = _grown(context, numbers, setup, base)
        if both is not None:
            yield both


def efficiency(both: Both) -> tuple[float, float, float]:
    """Work per core and second, over that of the fewest cores, with its interval."""
    n = both.row.cores / both.base.cores if both.row.better == "higher" else 1.0
    centre, low, high = both.faster
    return centre / n, low / n, high / n


def _grown(context: Context, numbers: Numbers, setup: Setup, base: Setup) -> Both | None:
    """The representative quantity of a program; None if its problem does not grow."""
    benchmark = context.benchmarks.get(setup.benchmark)
    size = benchmark.size if benchmark else None
    if benchmark is None or size is None or setup.ranks == base.ranks:
        return None
    same = [one for one in numbers.both(setup, base) if size.coordinate in one.row.point]
    if size.of == "rank" and same:
        rates = [one for one in same if _is_of_all(numbers, one)]
        return _main(benchmark, rates or [one for one in same if one.row.unit == "s"])
    if same:
        return None
    others = _of_other_sizes(numbers, size, setup, base)
    return _main(benchmark, [one for one in others if _is_of_all(numbers, one)])


def _of_other_sizes(numbers: Numbers, size: Size, setup: Setup, base: Setup) -> list[Both]:
    """Quantities of two setups with problems of one size each."""

    def by_quantity(one: Setup) -> dict[QuantityKey, Result]:
        rows = [row for row in numbers.rows(one) if size.coordinate in row.point]
        if len({row.point[size.coordinate] for row in rows}) != 1:
            return {}
        return {(row.metric, row.region, row.point.without(size.coordinate)): row for row in rows}

    few, many = by_quantity(base), by_quantity(setup)
    return [Both(row, few[place]) for place, row in many.items() if place in few]


def _is_of_all(numbers: Numbers, both: Both) -> bool:
    return both.row.unit in _OF_ALL and numbers.shares_work(both.row)


def _main(benchmark: Benchmark, found: Sequence[Both]) -> Both | None:
    """The quantity of the score card, of the largest problem; else the first."""
    shown = {(one.metric, one.region) for one in benchmark.headlines}
    return max(
        found,
        key=lambda one: (
            (one.row.metric, one.row.region) in shown,
            size_of(benchmark, one.row),
        ),
        default=None,
    )
