"""Compares two runs, or a run with what was published: which rows meet, what it amounts to."""
