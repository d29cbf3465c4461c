"""The dialect of LSF, on output of LSF elsewhere."""

from __future__ import annotations

from pathlib import Path

from heorot.launch.batch.dialect import Part, Wants
from heorot.launch.batch.lsf import Lsf
from heorot.process import Finished
from tests.unit.launch.batch.answers import complained, said

LSF = Lsf()


def test_what_is_wanted_becomes_directives() -> None:
    wants = Wants(parts=(Part(nodes=2, feature="zen"),), cores_per_node=8, limit_seconds=61.0)
    assert LSF.header(wants) == (
        "#BSUB -n 16",
        '#BSUB -R "select[zen] span[ptile=8]"',
        "#BSUB -rn",
        "#BSUB -x",
        "#BSUB -W 2",
    )
    parts = (Part(nodes=1, feature="fat"), Part(nodes=2))
    assert LSF.header(Wants(parts=parts, cores_per_node=4))[1] == (
        '#BSUB -R "4*{select[fat] span[ptile=4]} + 8*{span[ptile=4]}"'
    )


def test_jobs_are_read() -> None:
    states = LSF.query(["1"]).read(said("lsf/bjobs.txt"))
    assert states is not None
    assert {job: (state.phase, state.end) for job, state in states.items()} == {
        "764213236": ("ended", "timeout"),
        "764220165": ("pending", None),
        "764220167": ("pending", None),
        "764254593": ("running", None),
        "764255172": ("running", None),
        "764245175": ("running", None),
        "764399747": ("ended", "ok"),
    }
    late = states["764213236"]
    assert late.name == "aiida-1033269"
    assert late.reason == "TERM_RUNLIMIT: job killed after reaching LSF run time limit"
    assert late.started is not None
    assert late.submitted is not None
    assert late.started - late.submitted == 60.0


def test_a_forgotten_job_is_no_silence() -> None:
    assert LSF.query(["864220165"]).read(complained("lsf/bjobs-unknown-job.err", 255)) == {}
    assert LSF.query(["1"]).read(Finished(255, "", "LSF is down. Please wait ...\n")) is None


def test_the_history_is_read() -> None:
    state = (LSF.account(["67593160"])[1].read(said("lsf/bjobs-l-exit.txt")) or {})["67593160"]
    assert (state.end, state.code, state.name, state.queue) == (
        "failed",
        127,
        "makeflow0",
        "normal",
    )


def test_submissions_are_read() -> None:
    question = LSF.submit(Path("/a/1.sh"), "J1")
    assert question.stdin == Path("/a/1.sh")
    assert question.read(said("lsf/bsub.txt")).id == "764254593"
    no = Finished(255, "", "nope: No such queue. Job not submitted.\n")
    assert question.read(no).message == "nope: No such queue."
    assert question.read(no).outcome == "refused"
    down = question.read(Finished(255, "", "LSF is down. Please wait ...\n"))
    assert down.outcome == "unclear"


def test_queues_are_read() -> None:
    (queue,) = LSF.queues().read(said("lsf/bqueues-l.txt"))
    assert (queue.name, queue.is_default, queue.accepts) == ("normal", True, True)
    assert queue.max_seconds is None


def test_hosts_are_asked_for_one_by_one_and_none_is_lost() -> None:
    question = LSF.nodes()
    assert question.argv == ("bhosts", "-w", "-X")
    # Lines of the command reference.
    rows = "HOST_NAME          STATUS          JL/U    MAX  NJOBS    RUN  SSUSP  USUSP    RSV\n"
    states = {
        "ok": "idle", "closed_Full": "allocated", "closed_Excl": "allocated",
        "closed_Adm": "drained", "closed_EGO": "drained", "closed_LIM": "down",
        "closed_RC": "drained", "unavail": "down", "unreach": "down", "closed_Zzz": "unknown",
    }  # fmt: skip
    rows += "".join(f"{word}-host {word} - 16 0 0 0 0 0\n" for word in states)
    nodes = question.read(Finished(0, f"{rows}busy ok - 16 3 3 0 0 0\ncut ok\n", ""))
    found = {node.raw: node.state for node in nodes if node.name.endswith("-host")}
    assert found == states
    assert [(node.name, node.state, node.raw) for node in nodes[-2:]] == [
        ("busy", "mixed", "ok"),
        ("", "unknown", "cut ok"),
    ]


def test_a_job_of_whose_row_nothing_is_understood_is_neither_gone_nor_ended() -> None:
    states = LSF.query(["7"]).read(Finished(0, "7|EXIT|1\n", "")) or {}
    assert (states["7"].phase, states["7"].end, states["7"].name) == ("unknown", None, None)
