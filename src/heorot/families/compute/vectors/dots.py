"""Sentences on compute/dot_product: gain by partial sums, library and Fortran, by length."""

from __future__ import annotations

from heorot.analyse.rows import best, largest
from heorot.analyse.statistics.fits import find_plateaus
from heorot.analyse.templates.quantities import exactly, keys
from heorot.analyse.templates.template import amounts
from heorot.analyse.toolchains.libraries import name_library
from heorot.families.compute import templates
from heorot.families.compute.vectors.dot_product import DOT_PRODUCT
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence

_SIZE = "working_set_bytes"
_MINIMUM_POINTS = 3


def sentences(context: Context) -> list[Sentence]:
    """Comparison of the loops where they are fastest, and the drops between memory levels."""
    unrolled = _rates(context, "unrolled")
    top = best(unrolled)
    if top is None:
        return []
    unrolled = [row for row in unrolled if row.stack == top.stack]
    found = (_authors(context, top), _levels(unrolled))
    return [sentence for sentence in found if sentence is not None]


def _rates(context: Context, region: str) -> list[Result]:
    """Of one core."""
    return context.rows.find(DOT_PRODUCT.name, region, "flop_rate", cores=1)


def _authors(context: Context, top: Result) -> Sentence | None:
    """All loops at the length at which partial sums are fastest."""

    def there(region: str) -> Result | None:
        rows = _rates(context, region)
        return best([row for row in rows if row.stack == top.stack and row.point == top.point])

    simple, library, fortran = map(there, ("simple", "blas", "fortran"))
    if simple is None:
        return None
    return templates.DOT_LOOPS(
        evidence=keys(simple, top, library, fortran),
        unrolled=top,
        rates=amounts(
            (
                ("unrolled", top),
                ("naive", simple),
                (name_library(context, DOT_PRODUCT, library), library),
                ("Fortran", fortran),
            )
        ),
    )


def _levels(unrolled: list[Result]) -> Sentence | None:
    """The length at which the rate falls, and the rate beyond."""
    sizes = [float(row.point[_SIZE]) for row in unrolled]
    if len({*sizes}) < _MINIMUM_POINTS:
        return None
    plateaus = find_plateaus(sizes, [row.median for row in unrolled])
    top, far = best(unrolled), largest(unrolled, _SIZE)
    if len(plateaus) == 1 or top is None or far is None or far.ci_high >= top.ci_low:
        return None
    last = {plateau.high_bytes for plateau in plateaus[:-1]}
    edges = sorted((row for row in unrolled if float(row.point[_SIZE]) in last), key=_extent)
    return templates.DOT_LEVELS(
        evidence=keys(top, far, *edges),
        top=top,
        far=far,
        extent=exactly(_extent(far), "B"),
        ends=[templates.END.claim(size=exactly(size, "B")) for size in sorted(last)],
    )


def _extent(row: Result) -> float:
    return float(row.point[_SIZE])
