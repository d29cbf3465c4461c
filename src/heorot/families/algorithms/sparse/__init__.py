"""Iterative solvers: SpMV, sparse systems and eigenproblems, and a dense one."""
