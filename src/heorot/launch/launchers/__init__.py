"""Dialects of launchers, which start the ranks of a step; a file for each."""
