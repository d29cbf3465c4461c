"""Functional acceptance of batch systems: features and their verdicts."""
