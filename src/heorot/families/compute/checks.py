"""What the core's own programs measure in two ways: its clock, by different chains."""

from __future__ import annotations

from heorot.analyse.rows import best
from heorot.analyse.trust.cross_checks import pair, per_stack
from heorot.families.compute.peak import CLOCK_REGIONS, PEAK
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck

# Dependent chains on one core, measured a moment apart while the clock moves.
_CHAINS = 1.05


def cross_check(context: Context) -> list[CrossCheck]:
    """The core clock by every dependent chain, against the most trustworthy one."""
    checks: list[CrossCheck] = []
    for stack, suffix in per_stack(context):
        found = [
            (
                region.removeprefix("clock_"),
                best(context.rows.find(PEAK.name, region, "clock", cores=1, stack=stack)),
            )
            for region in CLOCK_REGIONS
        ]
        measured = [(name, row) for name, row in found if row is not None]
        for name, row in measured[1:]:
            names = (f"chain of {measured[0][0]}", f"chain of {name}")
            checks += pair(f"core clock{suffix}", (measured[0][1], row), names, _CHAINS)
    return checks
