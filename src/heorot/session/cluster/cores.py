"""Number of cores per node that jobs request, for batch systems that require it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heorot.launch.batch.dialect import NodeState
from heorot.model.machine.site import SiteBatch


def cores_to_ask(states: tuple[NodeState, ...], batch: SiteBatch, nodes: int) -> int | None:
    """The most frequent number of cores of the nodes available to jobs of a site.

    Args:
        batch: how the site's jobs are submitted; of its parts, the one with the fewest cores
            counts.
        nodes: of the largest job, all of which must have this number of cores.

    Returns:
        None if the numbers of cores are unknown.
    """
    words = {batch.constraint} if not batch.parts else {part.feature for part in batch.parts}
    # A logical expression matches no single feature: then all nodes count.
    kinds = ([node for node in states if word in node.features] or states for word in words)
    return min((n for n in (_usual(kind, nodes) for kind in kinds) if n), default=None)


def _usual(states: Sequence[NodeState], nodes: int) -> int | None:
    """The most frequent number of cores that at least `nodes` nodes have."""
    known = [node for node in states if node.cores]
    counts = Counter(node.cores or 0 for node in known if node.takes_jobs)
    counts = counts or Counter(node.cores or 0 for node in known)
    enough = [n for n in counts if sum(m for more, m in counts.items() if more >= n) >= nodes]
    return max(enough or counts, key=lambda n: (counts[n], n), default=None)
