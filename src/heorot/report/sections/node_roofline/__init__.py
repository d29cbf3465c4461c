"""One node in depth: roofline, memory wall, what kernels promise, what company costs, plateaus."""
