"""A workload: requests and submission times of jobs as columns, for up to millions of jobs.

The columns are those of the Standard Workload Format 2.2, with SI units; -1 is unknown. Executions
of the jobs, real or simulated, are a `Timeline`.
Source: D. G. Feitelson et al., The Standard Workload Format, 2.2 (18 fields).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

UNKNOWN = -1
"""An unknown value."""

JOB = np.dtype(
    [
        ("number", np.int64),
        ("submit", np.float64),
        ("wait", np.float64),
        ("run", np.float64),
        ("processors", np.int64),
        ("cpu_seconds", np.float64),
        ("memory_kib", np.float64),
        ("requested_processors", np.int64),
        ("requested_seconds", np.float64),
        ("requested_memory_kib", np.float64),
        ("status", np.int64),
        ("user", np.int64),
        ("group", np.int64),
        ("executable", np.int64),
        ("queue", np.int64),
        ("partition", np.int64),
        ("preceding", np.int64),
        ("think_seconds", np.float64),
    ]
)
"""One job. `submit` counts from the begin of the workload; `wait` and `run` [s] are as recorded;
`processors` and `memory_kib` (per processor) are allocated, `requested_*` requested;
`executable`, `queue` and others are indices (from 1) of names; `preceding` is the number of the job
that must end `think_seconds` before this one is submitted.
"""

COLUMNS = JOB.names or ()
"""Names of the columns of `JOB`."""

Column = npt.NDArray[Any]
Table = npt.NDArray[np.void]
"""An array of type `JOB`, shape (n,)."""


class Jobs:
    """Jobs as columns, each stored in the smallest type that has its values exactly.

    Of a million jobs all columns take 144 MB in their own types, and a fifth of that here.
    """

    def __init__(self, columns: Mapping[str, Column]) -> None:
        """Store columns.

        Args:
            columns: all those of `JOB`, shape (n,) each.
        """
        self._columns = {name: packed(columns[name]) for name in COLUMNS}

    @classmethod
    def of(cls, table: Table) -> Jobs:
        """The jobs of an array of type `JOB`."""
        return cls({name: table[name] for name in COLUMNS})

    @classmethod
    def joined(cls, parts: Sequence[Jobs]) -> Jobs:
        """The jobs of all parts in their order; there is at least one part."""

        def column(name: str) -> Column:
            return packed(np.concatenate([part._columns[name] for part in parts]))  # noqa: SLF001

        return cls({name: column(name) for name in COLUMNS})

    @property
    def size(self) -> int:
        """Number of jobs."""
        return self._columns["number"].size

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, name: str) -> Column:
        """A column in its type of `JOB`, shape (n,)."""
        return self._columns[name].astype(JOB[name])

    def chosen(self, which: npt.NDArray[np.integer[Any]] | slice) -> Jobs:
        """Some of the jobs, in this order."""
        return Jobs({name: column[which] for name, column in self._columns.items()})

    def replacing(self, columns: Mapping[str, Column]) -> Jobs:
        """The jobs with other values in some columns."""
        return Jobs({**self._columns, **columns})


def packed(values: Column) -> Column:
    """Numbers in the smallest type that has them exactly; equal ones are stored once."""
    if not values.size:
        return values
    low, high = values.min(), values.max()
    if low == high:
        return np.broadcast_to(values[:1].copy(), values.shape)
    for kind in (np.int8, np.int16, np.int32):
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max:
            small = values.astype(kind, copy=False)
            if values.dtype.kind == "i" or (small == values).all():
                return small
            break
    return np.ascontiguousarray(values)  # a part of a table would keep all of it


@dataclass(frozen=True, eq=False)
class Workload:
    """Jobs in the order of their submission.

    Attributes:
        jobs: the columns, sorted by `submit`.
        header: comments on the whole, such as `MaxNodes`, as in its file.
        names: names of numbered values, by column: `names["executable"][1]` is that of 1.
        processors_per_node: processors of a node; jobs take whole nodes where they request
            multiples of it.
        source: file or model, for reports.
        nodes: of each job, shape (n,); empty for as many as its processors fill.
    """

    jobs: Jobs
    header: dict[str, str] = field(default_factory=dict)
    names: dict[str, dict[int, str]] = field(default_factory=dict)
    processors_per_node: int = 1
    source: str = ""
    nodes: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
