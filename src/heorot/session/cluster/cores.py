"""How many cores of each node jobs ask for, where a batch system gives no more than that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heorot.launch.batch.dialect import NodeState
from heorot.model.machine.site import SiteBatch

_USABLE = frozenset({"idle", "mixed", "allocated"})


def cores_to_ask(nodes: tuple[NodeState, ...], batch: SiteBatch, n_nodes: int) -> int | None:
    """So many cores as most nodes have that jobs of a site may get.

    Args:
        nodes: as the batch system tells.
        batch: how the site's jobs are submitted; of its parts, the one with the fewest cores
            counts.
        n_nodes: of the largest job, which all need to have so many.

    Returns:
        None if no cores are told.
    """
    parts = {batch.constraint} if not batch.parts else {part.feature for part in batch.parts}
    found = [_usual(_matching(nodes, batch.queue, word), n_nodes) for word in parts]
    return min((n for n in found if n), default=None)


def _matching(
    nodes: Sequence[NodeState], queue: str | None, word: str | None
) -> Sequence[NodeState]:
    """Nodes of a queue with a feature; all where none is told to have it, as by an expression."""
    own = [node for node in nodes if not node.queues or not queue or queue in node.queues] or nodes
    return [node for node in own if word in node.features] or own


def _usual(nodes: Sequence[NodeState], n_nodes: int) -> int | None:
    """The most frequent number of cores, of those that enough nodes have."""
    told = [node for node in nodes if node.cores]
    counts = Counter(node.cores or 0 for node in told if node.state in _USABLE)
    counts = counts or Counter(node.cores or 0 for node in told)
    enough = [n for n in counts if sum(m for more, m in counts.items() if more >= n) >= n_nodes]
    return max(enough or counts, key=lambda n: (counts[n], n), default=None)
