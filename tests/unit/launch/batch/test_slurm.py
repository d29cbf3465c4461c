"""The dialect of Slurm, on output of Slurm 22.05."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from heorot.errors import UsageError
from heorot.jobs.batch_states import STATES
from heorot.launch.batch.dialect import Part, Wants
from heorot.launch.batch.slurm import Slurm
from heorot.process import Finished
from heorot.throughput.workload.lines.sacct_words import UNDER_WAY, status
from tests.unit.launch.batch.answers import complained, said

SLURM = Slurm()
AT = "slurm/22.05"


def test_what_is_wanted_becomes_directives() -> None:
    wants = Wants(
        parts=(Part(nodes=4),),
        cores_per_node=8,
        limit_seconds=61.0,
        queue="main",
        account="physics-12",
        constraint="rack1&ib",
        directives=("--gres=gpu:1",),
    )
    assert SLURM.header(wants) == (
        "#SBATCH --nodes=4",
        "#SBATCH --no-requeue",
        "#SBATCH --ntasks-per-node=8",
        "#SBATCH --exclusive",
        "#SBATCH --time=2",
        "#SBATCH --partition=main",
        "#SBATCH --account=physics-12",
        "#SBATCH --constraint=rack1&ib",
        "#SBATCH --gres=gpu:1",
    )


def test_a_script_is_told_in_time_that_its_time_is_up() -> None:
    notice = "#SBATCH --signal=B:USR2@30"
    assert notice in SLURM.header(Wants(limit_seconds=300.0))
    assert SLURM.notice_seconds(300.0) == 90.0
    for short in (Wants(limit_seconds=299.0), Wants()):
        assert notice not in SLURM.header(short)
    assert SLURM.notice_seconds(299.0) == 0.0


def test_only_the_script_is_asked_to_end() -> None:
    question = SLURM.interrupt("7")
    assert question.argv == ("scancel", "--batch", "--signal=TERM", "7")
    # The message of 22.05 about a pending job, with exit code 228.
    waits = "Kill job error on job id 4: Job can not be altered now, try again later"
    assert question.read(Finished(228, "", f"scancel: error: {waits}\n")) == waits
    assert question.read(Finished(0, "", "")) == ""


def test_unlike_nodes_are_one_job_and_come_in_the_order_of_the_parts() -> None:
    parts = (Part(nodes=1, feature="fat"), Part(nodes=3, feature="thin"))
    assert "#SBATCH --constraint=[fat*1&thin*3]" in SLURM.header(Wants(parts=parts))
    both = Wants(parts=parts, constraint="ib")
    assert "#SBATCH --constraint=[(ib&fat)*1&(ib&thin)*3]" in SLURM.header(both)
    assert "for feature in fat;" in SLURM.job_environment(Wants(parts=parts)).list_hosts
    assert (
        SLURM.job_environment(Wants()).list_hosts == 'scontrol show hostnames "$SLURM_JOB_NODELIST"'
    )
    with pytest.raises(UsageError, match="features"):
        SLURM.header(Wants(parts=(Part(nodes=1, feature="fat"), Part(nodes=3))))


def test_the_queue_is_read() -> None:
    states = SLURM.query(["1"]).read(said(f"{AT}/squeue.txt"))
    assert states is not None
    phases = {job: (state.phase, state.end) for job, state in states.items()}
    assert phases["1"] == ("running", None)
    assert phases["2"] == ("ended", "ok")
    assert phases["3"] == ("ended", "failed")
    assert phases["6"] == ("ended", "cancelled")
    assert phases["14"] == ("pending", None)  # several jobs in one
    assert len(states) == 17


def test_the_reason_that_holds_a_comma_and_a_blank_is_shown_as_it_is() -> None:
    states = SLURM.query(["9"]).read(said(f"{AT}/squeue.txt"))
    assert states is not None
    assert states["9"].phase == "pending"
    assert states["9"].reason == "ReqNodeNotAvail, UnavailableNodes:n6"
    assert states["10"].reason == "JobHeldUser"
    assert states["1"].reason == ""


def test_times_are_local_and_a_planned_start_is_none() -> None:
    states = SLURM.query(["5"]).read(said(f"{AT}/squeue.txt"))
    assert states is not None
    assert states["5"].started == datetime(2026, 11, 22, 19, 54, 11).timestamp()  # noqa: DTZ001
    assert states["5"].limit_seconds == 600.0
    assert states["12"].limit_seconds == 5 * 86400.0
    assert states["13"].limit_seconds is None
    assert states["9"].started is None


def test_every_end_is_known() -> None:
    answer = said(f"{AT}/squeue-ended.txt")
    ends: dict[str, tuple[str, str | None]] = {}
    for line in answer.out.splitlines():
        states = SLURM.query(["1"]).read(Finished(0, line, "")) or {}
        ends |= {state.raw: (state.phase, state.end) for state in states.values()}
    assert ends == {
        "COMPLETING": ("running", None),
        "CANCELLED": ("ended", "cancelled"),
        "NODE_FAIL": ("ended", "node_fail"),
        "TIMEOUT": ("ended", "timeout"),
    }


def test_a_forgotten_job_is_no_silence() -> None:
    assert SLURM.query(["9"]).read(complained(f"{AT}/squeue-unknown-job.err")) == {}
    assert SLURM.query(["9"]).read(complained(f"{AT}/squeue-unreachable.err")) is None
    assert SLURM.query(["9"]).read(Finished(124, "", "")) is None
    assert SLURM.query(["9"]).read(Finished(127, "", "not found")) is None


def test_the_controller_tells_how_a_job_ended() -> None:
    *shows, sacct = SLURM.account(["3"])
    states = shows[0].read(said(f"{AT}/scontrol-jobs.txt"))
    assert states is not None
    assert (states["3"].end, states["3"].code) == ("failed", 3)
    assert states["9"].reason.startswith("ReqNodeNotAvail")
    assert states["10"].eligible is None
    assert states["14"].phase == "pending"
    late = (shows[0].read(said(f"{AT}/scontrol-timeout.txt")) or {})["24"]
    assert (late.end, late.limit_seconds, late.reason) == ("timeout", 60.0, "TimeLimit")
    assert late.ended == datetime(2026, 11, 22, 20, 6, 34).timestamp()  # noqa: DTZ001
    assert sacct.read(complained(f"{AT}/sacct-disabled.err")) == {}


def test_an_account_that_is_kept_is_read() -> None:
    states = SLURM.account(["314831"])[-1].read(said("slurm/newer/sacct.txt"))
    assert states is not None
    assert [state.end for state in states.values()] == ["timeout", "ok", "cancelled"]
    never = states["314831"]
    assert (never.raw, never.started, never.queue) == ("CANCELLED by 30154", None, "b200,l40s")
    assert states["301099"].started == datetime(2026, 9, 4, 18, 52, 13).timestamp()  # noqa: DTZ001


def test_an_id_is_read_and_a_refusal_is_reported() -> None:
    read = SLURM.submit(Path("a.sh"), "J1").read
    assert read(Finished(0, "123\n", "")).id == "123"
    assert read(Finished(0, "sbatch: a site's greeting\n123;cluster\n", "")).id == "123"
    partition = read(complained(f"{AT}/refused/partition.err"))
    assert partition.outcome == "refused"
    assert partition.message == "Invalid partition name specified"
    for name in ("feature", "time", "option", "script"):
        assert read(complained(f"{AT}/refused/{name}.err")).outcome == "refused", name
    assert read(complained(f"{AT}/squeue-unreachable.err")).outcome == "unclear"
    assert read(Finished(124, "", "")).outcome == "unclear"
    assert read(Finished(0, "", "")).outcome == "unclear"


def test_names_are_unique_for_each_attempt() -> None:
    assert SLURM.name("J0001-0123456789ab", 1) == "J0001-0123456789ab"
    assert SLURM.name("J0001-0123456789ab", 2) == "J0001-0123456789ab.2"


def test_a_sign_that_slurm_would_replace_is_kept() -> None:
    argv = SLURM.submit(Path("/a%j/1.sh"), "J1", after="7").argv
    assert "--output=/a%%j/1.out" in argv
    assert "--dependency=afterany:7" in argv


def test_a_character_that_slurm_would_remove_is_refused() -> None:
    argv = SLURM.submit(Path("/back\\slash/1.sh"), "J1").argv
    assert "--output=/dev/null" in argv
    assert argv[-1] == "/back\\slash/1.sh"


def test_partitions_are_read() -> None:
    main, small, shut = SLURM.queues().read(said(f"{AT}/scontrol-partitions.txt"))
    assert (main.name, main.is_default, main.accepts) == ("main", True, True)
    assert (main.max_seconds, main.default_seconds, main.n_nodes) == (7200.0, 600.0, 6)
    assert (small.min_nodes, small.max_nodes, small.max_seconds) == (1, 1, 86400.0)
    assert (shut.accepts, shut.state, shut.max_seconds) == (False, "DOWN", None)


def test_partitions_of_newer_versions_are_read_even_with_blanks_in_their_names() -> None:
    dev, amd = SLURM.queues().read(said("slurm/newer/scontrol-partitions.txt"))
    assert (dev.name, dev.is_default, dev.n_nodes) == ("dev", True, 6)
    assert (amd.name, amd.is_default, amd.max_seconds) == ("CPU nodes (amd)", False, None)


def test_nodes_are_read() -> None:
    nodes = {node.name: node for node in SLURM.nodes().read(said(f"{AT}/sinfo-nodes.txt"))}
    assert {name: node.state for name, node in nodes.items()} == {
        "n1": "allocated",
        "n2": "mixed",
        "n3": "idle",
        "n4": "idle",
        "n5": "down",
        "n6": "down",
        "n7": "down",
    }
    assert nodes["n1"].features == ("fat", "rack1")
    assert nodes["n1"].cores == 2
    assert set(nodes["n2"].queues) == {"main", "small", "shut"}


def test_an_allocation_is_noticed() -> None:
    assert SLURM.inside({"SLURM_JOB_ID": "12", "SLURM_JOB_NODELIST": "n[1-2]"}) == "12"
    assert SLURM.inside({"SLURM_JOB_ID": "12"}) is None
    assert SLURM.inside({}) is None


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        ("idle", "idle"), ("idle~", "idle"), ("idle#", "idle"), ("idle!", "idle"),
        ("idle-", "idle"), ("mixed-", "mixed"), ("allocated+", "allocated"),
        ("mixed@", "mixed"), ("planned", "idle"), ("powering_up", "idle"),
        ("idle*", "down"), ("allocated*", "down"), ("idle%", "down"), ("idle^", "down"),
        ("down$*", "down"), ("drained*", "down"), ("idle$", "drained"), ("drained~", "drained"),
        ("inval", "down"), ("future", "down"), ("blocked", "drained"), ("reserved", "drained"),
        ("reboot^", "down"), ("INVAL", "down"), ("asleep", "unknown"), ("asleep*", "unknown"),
        ("", "unknown"),
    ],
)  # fmt: skip
def test_states_of_nodes(raw: str, state: str) -> None:
    (node,) = SLURM.nodes().read(Finished(0, f"n2|{raw}|64|(null)|batch\n", ""))
    assert (node.name, node.state, node.raw) == ("n2", state, raw)


def test_rows_that_are_not_understood_are_shown() -> None:
    good, odd = SLURM.nodes().read(Finished(0, "n1|idle|64|(null)|batch\nwarning: x|y\n", ""))
    assert (good.name, odd.name, odd.state, odd.raw) == ("n1", "", "unknown", "warning: x|y")
    states = SLURM.query(["7"]).read(Finished(0, "7|RUNNING|lab\n", "")) or {}
    assert (states["7"].phase, states["7"].name) == ("unknown", None)
    assert states["7"].reason == "a row is not understood: 7|RUNNING|lab"
    accounts = SLURM.account(["7"])[-1].read(Finished(0, "7|COMPLETED|0:0\n", "")) or {}
    assert accounts["7"].phase == "unknown"


def test_live_jobs_and_traces_have_one_table_of_states() -> None:
    line = "7|{}|lab|N/A|N/A|1:00|J1|None\n"
    swf = {"ok": 1, "failed": 0, "timeout": 0, "node_fail": 0, "cancelled": 5, None: -1}
    for word in STATES["slurm"]:
        state = (SLURM.query(["7"]).read(Finished(0, line.format(word), "")) or {})["7"]
        assert state.phase != "unknown"
        assert status(word) == (swf[state.end], word)
        assert (word in UNDER_WAY) is (state.end is None)
    assert STATES["slurm"]["EXPEDITING"] == ("running", None)
    assert STATES["slurm"]["PREEMPTED"] == ("ended", "cancelled")
