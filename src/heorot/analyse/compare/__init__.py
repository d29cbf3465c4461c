"""Compares a run with another run or a published machine: pairs rows, tests ratios, summarises."""
