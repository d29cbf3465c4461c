"""The verdict on simulations of one workload: the best and worst policy by each metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from heorot.analyse.templates.template import SentenceTemplate
from heorot.model.analysis.result import Sentence
from heorot.throughput.analyse import templates
from heorot.throughput.model.measures import ThroughputMeasures

_DECIDING: tuple[tuple[SentenceTemplate, Callable[[ThroughputMeasures], float | None]], ...] = (
    (templates.BEST_MAKESPAN, lambda each: each.use.makespan),
    (templates.BEST_WAIT, lambda each: each.wait.mean if each.wait else None),
    (templates.BEST_SLOWDOWN, lambda each: each.slowdown.mean if each.slowdown else None),
)


def simulation_sentences(measures: Mapping[str, ThroughputMeasures]) -> Iterator[Sentence]:
    """The sentences; none for a single policy or equal values.

    Args:
        measures: by name of the policy.
    """
    for template, of in _DECIDING:
        known = {name: value for name, each in measures.items() if (value := of(each)) is not None}
        if len({*known.values()}) < 2:  # noqa: PLR2004 (one is no comparison)
            continue
        best, worst = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
        yield template(best=best, value=known[best], worst=worst, of_worst=known[worst])
