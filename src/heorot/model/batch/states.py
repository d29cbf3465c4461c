"""The states of jobs, in one vocabulary for all commands."""

from __future__ import annotations

from typing import Literal

JobState = Literal[
    "ok",
    "failed",
    "timeout",
    "node_fail",
    "rejected",
    "cancelled",
    "vanished",
    "unfinished",
]
"""How a job ended, or unfinished: it waits or runs, was never submitted, or its end is unknown.
`vanished`: neither the batch system nor its script reports it."""
