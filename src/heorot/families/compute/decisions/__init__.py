"""Branches and integer arithmetic: the work of programs with few flops."""
