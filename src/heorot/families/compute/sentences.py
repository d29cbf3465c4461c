"""Sentences on the programs of the family compute."""

from __future__ import annotations

from heorot.analyse.resident_sets import over, source_of
from heorot.analyse.rows import best, best_on_most_cores
from heorot.analyse.templates.quantities import exactly, keys, of_ends, plain, ratio
from heorot.families.compute import templates
from heorot.families.compute.peak import PEAK
from heorot.families.compute.processors import known_units
from heorot.families.compute.units import core_clock, vector_width
from heorot.families.compute.vectors.vector_kernels import VECTOR_KERNELS
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.run.identity import Stack

_DOUBLE = 8
# Rates that differ less are equal; so are values this close to a whole number.
_AS_FAST, _NEAR = 0.95, 0.1
_VECTORS = VECTOR_KERNELS.name
_CONTIGUOUS = {"access": "contiguous"}


def sentences(context: Context) -> list[Sentence]:
    """The sentences of the family."""
    found = (_peak(context), _all_cores(context), _caches(context), _vectors(context))
    return [sentence for sentence in found if sentence is not None]


def _peak(context: Context) -> Sentence | None:
    peak = best(context.rows.find(PEAK.name, "fma_double", "flop_rate", cores=1))
    if peak is None:
        return None
    clock = core_clock(context.rows, stack=peak.stack, cores=1)
    return templates.PEAK(
        evidence=keys(peak, clock),
        rate=peak,
        per_cycle=ratio(peak, clock, unit="flop/cycle"),
        clock=clock,
        pipes=None if clock is None else _pipes(context, peak, clock),
    )


def _pipes(context: Context, peak: Result, clock: Result) -> Claim | None:
    """The FMA rate and width of the pipes, compared with those of the processor."""
    found = context.rows.find(PEAK.name, peak.region, "flop_rate", stack=peak.stack)
    alone = [row for row in found if row.cores == 1]
    flops, known = peak.median / clock.median, known_units(context.machine.node.processor)
    if known is not None:
        widest = max(vector_width(row, {}) for row in alone) or known.width_bytes
        expected = known.flops_per_cycle(widest, _DOUBLE)
        if abs(flops / expected - 1.0) > _NEAR:
            return templates.SHOULD_DO.claim(
                core=known.core, bits=8 * widest, expected=exactly(expected, "flop/cycle")
            )
        template = templates.NARROWER if widest < known.width_bytes else templates.KNOWN_UNITS
        bits = 8 * known.width_bytes
        return template.claim(units=known.n, bits=bits, core=known.core, width=8 * widest)
    # Of the widths with equal rates the narrowest is the width of a pipe.
    width = min(vector_width(row, {}) for row in alone if row.median >= _AS_FAST * peak.median)
    if not width:
        return None
    n = flops / (2.0 * width / _DOUBLE)
    if round(n) < 1 or abs(n - round(n)) > _NEAR * n:
        return templates.NO_UNITS.claim()
    return templates.UNITS.claim(units=round(n), bits=8 * width)


def _all_cores(context: Context) -> Sentence | None:
    peaks = context.rows.find(PEAK.name, "fma_double", "flop_rate")
    one = best([row for row in peaks if row.cores == 1])
    every = best_on_most_cores(peaks)
    if one is None or every is None or every.cores == 1:
        return None
    return templates.ALL_CORES(rate=every, gain=ratio(every, one))


def _caches(context: Context) -> Sentence | None:
    """The rate in L1d and from memory, and where L1d ends."""
    near = best(_axpy(context, "r_max_l1"))
    if near is None:
        return None

    def same(metric: str) -> Result | None:
        return best(_axpy(context, metric, near.stack))

    far, end = same("r_max_memory"), same("first_level_end")
    sources = (source_of(context, row) for row in (near, far) if row is not None)
    return templates.CACHES(
        evidence=keys(near, far, end, *sources),
        near=near,
        over_near=over(context, near),
        far=far,
        over_far=None if far is None else over(context, far),
        gain=ratio(far, near),
        end=end,
    )


def _vectors(context: Context) -> Sentence | None:
    """The start-up overhead of a short vector."""
    start = best(_axpy(context, "latency"))
    if start is None or start.ci_low <= 0.0:
        return None
    found = {
        metric: best(_axpy(context, metric, start.stack))
        for metric in ("cycles_per_element", "n_half")
    }
    each, half = found["cycles_per_element"], found["n_half"]
    length = None
    if half is not None:
        ends = (half.median, max(0.0, half.ci_low), max(0.0, half.ci_high))
        length = of_ends(ends, half.n_launches, "elements", keys(half))
    return templates.SHORT_VECTORS(
        start=plain(start, "cycles"),
        each=None if each is None else plain(each, "cycles"),
        half=length,
    )


def _axpy(context: Context, metric: str, stack: Stack | None = None) -> list[Result]:
    """Rows of axpy on contiguous vectors."""
    return context.rows.find(_VECTORS, "axpy", metric, point=_CONTIGUOUS, stack=stack)
