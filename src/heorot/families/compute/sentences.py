"""What the programs of the family compute say, in sentences."""

from __future__ import annotations

from heorot.analyse.homes import over, source_of
from heorot.analyse.rows import best, best_on_most_cores
from heorot.analyse.wording import interval, keys, ratio, times
from heorot.families.compute.peak import PEAK
from heorot.families.compute.processors import known_units
from heorot.families.compute.units import core_clock, vector_width
from heorot.families.compute.vectors import dots
from heorot.families.compute.vectors.vector_kernels import VECTOR_KERNELS
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.run.identity import Stack
from heorot.units import format_binary, format_interval, format_quantity, plural

_DOUBLE = 8
# Rates that differ no more are alike; so is what is to be a whole number, and is not quite.
_AS_FAST, _NEAR = 0.95, 0.1
_VECTORS = VECTOR_KERNELS.name
_CONTIGUOUS = {"access": "contiguous"}


def sentences(context: Context) -> list[Sentence]:
    """What the numbers of the family mean.

    Args:
        context: the run.
    """
    found = (_peak(context), _all_cores(context), _caches(context), _vectors(context))
    return [*(sentence for sentence in found if sentence is not None), *dots.sentences(context)]


def _peak(context: Context) -> Sentence | None:
    peak = best(context.rows.find(PEAK.name, "fma_double", "flop_rate", cores=1))
    if peak is None:
        return None
    clock = core_clock(context.rows, stack=peak.stack, cores=1)
    text = f"One core computes {interval(peak)} in double precision"
    if clock is not None:
        text += f": {ratio(peak, clock)} flop in every cycle of its true clock of {interval(clock)}"
        text += _pipes(context, peak, clock)
    return Sentence(text=text + ".", evidence=keys(peak, clock), weight=0.9)


def _pipes(context: Context, peak: Result, clock: Result) -> str:
    """Which multiply-add units do so much, and whether the processor should do it."""
    found = context.rows.find(PEAK.name, peak.region, "flop_rate", stack=peak.stack)
    alone = [row for row in found if row.cores == 1]
    flops, known = peak.median / clock.median, known_units(context.machine.node.processor)
    if known is not None:
        widest = max(vector_width(row, {}) for row in alone) or known.width_bytes
        expected = known.flops_per_cycle(widest, _DOUBLE)
        if abs(flops / expected - 1.0) > _NEAR:
            with_vectors = f"a core of {known.core} with vectors of {8 * widest} bits"
            return f", and {with_vectors} should do {format_quantity(expected)}"
        units = f"the {_units(known.n, known.width_bytes)}"
        if widest < known.width_bytes:
            vectors = f"with vectors of {8 * widest} bits"
            return f", what {units} of a core of {known.core} do {vectors}"
        return f", the work of {units} that a core of {known.core} has"
    # Of the widths that are as fast the narrowest is what a unit takes.
    width = min(vector_width(row, {}) for row in alone if row.median >= _AS_FAST * peak.median)
    if not width:
        return ""
    n = flops / (2.0 * width / _DOUBLE)
    if round(n) < 1 or abs(n - round(n)) > _NEAR * n:
        return ", which is the work of no whole number of multiply-add units"
    return f", the work of {_units(round(n), width)}"


def _units(n: int, width_bytes: int) -> str:
    return f"{plural(n, 'multiply-add unit')} of {8 * width_bytes} bits"


def _all_cores(context: Context) -> Sentence | None:
    peaks = context.rows.find(PEAK.name, "fma_double", "flop_rate")
    one = best([row for row in peaks if row.cores == 1])
    every = best_on_most_cores(peaks)
    if one is None or every is None or every.cores == 1:
        return None
    return Sentence(
        text=(
            f"{every.cores} cores together compute {interval(every)}, "
            f"{times(every, one, 'as much as one')}."
        ),
        evidence=keys(every, one),
        weight=0.6,
    )


def _caches(context: Context) -> Sentence | None:
    """The two ends of the memory, and where the fast end ends."""
    near = best(_axpy(context, "r_max_l1"))
    if near is None:
        return None

    def same(metric: str) -> Result | None:
        found = context.rows.find(_VECTORS, "axpy", metric, point=_CONTIGUOUS, stack=near.stack)
        return best(found)

    far, end = same("r_max_memory"), same("first_level_end")
    text = f"Axpy runs at {interval(near)}{over(context, near)}"
    if far is not None:
        text += f", and at {interval(far)}{over(context, far)}, {times(far, near, 'as fast')}"
    if end is not None:
        low, high = format_binary(end.ci_low), format_binary(end.ci_high)
        text += f"; the first-level cache ends between {low} and {high}"
    sources = (source_of(context, row) for row in (near, far) if row is not None)
    evidence = dict.fromkeys(keys(near, far, end, *sources))
    return Sentence(text=text + ".", evidence=tuple(evidence), weight=0.7)


def _vectors(context: Context) -> Sentence | None:
    """What a short vector costs."""
    start = best(_axpy(context, "latency"))
    if start is None or start.ci_low <= 0.0:
        return None
    found = {
        metric: best(
            context.rows.find(_VECTORS, "axpy", metric, point=_CONTIGUOUS, stack=start.stack)
        )
        for metric in ("cycles_per_element", "n_half")
    }
    each, half = found["cycles_per_element"], found["n_half"]
    text = f"To start axpy costs {_cycles(start)}"
    if each is not None:
        text += f", every element {_cycles(each)}"
    if half is not None:
        ends = (max(0.0, half.ci_low), max(0.0, half.ci_high))
        length = format_interval(half.median, *ends, "elements", 2, launches=half.n_launches)
        text += f", so that vectors of {length} run at half speed"
    return Sentence(text=text + ".", evidence=keys(start, each, half), weight=0.4)


def _cycles(row: Result) -> str:
    return format_interval(row.median, row.ci_low, row.ci_high, "cycles", launches=row.n_launches)


def _axpy(context: Context, metric: str, stack: Stack | None = None) -> list[Result]:
    """Rows of axpy on contiguous vectors."""
    return context.rows.find(_VECTORS, "axpy", metric, point=_CONTIGUOUS, stack=stack)
