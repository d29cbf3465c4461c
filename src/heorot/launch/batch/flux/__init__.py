"""Flux: its dialect, its answers, what else it can do."""
