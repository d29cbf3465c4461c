"""Simulated batch systems: the native core and how it is asked."""
