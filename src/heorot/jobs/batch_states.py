"""Names of job states in batch systems: queues, accounts and traces.

Sources: https://slurm.schedmd.com/job_state_codes.html, squeue.html and sacct.html, "JOB STATE
CODES", slurm.h of 25.11; OpenPBS doc/man1/qstat.1B; Torque 6.1.2 Administrator Guide; IBM Spectrum
LSF 10.1 Command Reference, bjobs, "LSF job termination reason logging"; flux-jobs(1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

from heorot.model.machine.site import BatchName

Phase = Literal["pending", "running", "ended", "unknown"]
End = Literal["ok", "failed", "cancelled", "timeout", "node_fail"]


def _words(words: str, phase: Phase, end: End | None = None) -> dict[str, tuple[Phase, End | None]]:
    return dict.fromkeys(words.split(), (phase, end))


# After the end of a job's processes it counts as running: its nodes are not free yet. The words of
# PBS, and EXIT of LSF, do not distinguish how a job ended.
STATES: Final[Mapping[BatchName, Mapping[str, tuple[Phase, End | None]]]] = {
    "slurm": {
        **_words("PENDING REQUEUED REQUEUE_HOLD REQUEUE_FED SPECIAL_EXIT RESV_DEL_HOLD", "pending"),
        **_words("RUNNING CONFIGURING POWER_UP_NODE COMPLETING SUSPENDED STOPPED", "running"),
        **_words("SIGNALING RESIZING STAGE_OUT EXPEDITING UPDATE_DB", "running"),
        **_words("COMPLETED", "ended", "ok"),
        **_words("FAILED OUT_OF_MEMORY LAUNCH_FAILED RECONFIG_FAIL", "ended", "failed"),
        **_words("CANCELLED PREEMPTED REVOKED", "ended", "cancelled"),
        **_words("TIMEOUT DEADLINE", "ended", "timeout"),
        **_words("NODE_FAIL BOOT_FAIL", "ended", "node_fail"),
    },
    "pbs": {
        **_words("Q H W T M", "pending"),
        **_words("R E S U B", "running"),
        **_words("C F X", "ended"),
    },
    "lsf": {
        **_words("PEND PSUSP WAIT PROV FWD_PEND", "pending"),
        **_words("RUN USUSP SSUSP", "running"),
        **_words("DONE", "ended", "ok"),
        **_words("EXIT", "ended"),
    },
    "flux": {
        **_words("DEPEND PRIORITY SCHED NEW", "pending"),
        **_words("RUN CLEANUP", "running"),
        **_words("COMPLETED", "ended", "ok"),
        **_words("FAILED", "ended", "failed"),
        **_words("CANCELED CANCELLED", "ended", "cancelled"),
        **_words("TIMEOUT", "ended", "timeout"),
    },
}
# LSF's reasons for the end of a job.
_LSF_REASONS: Mapping[str, End] = {
    **dict.fromkeys(("RUNLIMIT", "DEADLINE", "WINDOW", "CPULIMIT"), "timeout"),
    **dict.fromkeys(("OWNER", "ADMIN", "FORCE", "REMOVE", "PREEMPT"), "cancelled"),
    **dict.fromkeys(("ORPHAN_SYSTEM", "ZOMBIE", "REQUEUE_ADMIN"), "node_fail"),
}
# Negative codes: the PBS server's reasons for the end of a job; those of Torque differ.
_PBS_CODES: Mapping[str, End] = {
    "-29": "timeout",
    **dict.fromkeys(("-20", "-4", "-30"), "node_fail"),
}
_TORQUE_CODES: Mapping[str, End] = {**_PBS_CODES, "-11": "timeout"}
_PBS_SIGNALS = range(257, 321)  # 256 + number of the signal


def state_word(text: str) -> str:
    """The first word of a Slurm state: `CANCELLED` of `CANCELLED by 1000`, `CANCELLED+`."""
    return re.split(r"[ +,]", text.strip().upper(), maxsplit=1)[0]


def meaning_of(system: BatchName, text: str) -> tuple[Phase, End | None]:
    """Phase and end for a state; `unknown` for a word that is not in the table."""
    word = state_word(text) if system == "slurm" else text
    return STATES[system].get(word, ("unknown", None))


def lsf_end(word: str, code: int | None, reason: str) -> End:
    """Final state of a job of LSF.

    Args:
        word: DONE or EXIT.
        reason: begins with a word such as `TERM_OWNER`; may be empty.
    """
    if word == "DONE":
        return "ok"
    if not reason:
        return "timeout" if code == 140 else "failed"  # noqa: PLR2004 (SIGUSR2)
    named = (end for name, end in _LSF_REASONS.items() if reason.startswith(f"TERM_{name}"))
    return next(named, "failed")


def pbs_end(code: str, *, torque: bool, late: bool, deleted: bool) -> End:
    """Final state of a job of PBS.

    Args:
        code: its exit code as text; may be empty.
        torque: whether Torque wrote it.
        late: whether the job ran up to its time limit.
        deleted: whether the job was deleted.
    """
    meaning = (_TORQUE_CODES if torque else _PBS_CODES).get(code)
    number = int(code) if re.fullmatch(r"-?\d{1,9}", code, re.ASCII) else None
    if meaning == "timeout" or (late and number not in {0, None}):
        return "timeout"
    if meaning:
        return meaning
    if deleted or number is None or number in _PBS_SIGNALS:
        return "cancelled"
    return "ok" if number == 0 else "failed"
