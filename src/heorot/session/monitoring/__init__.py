"""Watches the nodes while jobs run: samplers on them, counters of switches beside them."""

from __future__ import annotations

from heorot.session.monitoring.sampling import MONITOR, Watch, find_monitor, look, start, stop

__all__ = ["MONITOR", "Watch", "find_monitor", "look", "start", "stop"]
