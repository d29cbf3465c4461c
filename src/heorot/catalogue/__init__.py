"""Helps families to write their catalogue: sizes, layouts, estimates, headers of the sources."""
