"""One node in depth: roofs, what lies below them, what kernels promise, what copies lose."""
