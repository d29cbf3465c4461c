"""Workloads: schedules, traces and models of what jobs are submitted when."""
