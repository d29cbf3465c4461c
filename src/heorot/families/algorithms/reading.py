"""The share of the read bandwidth that array-streaming programs reach.

A `Ceiling` cannot express this, as it has only measured sizes: a matrix between two of them would
be compared with a smaller one, of which a larger part is in a cache.
"""

from __future__ import annotations

from heorot.analyse.memory_bandwidth import Reading
from heorot.families.algorithms.sparse.sparse_matrix_vector import SPARSE_MATRIX_VECTOR
from heorot.families.algorithms.stencil import BLOCKED, PLAIN, STENCIL
from heorot.families.algorithms.transforms.wavelet import WAVELET
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result

_SIZE = "working_set_bytes"
# Least implausible factor. Between two levels a part of a matrix is in the nearer one; coarse
# levels of a wavelet, and blocks of a grid, come from nearer caches than the rest.
_SLACK = {SPARSE_MATRIX_VECTOR.name: 1.5, WAVELET.name: 2.5, STENCIL.name: 2.5}
_REGIONS = {STENCIL.name: (PLAIN, BLOCKED)}


def judge(context: Context) -> list[Result]:
    """The bandwidths of these programs with their shares of the read bandwidth."""
    reading = Reading(context)
    judged = []
    for row in context.rows:
        if not _streams(row):
            continue
        size = float(row.point[_SIZE]) * (row.ranks if row.is_star else 1)
        limit = reading.at(size, row.cores, row.stack)
        if limit is not None:
            possible = row.ci_low <= _SLACK[row.benchmark] * limit
            update = {"share_of_ceiling": row.median / limit, "plausible": possible}
            judged.append(row.model_copy(update=update))
    return judged


def _streams(row: Result) -> bool:
    """Whether a row is a bandwidth of a program that streams arrays of a size."""
    regions = _REGIONS.get(row.benchmark, (row.region,))
    sized = not isinstance(row.point.get(_SIZE, ""), str)
    whole = row.nodes == 1 and not row.derived and row.plausible is not False
    streamed = row.benchmark in _SLACK and row.metric == "bandwidth" and row.region in regions
    return streamed and sized and whole
