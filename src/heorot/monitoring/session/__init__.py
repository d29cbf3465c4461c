"""Watches the nodes while jobs run: samplers on them, counters of switches beside them."""

from __future__ import annotations

from heorot.monitoring.session.ask_watchers import accounts, note_accounts, note_watchers, watchers
from heorot.monitoring.session.sampled_hosts import Watch
from heorot.monitoring.session.sampling import MONITOR, find_monitor, look, start, stop

__all__ = [
    "MONITOR",
    "Watch",
    "accounts",
    "find_monitor",
    "look",
    "note_accounts",
    "note_watchers",
    "start",
    "stop",
    "watchers",
]
