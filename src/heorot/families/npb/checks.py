"""EP by ranks against EP by threads: the same work on the same cores."""

from __future__ import annotations

from heorot.analyse.validity.cross_checks import pair, per_stack
from heorot.families.npb.programs import EP
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck

# Ranks and threads do the same work on the same cores.
_LAYOUTS = 1.1


def cross_check(context: Context) -> list[CrossCheck]:
    """Every class of EP on all cores as threads against the same number of ranks."""
    checks: list[CrossCheck] = []
    for stack, suffix in per_stack(context):
        found = context.rows.find(EP.name, "ep", "operation_rate", stack=stack)
        alone = [row for row in found if not row.is_star]
        for threads in (row for row in alone if row.ranks == 1 and row.threads > 1):
            ranks = next(
                (
                    row
                    for row in alone
                    if row.threads == 1 and row.ranks == threads.threads
                    if row.nodes == threads.nodes
                    if row.point == threads.point
                ),
                None,
            )
            size = threads.point.get("class", "")
            quantity = f"EP class {size} on {threads.cores} cores{suffix}"
            checks += pair(quantity, (threads, ranks), ("threads", "ranks"), _LAYOUTS)
    return checks
