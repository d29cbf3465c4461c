"""Reasons for poor scaling and for gains or losses on other nodes: phases, caches, bandwidth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from heorot.analyse.explain import copies, scaling
from heorot.analyse.explain.reach import Reach
from heorot.analyse.explain.spread.divisions import Divisions
from heorot.analyse.memory_bandwidth import memory_bandwidth
from heorot.analyse.questions.numbers import Both
from heorot.analyse.rows import over
from heorot.analyse.templates.explain import LESS_THAN_ITS_SHARE, UNEXPLAINED_GAIN
from heorot.analyse.templates.quantities import is_difference, of_ends
from heorot.analyse.templates.questions import BANDWIDTH
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.answers import EFFICIENT, SUPERLINEAR
from heorot.model.run.experiment import Question
from heorot.model.run.identity import Key, Stack

# Two doubles read and one written, as in most loops over grids.
_OPERATION = "triad"


@dataclass(frozen=True)
class Reasons:
    """Reasons for the scaling of programs, and for their gains or losses on less full nodes.

    Attributes:
        context: the run; of the references, `memory_bandwidth`.
    """

    context: Context
    divisions: Divisions
    reach: Reach

    @cached_property
    def _degradations(self) -> Mapping[Key, Result]:
        """The loss of a copy to contention, by program, stack and point."""
        losses = (row for row in self.context.rows if row.metric == copies.METRIC)
        return {scaling.problem_of(row): row for row in losses}

    def of(self, question: Question, both: Both) -> tuple[Claim, ...]:
        """The reasons; empty if none is needed or known."""
        finders: Mapping[Question, Callable[[Both], Iterable[Claim | None]]] = {
            "cores": self._on_more_cores,
            "nodes": self._on_full_nodes,
            "spread": self._on_less_full_nodes,
        }
        return tuple(filter(None, finders[question](both)))

    def _on_more_cores(self, both: Both) -> Iterable[Claim]:
        row, one = both.row, both.base
        degradation = self._degradations.get(scaling.problem_of(row))
        return scaling.reasons(row, one, self.divisions.of(row), degradation, self.reach)

    def _on_full_nodes(self, both: Both) -> Iterator[Claim | None]:
        """Why the gain is below or above the factor in nodes, beyond the interval."""
        n = both.row.nodes / both.base.nodes
        _, low, high = both.faster
        change = self.divisions.between(both.base, both.row)
        if high / n < EFFICIENT:
            yield change.grown(n) if change else None
        elif low / n > SUPERLINEAR:
            less = change and change.times(0, n)[2] < 1.0 / SUPERLINEAR
            if change and less:
                yield LESS_THAN_ITS_SHARE.claim(ratio=change.longer(0, n))
            else:
                yield UNEXPLAINED_GAIN.claim()

    def _on_less_full_nodes(self, both: Both) -> Iterator[Claim | None]:
        row, base = both.row, both.base
        _, low, high = both.longer
        if not is_difference(low, high):
            return
        change = self.divisions.between(base, row)
        if low > 1.0:
            yield change.grown() if change else None
            return
        yield change.shrunk() if change else None
        # Without a gain in computing, caches and memory are no explanation.
        if change is None or change.times(0)[2] < 1.0:
            yield self.reach.crossed(base, row) or self._bandwidth(row, base)

    def _bandwidth(self, row: Result, base: Result) -> Claim | None:
        """Memory bandwidth per core on the less full nodes; None for problems in caches."""
        if self.reach.level_of(base) != "memory":
            return None
        cores = [one.per_node * one.threads for one in (row, base)]
        stack = Stack(row.stack.toolchain, "")
        found = [memory_bandwidth(self.context, _OPERATION, n, stack) for n in cores]
        less, full = found
        if less is None or full is None or min(less.ci_low, full.ci_low) <= 0.0:
            return None
        centre, low, high = (end * cores[1] / cores[0] for end in over(less, full))
        launches = min(less.n_launches, full.n_launches)
        times = of_ends((centre, low, high), launches, rows=(less.id, full.id))
        return BANDWIDTH.claim(times=times) if low > 1.0 else None
