"""Writes a run, or two runs side by side, as one HTML file that needs no network."""
