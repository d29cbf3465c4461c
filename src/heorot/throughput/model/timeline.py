"""Jobs of a test, real or simulated, as columns of equal length.

Times count from the start of the test [s]; NaN for events that did not occur.
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
    """Nodes unavailable to jobs of a timeline; arrays have shape (m,) unless stated.

    Attributes:
        node: its number; -1 if unknown or irrelevant.
        begin, end: of the time [s].
        share: of the node; without a number, how many nodes [nodes].
        others: whether jobs of other users held it; if not, it was down or drained.
        watched: shape (k, 2): begins and ends of the times in which the queue was watched [s].
    """

    node: Integers
    begin: Floats
    end: Floats
    share: Floats
    others: Booleans
    watched: Floats


@dataclass(frozen=True, eq=False)
class Timeline:
    """Jobs in the order of their submission; arrays have shape (n,) unless stated.

    Attributes:
        labels: class and serial number, such as `adf7`; empty for large workloads.
        kinds: index of each job's class in `kind_names`.
        kind_names: job classes, in the order of their first job.
        submit: time of submission [s].
        eligible: time from which it waited for nodes only; the same as `submit` without
            dependencies; NaN if it was never submitted [s].
        start: when its nodes were allocated [s].
        end: when they were released [s].
        cores: number of allocated cores.
        limit: requested time limit; NaN if unknown [s].
        states: index of its final state in `state_names`.
        state_names: final states, such as ok, failed, timeout.
        places: numbers of the nodes of jobs, job after job; empty if unknown.
        offsets: shape (n + 1,): job i had `places[offsets[i]:offsets[i + 1]]`; empty if unknown.
        node_names: of the nodes; empty if they have none.
        taken: nodes held by others; None if the queue was not watched.
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
    states: Integers
    state_names: tuple[str, ...]
    n_nodes: int
    cores_per_node: int
    labels: tuple[str, ...] = ()
    places: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    offsets: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    node_names: tuple[str, ...] = ()
    taken: Taken | None = None
