"""The dialects of PBS, on output of PBS Pro, OpenPBS and Torque elsewhere."""

from __future__ import annotations

import os
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from heorot.launch.batch.dialect import Part, Wants
from heorot.launch.batch.pbs import Pbs
from heorot.process import Finished
from tests.unit.launch.batch.answers import said

PRO, TORQUE = Pbs(), Pbs("torque")
PARTS = (Part(nodes=1, feature="bigmem"), Part(nodes=3, feature="arch=zen"))


def test_nodes_are_chunks_of_one_and_properties_of_the_other() -> None:
    wants = Wants(parts=PARTS, cores_per_node=4, limit_seconds=90.5, queue="q1", account="a")
    assert PRO.header(wants)[:5] == (
        "#PBS -l select=1:ncpus=4:mpiprocs=4:bigmem=True+3:ncpus=4:mpiprocs=4:arch=zen",
        "#PBS -l place=scatter:excl",
        "#PBS -l walltime=00:01:31",
        "#PBS -q q1",
        "#PBS -A a",
    )
    assert TORQUE.header(wants)[0] == "#PBS -l nodes=1:ppn=4:bigmem+3:ppn=4:arch=zen"


def test_jobs_are_read() -> None:
    ids = ["68350.mycluster", "69301", "69302.mycluster", "1.mycluster"]
    states = PRO.query(ids).read(said("pbs/pro12-qstat-f.txt"))
    assert states is not None
    assert set(states) == set(ids[:3])
    waits, runs = states["68350.mycluster"], states["69301"]
    assert (waits.phase, waits.queue, waits.limit_seconds) == ("pending", "Q_express", 3600.0)
    assert waits.reason == "Not Running: Node is in an ineligible state: offline"
    assert (runs.phase, runs.name, runs.limit_seconds) == ("running", "Cu-dbp", 72 * 3600.0)
    assert runs.started == datetime(2013, 4, 20, 1, 36, 59).timestamp()  # noqa: DTZ001
    assert states["69302.mycluster"].phase == "pending"


def test_bodies_of_functions_in_the_environment_are_no_fields() -> None:
    ids = ["549159", "555716", "546437", "547637", "543984"]
    states = PRO.query(ids).read(said("pbs/ice-qstat-f-newlines.txt", code=153))
    assert states is not None
    assert [states[job].phase for job in ids] == ["pending", "running", "ended", "pending", "ended"]
    assert states["546437"].code == 271


def test_a_job_that_has_ended_is_remembered() -> None:
    state = (PRO.account(["4686875"])[0].read(said("pbs/katana-qstat-xf.txt")) or {})["4686875"]
    assert (state.phase, state.end, state.code, state.raw) == ("ended", "ok", 0, "F")
    assert state.ended == datetime(2023, 8, 10, 16, 11, 9).timestamp()  # noqa: DTZ001
    failed = (TORQUE.account(["179"])[0].read(said("pbs/torque-qstat-f.txt")) or {})["179"]
    assert (failed.phase, failed.end, failed.code) == ("ended", "failed", -1)
    assert "-x" not in TORQUE.account(["179"])[0].argv


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        ("Exit_status = 0", "ok"),
        ("Exit_status = 3", "failed"),
        ("Exit_status = 271", "cancelled"),
        ("Exit_status = -29", "timeout"),
        ("exit_status = -11", "timeout"),
        ("Exit_status = -20", "node_fail"),
        ("Exit_status = -11", "failed"),
        ("substate = 91", "cancelled"),
        ("Exit_status = 0\n    substate = 91", "cancelled"),
        (
            (
                "resources_used.walltime = 00:01:02\n    Resource_List.walltime = 00:01:00\n"
                "    Exit_status = 271"
            ),
            "timeout",
        ),
    ],
)
def test_ends_are_told_by_codes(lines: str, end: str) -> None:
    # Codes as in OpenPBS' job.h and Torque's guide, in the layout of qstat.
    text = f"Job Id: 7.srv\n    job_state = F\n    {lines}\n"
    assert (PRO.query(["7.srv"]).read(Finished(0, text, "")) or {})["7.srv"].end == end


def test_a_forgotten_job_is_no_silence() -> None:
    read = PRO.query(["7.srv"]).read
    # Messages of OpenPBS' pbs_messages.c and qstat.c.
    assert read(Finished(153, "", "qstat: Unknown Job Id 7.srv\n")) == {}
    finished = "qstat: 7.srv Job has finished, use -x or -H to obtain historical job information\n"
    assert read(Finished(35, "", finished)) == {}
    assert read(Finished(2, "", "qstat: cannot connect to server srv (errno=15010)\n")) is None


def test_submissions_are_read() -> None:
    read = PRO.submit(Path("a.sh"), "h").read
    assert read(Finished(0, "315259.kman.restech.unsw.edu.au\n", "")).id.startswith("315259.kman")
    refused = read(Finished(171, "", "qsub: Job violates queue and/or server resource limits\n"))
    assert (refused.outcome, refused.message) == (
        "refused",
        "Job violates queue and/or server resource limits",
    )
    lost = read(Finished(2, "", "qsub: cannot connect to server srv (errno=15010)\n"))
    assert lost.outcome == "unclear"


def test_names_are_short_and_unique() -> None:
    names = {PRO.name("J0001-0123456789ab", attempt) for attempt in range(1, 30)}
    assert len(names) == 29
    assert all(len(name) <= 15 and name[0].isalpha() for name in names)


def test_our_own_are_found_by_name() -> None:
    first, history = PRO.find("h1-0123456789ab")
    found = first.read(Finished(0, "12.srv\n13.srv\n", "")) or {}
    assert {job: state.name for job, state in found.items()} == {
        "12.srv": "h1-0123456789ab",
        "13.srv": "h1-0123456789ab",
    }
    assert "-x" in history.argv
    assert len(TORQUE.find("h")) == 1


def test_queues_and_nodes_are_read() -> None:
    (queue,) = PRO.queues().read(said("pbs/metacentrum-qstat-Qf.txt"))
    assert (queue.name, queue.max_seconds, queue.accepts) == ("gpu_long", 336 * 3600.0, False)
    (node,) = PRO.nodes().read(said("pbs/katana-pbsnodes.txt"))
    assert (node.name, node.state, node.raw, node.cores) == ("k254", "allocated", "job-busy", 32)


def test_a_command_on_another_host_has_its_streams_and_its_exit_code(tmp_path: Path) -> None:
    other = tmp_path / "pbs_tmrsh"
    other.write_text('#!/bin/bash\necho "on $1" >&2\nshift\n"$@" </dev/null >/dev/null 2>&1\n')
    other.chmod(0o755)
    words = PRO.job_environment(Wants()).on_host
    done = subprocess.run(  # noqa: S602 (they are words of a shell)
        f"{words} n7 bash -s 'a b'",
        shell=True,
        executable="/bin/bash",
        input='read -r line; echo "$line $1"; echo trouble >&2; exit 3\nheard\n',
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=dict(os.environ, PATH=f"{tmp_path}:{os.environ['PATH']}"),
    )
    assert (done.returncode, done.stdout) == (3, "heard a b\n")
    assert done.stderr.splitlines() == ["on n7", "trouble"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pbs_tmrsh"]
