"""Workloads: schedules, traces and models of job submissions."""
