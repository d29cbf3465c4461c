"""Sentences on stencils, random number generators and sorts."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.analyse.rows import best, largest
from heorot.analyse.templates.quantities import exactly, keys
from heorot.analyse.templates.template import amounts
from heorot.analyse.toolchains.libraries import name_library
from heorot.families.algorithms import templates
from heorot.families.algorithms.generators import MERSENNE, NORMALS, RANDOM, WORDS, XOSHIRO
from heorot.families.algorithms.sort import LIBRARY, MERGE, QUICK, SORT
from heorot.families.algorithms.stencil import BLOCKED, PLAIN, STENCIL, TOGETHER
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.point import Scalar

_POINTS = 7
_BITS = 64


def sentences(context: Context) -> list[Sentence]:
    """The sentences on the three programs."""
    found = (_stencil(context), _generators(context), _sorts(context))
    return [sentence for sentence in found if sentence is not None]


def _stencil(context: Context) -> Sentence | None:
    """The largest grid on one core: plain, and the gain by blocking and by time skewing."""
    plain = largest(_of(context, STENCIL, PLAIN, {"points": _POINTS}), "working_set_bytes")
    if plain is None:
        return None
    blocked, together = (
        best(_of(context, STENCIL, region, plain.point)) for region in (BLOCKED, TOGETHER)
    )
    return templates.STENCIL(
        evidence=keys(plain, blocked, together),
        plain=plain,
        points=_POINTS,
        size=exactly(float(plain.point["working_set_bytes"]), "B"),
        rates=amounts(
            (("plain", plain), ("cache blocking", blocked), ("temporal blocking", together))
        ),
    )


def _generators(context: Context) -> Sentence | None:
    """The fastest generator on one core, compared with the library's, and normal deviates."""
    words = {
        region: best(_of(context, RANDOM, region, {"output": WORDS}))
        for region in (XOSHIRO, MERSENNE)
    }
    own, library = words[XOSHIRO], words[MERSENNE]
    if own is None:
        return None
    normal = best(_of(context, RANDOM, XOSHIRO, {"output": NORMALS}))
    return templates.RANDOM(
        evidence=keys(own, library, normal),
        bits=_BITS,
        rates=amounts((("xoshiro256++", own), (name_library(context, RANDOM, library), library))),
        normal=normal,
    )


def _sorts(context: Context) -> Sentence | None:
    """The largest sort of random integers on one core, compared with other methods."""
    chosen = {"type": "integers", "order": "random"}
    quick = largest(_of(context, SORT, QUICK, chosen), "n")
    if quick is None:
        return None
    alike = chosen | {"n": quick.point["n"]}
    merge, library = (best(_of(context, SORT, region, alike)) for region in (MERGE, LIBRARY))
    return templates.SORT(
        evidence=keys(quick, merge, library),
        rate=quick,
        rates=amounts(
            (
                ("vectorised quicksort", quick),
                ("merge sort", merge),
                (name_library(context, SORT, library), library),
            )
        ),
    )


def _of(
    context: Context, benchmark: Benchmark, region: str, point: Mapping[str, Scalar]
) -> list[Result]:
    """The rows on one core of the program's first metric."""
    metric = benchmark.metrics[0].name
    return context.rows.find(benchmark.name, region, metric, point=dict(point), cores=1)
