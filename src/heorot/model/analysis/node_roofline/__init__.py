"""One node in depth: what units and memory allow, what kernels promise, what cores share."""
