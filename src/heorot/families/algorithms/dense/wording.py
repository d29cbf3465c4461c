"""Parts common to sentences about programs of dense matrices."""

from __future__ import annotations

from heorot.analyse.rows import best
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result


def beside(
    context: Context, row: Result, benchmark: str, region: str, metric: str
) -> Result | None:
    """The row of another region, of the same matrix, case and toolchain."""
    found = context.rows.find(
        benchmark, region, metric, point=row.point, cores=row.cores, stack=row.stack
    )
    return best([other for other in found if other.case == row.case])
