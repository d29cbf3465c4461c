"""Execution targets of jobs, and descriptions of their nodes."""
