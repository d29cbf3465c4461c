"""Validity of numbers: bounds, cross-checks, noise, placement; findings."""
