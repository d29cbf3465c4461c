"""Dialects of batch systems: names, options and answers of their commands."""
