"""Why as many ranks take more or less time on more nodes: their phases, caches, memory bandwidth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heorot.analyse.explain.reach import Reach
from heorot.analyse.explain.spread.divisions import Divisions
from heorot.analyse.memory_bandwidth import memory_bandwidth
from heorot.analyse.questions.numbers import Both
from heorot.analyse.rows import over
from heorot.analyse.templates.quantities import is_difference, of_ends
from heorot.analyse.templates.questions import BANDWIDTH
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Stack

# Two words read and one written, as most loops over grids have it.
_OPERATION = "triad"


@dataclass(frozen=True)
class Reasons:
    """What a run knows of why a program gains or loses on less full nodes.

    Attributes:
        context: the run; of the references, `memory_bandwidth`.
    """

    context: Context
    divisions: Divisions
    reach: Reach

    def of(self, both: Both) -> tuple[Claim, ...]:
        """The reasons; none if there is no difference, or none is known."""
        _, low, high = both.longer
        return tuple(self._found(both)) if is_difference(low, high) else ()

    def _found(self, both: Both) -> Iterator[Claim]:
        row, base = both.row, both.base
        is_slower = both.longer[1] > 1.0
        change = self.divisions.between(base, row)
        part = None
        if change:
            part = change.grown() if is_slower else change.shrunk()
        if part:
            yield part
        # What computing does not gain, no cache and no memory explains.
        gains = change.times(0)[2] < 1.0 if change else True
        if not is_slower and gains:
            own = self.reach.crossed(base, row) or self._bandwidth(row, base)
            if own:
                yield own

    def _bandwidth(self, row: Result, base: Result) -> Claim | None:
        """What each core gets of memory on the less full nodes; None of problems in caches."""
        if self.reach.home(base) != "memory":
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
