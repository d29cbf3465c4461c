"""Flux: its dialect, answers and controls."""
