"""Which rank, on which host, is the slowest one again and again, and by how much."""
