"""Monitors nodes while jobs run: samplers on the nodes, and counters of switches."""
