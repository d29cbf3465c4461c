"""Synthetic results of a family: programs that run on ever more cores, as ranks and as threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.model.analysis.result import Result
from tests.unit.report.sample_results import Rows

CORES = (1, 2, 4, 8)


def family_rows(names: Sequence[str], cores: Sequence[int] = CORES) -> Iterator[Result]:
    """Rates of programs whose only region bears their name; threads lose more than ranks."""
    rows = Rows()
    for i, name in enumerate(names):
        for n in cores:
            for ranks, threads in {(n, 1), (1, n)}:
                rate = (1 + i) * 1e9 * n ** (0.9 if threads > 1 else 0.95)
                yield rows.make(
                    f"npb/{name}", name, "flop_rate", "flop/s", rate, point={"class": "A"},
                    ranks=ranks, threads=threads, case=f"A_{ranks}x{threads}",
                )  # fmt: skip
