"""Slurm on a lab: its configuration and its daemons."""
