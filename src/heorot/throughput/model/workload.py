"""A workload: requests and submission times of jobs as columns, for up to millions of jobs.

The columns are those of the Standard Workload Format 2.2, with SI units; -1 is unknown. Executions
of the jobs, real or simulated, are a `Timeline`.
Source: D. G. Feitelson et al., The Standard Workload Format, 2.2 (18 fields).
"""

from __future__ import annotations

from dataclasses import dataclass, field

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

Jobs = npt.NDArray[np.void]
"""An array of type `JOB`, shape (n,)."""


@dataclass(frozen=True, eq=False)
class Workload:
    """Jobs in the order of their submission.

    Attributes:
        jobs: the columns, type `JOB`, sorted by `submit`.
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
