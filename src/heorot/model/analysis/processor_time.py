"""Names of the rows for the processor time of whole launches."""

from __future__ import annotations

WHOLE_RUN = "whole_run"
"""The region of these rows: a program from start to end, including untimed parts."""

USER_TIME = "user_time"
"""User time, all ranks together [s]."""

SYSTEM_TIME = "system_time"
"""System time, all ranks together [s]."""

SYSTEM_SHARE = "system_share"
"""System time / (user time + system time) [1]."""

USER_SPEEDUP = "user_speedup"
"""User time of a body on one rank / that of the rank with most of it on several."""

PROCESSOR_METRICS: tuple[str, ...] = (USER_TIME, SYSTEM_TIME, SYSTEM_SHARE, USER_SPEEDUP)
"""In the order of the columns of their table."""
