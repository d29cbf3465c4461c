"""Requests, plans and results of runs."""
