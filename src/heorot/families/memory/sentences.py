"""What the programs of the family memory say, in sentences."""

from __future__ import annotations

from heorot.analyse.rows import best, best_on_most_cores
from heorot.analyse.wording import cores, interval, keys, ratio
from heorot.families.memory.stream import STREAM
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Sentence


def sentences(context: Context) -> list[Sentence]:
    """What the numbers of the family mean.

    Args:
        context: the run.
    """
    found = _memory(context)
    return [found] if found else []


def _memory(context: Context) -> Sentence | None:
    triads = context.rows.find(STREAM.name, "triad", "bandwidth")
    every = best_on_most_cores(triads)
    if every is None:
        return None
    one = best([row for row in triads if row.cores == 1])
    peak = best(context.references.find("flop_peak", cores=every.cores))
    text = f"Memory feeds {cores(every)} {interval(every)} in triad"
    if one is not None and every.cores > 1:
        text += f", {ratio(every, one)} times what it feeds one"
    if peak is not None:
        text += (
            f"; that is {ratio(every, peak)} byte per flop of peak, so whatever does fewer than "
            f"{ratio(peak, every)} flops per byte waits for memory"
        )
    evidence = keys(every, one if one != every else None, peak)
    return Sentence(text=text + ".", evidence=evidence, weight=0.9)
