"""Holds two runs against each other: which rows meet, what was different, what it amounts to."""
