"""What Slurm's words for the states of jobs mean, in its queue as in its accounts.

Source: https://slurm.schedmd.com/job_state_codes.html, squeue.html and sacct.html, "JOB STATE
CODES"; slurm.h of 25.11.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

Phase = Literal["pending", "running", "ended", "unknown"]
End = Literal["ok", "failed", "cancelled", "timeout", "node_fail"]

_PENDING = (
    "PENDING",
    "REQUEUED",
    "REQUEUE_HOLD",
    "REQUEUE_FED",
    "SPECIAL_EXIT",
    "RESV_DEL_HOLD",
)
# What follows the end of the job's processes counts: its nodes are not free yet.
_RUNNING = (
    "RUNNING",
    "CONFIGURING",
    "POWER_UP_NODE",
    "COMPLETING",
    "SUSPENDED",
    "STOPPED",
    "SIGNALING",
    "RESIZING",
    "STAGE_OUT",
    "EXPEDITING",
    "UPDATE_DB",
)
_ENDS: Mapping[str, End] = {
    "COMPLETED": "ok",
    "FAILED": "failed",
    "OUT_OF_MEMORY": "failed",
    "LAUNCH_FAILED": "failed",
    "RECONFIG_FAIL": "failed",
    "CANCELLED": "cancelled",
    "PREEMPTED": "cancelled",
    "REVOKED": "cancelled",
    "TIMEOUT": "timeout",
    "DEADLINE": "timeout",
    "NODE_FAIL": "node_fail",
    "BOOT_FAIL": "node_fail",
}
SLURM_STATES: Final[Mapping[str, tuple[Phase, End | None]]] = {
    **dict.fromkeys(_PENDING, ("pending", None)),
    **dict.fromkeys(_RUNNING, ("running", None)),
    **{word: ("ended", end) for word, end in _ENDS.items()},
}


def state_word(text: str) -> str:
    """The word of a state that more may follow, as in `CANCELLED by 1000` and `CANCELLED+`.

    Args:
        text: as Slurm writes it.
    """
    return re.split(r"[ +,]", text.strip().upper(), maxsplit=1)[0]


def slurm_state(text: str) -> tuple[Phase, End | None]:
    """What a state means; `unknown` for a word that is not in the table.

    Args:
        text: as Slurm writes it.
    """
    return SLURM_STATES.get(state_word(text), ("unknown", None))
