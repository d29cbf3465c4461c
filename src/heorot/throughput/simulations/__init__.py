"""Scheduler simulations: sources of workloads, and their metrics."""
