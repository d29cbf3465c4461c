"""Derived rows of messages: laws, parameters, comparisons, violated guidelines."""
