"""How a job ended where the word of its state does not say it."""

from __future__ import annotations

import pytest

from heorot.jobs.words import lsf_end


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
