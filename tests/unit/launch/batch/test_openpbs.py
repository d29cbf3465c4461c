"""PBS as OpenPBS 23.06 answers, and the preparation of its jobs for launchers."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from heorot.launch.batch.dialect import Part, Wants
from heorot.launch.batch.other_controls import (
    controls_of,
    read_holding,
    read_policy,
    read_reasons,
)
from heorot.launch.batch.pbs import Pbs
from heorot.process import Finished
from tests.unit.launch.batch.answers import complained, said

PLACE = "pbs/openpbs-23.06"
PRO, TORQUE = Pbs(), Pbs("torque")
# In the layout of Torque 6.1.2, Administrator Guide, pbsnodes.
TORQUE_NODES = """wn001.example.org
     state = free
     np = 24
     properties = lcgpro,fast
     ntype = cluster
     jobs = 0/1001.ce.example.org, 1/1002.ce.example.org
     status = rectime=1400000000,varattr=,jobs=1001.ce 1002.ce,state=free,ncpus=24

wn002.example.org
     state = free
     np = 24
     ntype = cluster
     status = rectime=1400000000,varattr=,jobs=,state=free,ncpus=24
"""
# vnodes for NUMA domains of a host, as made by the cgroups hook of PBS Pro.
VNODES = """n1
     Mom = n1
     state = free
     resources_available.host = n1
     resources_available.ncpus = 0

n1[0]
     Mom = n1
     state = {first}
     resources_available.host = n1
     resources_available.ncpus = 32
     resources_available.gpu_type = a100
     resources_available.bigmem = True

n1[1]
     Mom = n1
     state = {second}
     resources_available.host = n1
     resources_available.ncpus = 32
