"""Names of the rows that tell what it costs to place the ranks of a program in another way."""

from __future__ import annotations

NODE_LOSS = "node_loss"
"""Time of as many ranks on more nodes / on the fewest."""

DENSITY_LOSS = "density_loss"
"""Time of as many ranks with several on each node / with a node for each."""

THREADS = "threads_against_ranks"
"""Time of one rank of several threads on each node / of a rank for each thread."""

NETWORK_LOSS = "network_loss"
"""Time of the same over another network / over the fastest."""

SPEEDUP = "node_speedup"
"""Rate on full nodes / on the fewest that are used in the same way."""

EFFICIENCY = "node_efficiency"
"""That speedup / how many times the nodes [1]."""

PLACEMENT_METRICS: tuple[str, ...] = (
    NODE_LOSS,
    DENSITY_LOSS,
    THREADS,
    NETWORK_LOSS,
    SPEEDUP,
    EFFICIENCY,
)
"""What is derived of programs that ran on several nodes, in the order of their columns."""
