"""Simulated batch systems: the native core, its input and output."""
