"""Watches the nodes while jobs run: samplers on them, counters of switches beside them."""