"""


def test_a_node_with_room_left_is_not_idle() -> None:
    nodes = PRO.nodes().read(said(f"{PLACE}/pbsnodes-a.txt"))
    assert [(n.name, n.state, n.raw, n.cores) for n in nodes] == [
        ("n1", "mixed", "free", 2),
        ("n2", "allocated", "job-busy", 2),
        ("n3", "mixed", "free", 2),
    ]
    nodes = TORQUE.nodes().read(Finished(0, TORQUE_NODES, ""))
    assert [(n.state, n.cores, n.features) for n in nodes] == [
        ("mixed", 24, ("lcgpro", "fast")),
        ("idle", 24, ()),
    ]


@pytest.mark.parametrize(
    ("first", "second", "state"),
    [
        ("free", "free", "idle"),
        ("free", "job-busy", "mixed"),
        ("job-exclusive", "job-busy", "allocated"),
        ("free", "offline", "drained"),
        ("job-busy,down", "free", "down"),
    ],
)
def test_vnodes_of_a_host_are_one_node(first: str, second: str, state: str) -> None:
    text = VNODES.format(first=first, second=second)
    (node,) = PRO.nodes().read(Finished(0, text, ""))
    assert (node.name, node.state, node.cores) == ("n1", state, 64)
    assert node.features == ("gpu_type=a100", "bigmem")


def test_the_line_that_explains_a_refusal_is_shown() -> None:
    read = PRO.submit(Path("a.sh"), "h").read
    refused = read(complained(f"{PLACE}/qsub-array.err", 2))
    assert (refused.outcome, refused.message) == (
        "refused",
        "cannot submit non-rerunable Array Job",
    )
    refused = read(complained(f"{PLACE}/qsub-interactive.err"))
    assert refused.message == (
        "standard input and output must be a terminal for interactive job submission"
    )


@pytest.mark.parametrize(
    ("text", "begins_again"), [("-J 1-3", True), ("-r y", True), ("-m n", False)]
)
def test_what_may_begin_again_is_not_kept_from_it(text: str, *, begins_again: bool) -> None:
    header = PRO.header(Wants(directives=(text,)))
    assert ("#PBS -r n" not in header) == begins_again
    assert header[-1] == f"#PBS {text}"


def test_unlike_nodes_are_unlike_chunks() -> None:
    parts = (Part(nodes=1, cores=2, feature="host=n1"), Part(nodes=2))
    header = PRO.header(Wants(parts=parts, cores_per_node=1, exclusive=False))
    assert header[0] == ("#PBS -l select=1:ncpus=2:mpiprocs=2:host=n1+2:ncpus=1:mpiprocs=1")
    torque = TORQUE.header(Wants(parts=(Part(nodes=1, cores=2), Part(nodes=2))))
    assert torque[0] == "#PBS -l nodes=1:ppn=2+2:ppn=1"


def test_a_job_tells_what_it_has() -> None:
    held = read_holding(said(f"{PLACE}/qstat-f-running.txt"))
    assert (held.nodes, held.cpus, held.restarts, held.planned) == (2, 3, 0, None)
    held = read_holding(said(f"{PLACE}/qstat-f-waiting.txt"))
    assert (held.nodes, held.cpus) == (3, 6)
    held = read_holding(said(f"{PLACE}/qstat-xf.txt"))
    assert (held.nodes, held.cpus, held.restarts) == (3, 6, 0)
    torque = "Job Id: 7.srv\n    exec_host = n1/0+n1/1+n2/0\n"
    assert (read_holding(Finished(0, torque, "")).nodes) == 2
    assert (read_holding(Finished(0, torque, "")).cpus) == 3
    planned = "Job Id: 7.srv\n    estimated.start_time = Thu Nov 26 04:00:00 2026\n"
    assert read_holding(Finished(0, planned, "")).planned is not None
    assert read_holding(Finished(153, "", "qstat: Unknown Job Id 9.srv")).nodes is None


def test_the_server_tells_its_policy_and_not_that_of_its_scheduler() -> None:
    policy = read_policy(said(f"{PLACE}/print-server.txt"))
    assert policy.lines["node_fail_requeue"] == "310"
    assert (policy.backfills, policy.fair_share) == (None, None)
    text = "set server backfill_depth = 0\nset server job_sort_formula = fairshare_perc*10\n"
    policy = read_policy(Finished(0, text, ""))
    assert (policy.backfills, policy.fair_share) == (False, True)


def test_why_nodes_take_no_jobs() -> None:
    assert read_reasons(said(f"{PLACE}/pbsnodes-l.txt")) == (
        "n3: offline,job-exclusive heorot check",
    )


def test_what_one_waits_for_is_a_job_that_blocks() -> None:
    controls = controls_of(PRO)
    words = controls.interactive("h", (), ["-l", "select=1:ncpus=1"])
    assert words == (
        *("qsub", "-N", "h", "-l", "select=1:ncpus=1"),
        *("-W", "block=true", "-j", "oe", "-o", "/dev/null", "--", "/usr/bin/env"),
    )
    assert controls_of(TORQUE).interactive("h", (), ()) is None
    assert controls_of(TORQUE).on_nodes(("n1",)) is None  # its syntax is unknown


def prepared(
    place: Path, *, here: Path | None = None, then: str = "env -0", **variables: str
) -> dict[str, str]:
    """The environment of the steps of a job prepared in a place, or a command's output there."""
    bin_ = place / "bin"
    bin_.mkdir(exist_ok=True)
    tm = bin_ / "pbs_tmrsh"
    tm.write_text('#!/bin/bash\nprintf "%s\\n" "$@"\n')
    tm.chmod(0o755)
    job = here or place
    job.mkdir(exist_ok=True)
    text = f'cd -- "$1"; here=$PWD; eval "$0" || exit; (cd /; {then})'
    done = subprocess.run(
        ["/bin/bash", "-c", text, PRO.job_environment(Wants()).prepare, str(job)],
        env={"PATH": os.environ["PATH"], "PBS_O_PATH": str(bin_), **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    if then != "env -0":
        return dict.fromkeys(done.stdout.splitlines(), "")
    return dict(line.split("=", 1) for line in done.stdout.split("\0") if line)


def test_launchers_reach_other_hosts_without_ssh(tmp_path: Path) -> None:
    has = prepared(tmp_path)
    agent = tmp_path / "agent"
    for name in (
        *("OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent"),
        *("HYDRA_LAUNCHER_EXEC", "I_MPI_HYDRA_BOOTSTRAP_EXEC"),
    ):
        assert has[name] == str(agent)
    # Only the slots in the file of hosts.
    assert "pbs" in has["PRTE_MCA_ras"].removeprefix("^").split(",")
    words = [str(agent), "n7", "PATH=/x orted", "-mca", "'a b'"]
    done = subprocess.run(words, env=has, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["n7", "/bin/bash", "-c", "PATH=/x orted -mca 'a b'"]


def test_who_says_how_hosts_are_reached_is_heard(tmp_path: Path) -> None:
    has = prepared(
        tmp_path,
        OMPI_MCA_plm_rsh_agent="ssh -q",
        HYDRA_LAUNCHER="ssh",
        I_MPI_HYDRA_BOOTSTRAP="ssh",
        PRTE_MCA_ras="^x",
    )
    assert has["OMPI_MCA_plm_rsh_agent"] == "ssh -q"
    assert has["PRTE_MCA_ras"] == "^x"
    assert not {"HYDRA_LAUNCHER_EXEC", "I_MPI_HYDRA_BOOTSTRAP_EXEC"} & set(has)
    assert TORQUE.job_environment(Wants()).prepare == ""


@pytest.mark.parametrize("name", ["a b", "a:b", "it's", "a$b", "tab\t", "größe", "a;b", '"', "a*"])
def test_a_place_of_any_name_has_an_agent(tmp_path: Path, name: str) -> None:
    has = prepared(tmp_path, here=tmp_path / name)
    agent = has["PRTE_MCA_plm_ssh_agent"]
    # Launchers split names at colons, words at blanks, and pass some of them to a shell.
    assert re.fullmatch(r"/proc/\d+/cwd/agent", agent)
    assert {has[one] for one in has if one.endswith(("_agent", "_EXEC"))} == {agent}
    assert has["PRTE_MCA_plm_ssh_no_tree_spawn"] == has["OMPI_MCA_plm_rsh_no_tree_spawn"] == "1"
    used = prepared(tmp_path, here=tmp_path / name, then='"$PRTE_MCA_plm_ssh_agent" n7 orted -x')
    assert list(used) == ["n7", "/bin/bash", "-c", "orted -x"]


def test_in_a_plain_place_any_daemon_may_start_others(tmp_path: Path) -> None:
    assert "PRTE_MCA_plm_ssh_no_tree_spawn" not in prepared(tmp_path)
