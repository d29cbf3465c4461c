"""Workloads, days of batch work, and what is said about them."""
