"""Names of the rows that tell how long the processors worked for a whole launch of a program."""

from __future__ import annotations

WHOLE_RUN = "whole_run"
"""The region of these rows: a program from its start to its end, with all that is not timed."""

USER_TIME = "user_time"
"""Time that processors spent in the program, all ranks together [s]."""

SYSTEM_TIME = "system_time"
"""Time that they spent in the system on its behalf [s]."""

SYSTEM_SHARE = "system_share"
"""System time / (user time + system time) [1]."""

USER_SPEEDUP = "user_speedup"
"""User time of a body on one rank / that of the rank with most of it on several."""

PROCESSOR_METRICS: tuple[str, ...] = (USER_TIME, SYSTEM_TIME, SYSTEM_SHARE, USER_SPEEDUP)
"""In the order of the columns of their table."""
