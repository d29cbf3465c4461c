"""Heorot evaluates parallel computers and explains what it finds."""

__version__ = "0.1.0"
