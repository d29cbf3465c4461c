"""Heorot evaluates parallel computers and explains the results."""

__version__ = "0.1.0"
