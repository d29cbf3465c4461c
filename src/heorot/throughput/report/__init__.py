"""Pages of throughput tests, real or simulated, and their graphs over time."""
