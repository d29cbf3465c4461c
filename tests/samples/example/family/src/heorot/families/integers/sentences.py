"""What the programs of the family integers say, in sentences."""

from __future__ import annotations

from heorot.analyse.rows import best
from heorot.analyse.wording import interval, keys
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
    clock = best(context.references.find("core_clock", cores=1, toolchain=rate.toolchain))
    text = f"One core crosses out {interval(rate)} numbers"
    if clock is not None:
        text += f", one in {clock.median / rate.median:.2g} cycles of its clock"
    return [Sentence(text=f"{text}.", evidence=keys(rate, clock), weight=0.3)]
