"""Starts the programs of a plan, survives being killed, and never loses a finished step."""
