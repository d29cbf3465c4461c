"""Curves over a coordinate, and what marks their plateaus."""
