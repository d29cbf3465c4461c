"""What the programs of the family integers say, in sentences."""

from __future__ import annotations

from heorot.analyse.rows import best
from heorot.analyse.templates.quantities import ratio
from heorot.families.integers import templates
from heorot.families.integers.sieve import SIEVE
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Sentence


def sentences(context: Context) -> list[Sentence]:
    """How fast one core crosses out numbers, and in how many cycles if the clock is known.

    Args:
        context: the run.
    """
    rate = best(context.rows.find(SIEVE.name, "sieve", "crossing_rate", cores=1))
    if rate is None:
        return []
    clock = best(context.references.find("core_clock", cores=1, stack=rate.stack))
    return [templates.SIEVE(rate=rate, cycles=ratio(clock, rate))]
