"""Decides what runs, how often, in which order, and what does not and why."""
