"""Processes inside a lab: the supervisor, the nodes, and the agent that runs commands on them.

They use only the standard library, so that a node costs a fork and an agent a few milliseconds.
"""
