"""What became of many jobs, really run or simulated, as columns of equal length.

Times count from the begin of the day [s]; NaN where something never happened.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Taken:
    """Nodes that jobs of this timeline could not have; arrays have shape (m,) unless said.

    Attributes:
        node: its number; -1 where it is not known, or does not matter, which node it was.
        begin, end: of the time [s].
        share: how much of the node; of several that have no number how many [nodes].
        others: whether jobs of others had it; if not, it took no jobs.
        watched: shape (k, 2): begins and ends of the times in which anybody looked [s].
    """

    node: Integers
    begin: Floats
    end: Floats
    share: Floats
    others: Booleans
    watched: Floats


@dataclass(frozen=True, eq=False)
class Timeline:
    """Jobs in the order of their submission; every array has shape (n,) unless said.

    Attributes:
        labels: names with serial numbers, such as `adf7`; none where there are too many to name.
        kinds: index of each job's program in `kind_names`.
        kind_names: programs, in the order of their first job.
        submit: when it was submitted [s].
        eligible: since when nothing but room was missing; the same as `submit` without
            dependencies; NaN if it was never submitted [s].
        start: when its nodes were its own [s].
        end: when they were free again [s].
        cores: how many cores it took, in all.
        limit: for how long it asked; NaN for no limit known [s].
        fates: index of how it ended, in `fate_names`.
        fate_names: words such as ok, failed, timeout, vanished.
        places: numbers of the nodes that jobs had, job after job; empty if not known.
        offsets: shape (n + 1,): job i had `places[offsets[i]:offsets[i + 1]]`; empty if not known.
        node_names: of the nodes; empty if they have none.
        taken: what others had of it; None if nobody looked.
    """

    kinds: Integers
    kind_names: tuple[str, ...]
    submit: Floats
    eligible: Floats
    start: Floats
    end: Floats
    nodes: Integers
    cores: Integers
    limit: Floats
    fates: Integers
    fate_names: tuple[str, ...]
    n_nodes: int
    cores_per_node: int
    labels: tuple[str, ...] = ()
    places: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    offsets: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    node_names: tuple[str, ...] = ()
    taken: Taken | None = None
