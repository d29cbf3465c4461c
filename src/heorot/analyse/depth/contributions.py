"""The speed that an algorithm should have by the kernels it is made of, against the one it has.

An algorithm of which parts s_i of the flops are the work of kernels that run at rates r_i should
run at 1 / sum(s_i / r_i). The rates are those of kernels that go over working sets as large as the
algorithm's, on one core. A ratio above one says that it uses what it has fetched more than once
before it goes, as its kernels by themselves cannot.

Source: A. van der Steen, An evaluation of some Beowulf clusters, Utrecht, WFI-2000-07, sec. 6.2.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from heorot.analyse.depth.levels import Homes
from heorot.analyse.rows import derive
from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.levels import SHARE_OF_KERNELS
from heorot.model.analysis.depth.shares import Part, Promise
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Contribution

# Working sets as far apart do not match, unless one has left all caches.
_MOST_APART = 2.0


def find_promises(context: Context, homes: Homes) -> Iterator[tuple[Promise, Result]]:
    """What kernels promise every program that says what it is made of, with the row of the ratio.

    Args:
        context: the run; of the references, the rates of kernels.
        homes: knows how large working sets are.
    """
    for row in context.rows:
        benchmark = context.benchmarks.get(row.benchmark)
        if benchmark is None or not benchmark.contributions or row.unit != "flop/s":
            continue
        if row.derived or not row.ranked or row.cores > 1:
            continue
        of_region = [
            part
            for part in benchmark.contributions
            if not part.regions or row.region in part.regions
        ]
        parts = _parts(context, row, of_region, homes.working_set(row))
        if parts:
            yield _promise(row, parts)


def _parts(
    context: Context, row: Result, contributions: Sequence[Contribution], size: float | None
) -> tuple[Part, ...]:
    """All kernels with their rates; none if one of them was not measured with such a size."""
    if size is None:
        return ()
    found = [(each, _of_size(context, each.kernel, row.toolchain, size)) for each in contributions]
    return tuple(
        Part(kernel=each.title, share=each.share, rate=rate.median, key=rate.key)
        for each, rate in found
        if rate is not None and all(other is not None for _, other in found)
    )


def _of_size(context: Context, kernel: str, toolchain: str, size: float) -> Result | None:
    """The rate of a kernel with the working set that is nearest; None if none is near.

    The largest that was measured stands for all larger ones.
    """
    rows = [
        (abs(math.log(float(known) / size)), row)
        for row in context.references.find(kernel, cores=1, toolchain=toolchain)
        for known in [row.point.get("working_set_bytes", 0)]
        if not isinstance(known, str) and known > 0
    ]
    if not rows:
        return None
    largest = max(float(row.point["working_set_bytes"]) for _, row in rows)
    apart, nearest = min(rows, key=lambda each: each[0])
    return nearest if apart <= math.log(_MOST_APART) or size >= largest else None


def _promise(row: Result, parts: tuple[Part, ...]) -> tuple[Promise, Result]:
    promised = sum(part.share for part in parts) / sum(part.share / part.rate for part in parts)
    values = (row.median / promised, row.ci_low / promised, row.ci_high / promised)
    ratio = derive([row], SHARE_OF_KERNELS, "1", "higher", values, point=row.point)
    promise = Promise(
        benchmark=row.benchmark,
        case=row.case,
        toolchain=row.toolchain,
        region=row.region,
        point=row.point,
        parts=parts,
        promised=promised,
        found=Middle(median=row.median, low=row.ci_low, high=row.ci_high),
        key=ratio.key,
    )
    return promise, ratio
