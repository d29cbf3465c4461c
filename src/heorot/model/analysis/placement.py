"""Names of the rows for the cost of other placements of a program's ranks."""

from __future__ import annotations

NODE_LOSS = "node_loss"
"""Time of the same ranks on more nodes / on the fewest."""

DENSITY_LOSS = "density_loss"
"""Time of the same ranks with several per node / with one per node."""

THREADS = "threads_against_ranks"
"""Time of one rank of several threads per node / of one rank per thread."""

NETWORK_LOSS = "network_loss"
"""Time of the same over another network / over the fastest."""

SPEEDUP = "node_speedup"
"""Rate on full nodes / on the fewest nodes used in the same way."""

EFFICIENCY = "node_efficiency"
"""That speedup / the factor in nodes [1]."""

PLACEMENT_METRICS: tuple[str, ...] = (
    NODE_LOSS,
    DENSITY_LOSS,
    THREADS,
    NETWORK_LOSS,
    SPEEDUP,
    EFFICIENCY,
)
"""Quantities derived for programs on several nodes, in the order of their columns."""
