"""Programs over several nodes: the cost of other placements of their ranks, and its cause."""
