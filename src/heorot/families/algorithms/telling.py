"""What stencils, generators of random numbers and sorts say, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.analyse.rows import best, largest
from heorot.analyse.wording import all_times, interval, keys, listed, times
from heorot.families.algorithms.generators import MERSENNE, NORMALS, RANDOM, WORDS, XOSHIRO
from heorot.families.algorithms.sort import LIBRARY, MERGE, RADIX, SORT
from heorot.families.algorithms.stencil import BLOCKED, PLAIN, STENCIL, TOGETHER
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.point import Scalar
from heorot.units import format_binary


def sentences(context: Context) -> list[Sentence]:
    """What the numbers of the three programs mean.

    Args:
        context: the run.
    """
    found = (_stencil(context), _generators(context), _sorts(context))
    return [sentence for sentence in found if sentence is not None]


def _stencil(context: Context) -> Sentence | None:
    """The largest grid on one core: plain, and what blocks and several steps in a pass gain."""
    plain = largest(_of(context, STENCIL, PLAIN, {"points": 7}), "working_set_bytes")
    if plain is None:
        return None
    blocked, together = (
        best(_of(context, STENCIL, region, plain.point)) for region in (BLOCKED, TOGETHER)
    )
    size = format_binary(float(plain.point["working_set_bytes"]))
    text = f"One core updates {interval(plain)} by a 7-point stencil on two grids of {size} in all"
    words = (
        (blocked, "as many in blocks that stay in a cache"),
        (together, "as many if a pass over the grid makes several steps"),
    )
    gains = all_times([(row, plain, gained) for row, gained in words if row is not None])
    if gains:
        text += f", {listed(gains)}"
    return Sentence(text=text + ".", evidence=keys(plain, blocked, together), weight=0.4)


def _generators(context: Context) -> Sentence | None:
    """The fastest words on one core, beside the library's, and normal deviates."""
    words = {
        region: best(_of(context, RANDOM, region, {"output": WORDS}))
        for region in (XOSHIRO, MERSENNE)
    }
    own, library = words[XOSHIRO], words[MERSENNE]
    if own is None:
        return None
    text = f"xoshiro256++ in vectors yields {interval(own)} of 64 random bits on one core"
    if library is not None:
        than = "as many as the library's Mersenne Twister does"
        text += f", {times(own, library, than)}"
    normal = best(_of(context, RANDOM, XOSHIRO, {"output": NORMALS}))
    if normal is not None:
        text += f", and {interval(normal)} that are normally distributed"
    return Sentence(text=text + ".", evidence=keys(own, library, normal), weight=0.3)


def _sorts(context: Context) -> Sentence | None:
    """The most random integers that one core sorted, beside other ways."""
    chosen = {"type": "integers", "order": "random"}
    radix = largest(_of(context, SORT, RADIX, chosen), "n")
    if radix is None:
        return None
    alike = chosen | {"n": radix.point["n"]}
    merge, library = (best(_of(context, SORT, region, alike)) for region in (MERGE, LIBRARY))
    n = radix.point["n"]
    text = f"One core sorts {n} random integers at {interval(radix)} by their digits"
    words = ((library, "as fast as std::sort"), (merge, "as fast as by merging"))
    others = all_times([(radix, row, than) for row, than in words if row is not None])
    if others:
        text += f", {listed(others)}"
    return Sentence(text=text + ".", evidence=keys(radix, merge, library), weight=0.4)


def _of(
    context: Context, benchmark: Benchmark, region: str, point: Mapping[str, Scalar]
) -> list[Result]:
    """The rows on one core that a program is told by."""
    metric = benchmark.metrics[0].name
    return context.rows.find(benchmark.name, region, metric, point=dict(point), cores=1)
