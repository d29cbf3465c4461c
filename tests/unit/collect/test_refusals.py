"""A program that reports that it cannot run here has not failed; a launcher's failure is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.model.run.plan import Step
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from tests.unit.collect.conftest import Remains


@pytest.mark.parametrize("code", [3, 1])  # not every launcher passes the code on
def test_a_refusal_is_no_failure(remains: Remains, step: Step, code: int) -> None:
    remains.ended("S0001", code=code)
    remains.record("S0001", "refused")
    collected = remains.collect(but(step, benchmark="messages/pingpong", ranks=1))
    (outcome,) = collected.outcomes
    assert (outcome.state, outcome.reason) == ("refused", "needs at least 2 ranks, has 1")
    assert not outcome.troubled
    assert collected.series == ()
    account = collected.account
    assert (account.submitted, account.refused, account.troubled) == (1, 1, 0)
    assert account.balanced


def test_a_refusal_without_a_reason(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=3)
    (outcome,) = remains.collect(step).outcomes
    assert (outcome.state, outcome.reason) == ("refused", "the program gave no reason")


def test_a_refusal_for_want_of_ranks_that_were_asked_for_is_a_failure(
    remains: Remains, step: Step
) -> None:
    remains.ended("S0001", code=3)
    remains.record("S0001", "refused")
    (outcome,) = remains.collect(but(step, benchmark="messages/pingpong")).outcomes
    assert (outcome.state, outcome.reason) == ("failed", "ran with 1 ranks instead of 2")


def test_a_refusal_beside_results_is_a_failure(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    path = remains.record("S0001", "stream")
    *lines, end = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, '{"type":"refused","reason":"x"}\n', end]))
    collected = remains.collect(step)
    assert collected.outcomes[0].state == "failed"
    assert collected.series == ()


def test_a_whole_record_is_no_refusal_whatever_the_exit_code(remains: Remains, step: Step) -> None:
    remains.ended("S0001", code=3)
    remains.record("S0001", "stream")
    (outcome,) = remains.collect(step).outcomes
    assert outcome.state == "failed"
    assert outcome.reason == "its record is complete, but it failed (exit code 3)"


_RULE = "-" * 74
# Open MPI 5.0.11, mpiexec in a job of a batch system that counts slots.
_NO_SLOTS = f"""{_RULE}
There are not enough slots available in the system to satisfy the 6
slots that were requested by the application:

  hostname

Either request fewer procs for your application, or make more slots
available for use.
{_RULE}
"""
_SLOTS = (
    ": There are not enough slots available in the system to satisfy the 6 slots that were "
    "requested by the application"
)
# The same, with a program that ends with 3; and one that warns first.
_PROGRAM = f"""{_RULE}
prterun detected that one or more processes exited with non-zero status,
thus causing the job to be terminated. The first process to do so was:

   Process name: [prterun-n1-123@1,0] Exit code:    3
{_RULE}
"""
_WARNS = f"{_RULE}\nWARNING: There was an error initializing an OpenFabrics device.\n{_RULE}\n"


@pytest.mark.parametrize(
    ("output", "cause"),
    [
        (
            _NO_SLOTS,
            _SLOTS,
        ),
        (
            _WARNS + _NO_SLOTS,
            _SLOTS,
        ),
        (_PROGRAM, ""),
        (
            "[mpiexec@n1] HYDU_sock_connect (sock.c:1): unable to connect\nmore\n",
            ": [mpiexec@n1] HYDU_sock_connect (sock.c:1): unable to connect",
        ),
        (
            "ssh: connect to host n2 port 22: Connection refused\r\n",
            ": ssh: connect to host n2 port 22: Connection refused",
        ),
        (
            "srun: job 5 queued\nsrun: error: task 0 launch failed\n",
            ": srun: error: task 0 launch failed",
        ),
        ("heorot: cannot stage /data/mesh\n", ": heorot: cannot stage /data/mesh"),
        ("a program's own words\n", ""),
        (f"{_RULE}\n", ""),
    ],
)
def test_what_a_launcher_said_is_the_reason(
    remains: Remains, step: Step, output: str, cause: str
) -> None:
    remains.ended("S0001", code=213)
    remains.output("S0001", output.encode())
    assert remains.collect(step).outcomes[0].reason == f"wrote no record (exit code 213){cause}"
