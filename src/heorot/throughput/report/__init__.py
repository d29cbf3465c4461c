"""Pages of a day of batch work, real or simulated, and their graphs over time."""
