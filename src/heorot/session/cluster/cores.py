"""How many cores of each node jobs ask for, where a batch system gives no more than that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heorot.launch.batch.dialect import NodeState
from heorot.model.machine.site import SiteBatch


def cores_to_ask(states: tuple[NodeState, ...], batch: SiteBatch, nodes: int) -> int | None:
    """So many cores as most nodes have that jobs of a site may get.

    Args:
        batch: how the site's jobs are submitted; of its parts, the one with the fewest cores
            counts.
        nodes: of the largest job, which all need to have so many cores.

    Returns:
        None if no cores are told.
    """
    words = {batch.constraint} if not batch.parts else {part.feature for part in batch.parts}
    # An expression is a feature that no node is told to have: then all of them count.
    kinds = ([node for node in states if word in node.features] or states for word in words)
    return min((n for n in (_usual(kind, nodes) for kind in kinds) if n), default=None)


def _usual(states: Sequence[NodeState], nodes: int) -> int | None:
    """The most frequent number of cores, of those that enough nodes have."""
    known = [node for node in states if node.cores]
    counts = Counter(node.cores or 0 for node in known if node.takes_jobs)
    counts = counts or Counter(node.cores or 0 for node in known)
    enough = [n for n in counts if sum(m for more, m in counts.items() if more >= n) >= nodes]
    return max(enough or counts, key=lambda n: (counts[n], n), default=None)
