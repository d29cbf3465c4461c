"""Meanings of batch systems' words, and ends of jobs where words do not distinguish them."""

from __future__ import annotations

import pytest

from heorot.jobs.batch_states import End, Phase, lsf_end, meaning_of, pbs_end, state_word
from heorot.model.machine.site import BatchName


@pytest.mark.parametrize(
    ("system", "word", "phase", "end"),
    [
        ("slurm", "PENDING", "pending", None),
        ("slurm", "SPECIAL_EXIT", "pending", None),
        ("slurm", "COMPLETING", "running", None),
        ("slurm", "STAGE_OUT", "running", None),
        ("slurm", "COMPLETED", "ended", "ok"),
        ("slurm", "OUT_OF_MEMORY", "ended", "failed"),
        ("slurm", "CANCELLED by 1000", "ended", "cancelled"),
        ("slurm", "CANCELLED+", "ended", "cancelled"),
        ("slurm", " preempted,requeued ", "ended", "cancelled"),
        ("slurm", "DEADLINE", "ended", "timeout"),
        ("slurm", "BOOT_FAIL", "ended", "node_fail"),
        ("slurm", "R", "unknown", None),
        ("pbs", "H", "pending", None),
        ("pbs", "E", "running", None),
        ("pbs", "F", "ended", None),
        ("pbs", "f", "unknown", None),
        ("lsf", "PSUSP", "pending", None),
        ("lsf", "USUSP", "running", None),
        ("lsf", "DONE", "ended", "ok"),
        ("lsf", "EXIT", "ended", None),
        ("lsf", "UNKWN", "unknown", None),
        ("flux", "SCHED", "pending", None),
        ("flux", "CLEANUP", "running", None),
        ("flux", "COMPLETED", "ended", "ok"),
        ("flux", "FAILED", "ended", "failed"),
        ("flux", "CANCELED", "ended", "cancelled"),
        ("flux", "TIMEOUT", "ended", "timeout"),
        ("flux", "INACTIVE", "unknown", None),
    ],
)
def test_states(system: BatchName, word: str, phase: Phase, end: End | None) -> None:
    assert meaning_of(system, word) == (phase, end)


def test_more_may_follow_a_state_of_slurm() -> None:
    assert state_word(" cancelled by 0 ") == state_word("CANCELLED+") == "CANCELLED"
    assert state_word("COMPLETED,REQUEUE_HOLD") == "COMPLETED"


@pytest.mark.parametrize(
    ("word", "code", "reason", "end"),
    [
        ("DONE", 0, "", "ok"),
        ("EXIT", 140, "", "timeout"),  # SIGUSR2
        ("EXIT", 140, "TERM_OWNER: job killed by owner", "cancelled"),
        ("EXIT", 1, "TERM_RUNLIMIT: job killed after reaching LSF run time limit", "timeout"),
        ("EXIT", None, "TERM_ZOMBIE", "node_fail"),
        ("EXIT", 130, "TERM_MEMLIMIT", "failed"),
        ("EXIT", 3, "", "failed"),
    ],
)
def test_ends_of_lsf(word: str, code: int | None, reason: str, end: str) -> None:
    assert lsf_end(word, code, reason) == end


@pytest.mark.parametrize(
    ("code", "torque", "late", "deleted", "end"),
    [
        ("0", False, False, False, "ok"),
        ("0", False, True, False, "ok"),  # it was just in time
        ("3", False, False, False, "failed"),
        ("3", False, True, False, "timeout"),
        ("256", False, False, False, "failed"),
        ("257", False, False, False, "cancelled"),  # by signal 1
        ("271", False, False, False, "cancelled"),
        ("271", True, True, False, "timeout"),
        ("320", False, False, False, "cancelled"),
        ("321", False, False, False, "failed"),
        ("-29", False, False, False, "timeout"),
        ("-11", True, False, False, "timeout"),
        ("-11", False, False, False, "failed"),
        ("-20", True, False, False, "node_fail"),
        ("-4", False, False, True, "node_fail"),
        ("0", False, False, True, "cancelled"),
        ("", False, False, False, "cancelled"),
        ("", False, True, False, "cancelled"),  # it may never have begun
        ("x1", False, False, False, "cancelled"),
        ("1" * 10, False, False, False, "cancelled"),
    ],
)
def test_ends_of_pbs(code: str, torque: bool, late: bool, deleted: bool, end: str) -> None:
    assert pbs_end(code, torque=torque, late=late, deleted=deleted) == end
