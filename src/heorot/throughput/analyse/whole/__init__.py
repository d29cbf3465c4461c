"""Metrics of a whole timeline, in parts."""
