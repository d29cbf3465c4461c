"""Jobs of all users on nodes, from answers of batch systems."""

from __future__ import annotations

import pytest

from heorot.launch.batch.dialect import Dialect
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm
from heorot.launch.occupants import Occupant, occupants
from heorot.process import Finished

QSTAT = """Job Id: 7.n0
    Job_Name = h1-0123456789ab
    job_state = R
    exec_host = n1/0*2+n2/1*2
    Variable_List = PBS_O_HOME=/root,PBS_O_LANG=C,
\tPBS_O_WORKDIR=/root
    exec_vnode = (n1:ncpus=2)+(n2:ncpus=2)

Job Id: 8.n0
    Job_Name = theirs
    job_state = Q

Job Id: 9.n0
    Job_Name = torque
    job_state = R
    exec_host = n3/0-2,5+n4/0+n4/1
"""


def _ask(dialect: Dialect, out: str, *, waiting: bool = False) -> list[Occupant]:
    found = occupants(dialect, waiting=waiting).read(Finished(0, out, ""))
    return list(found or ())


def test_slurm_tells_the_nodes_of_all() -> None:
    out = "12|RUNNING|8|n[1-2,4]|a|b\n13|COMPLETING|2|n7|J0001-0123456789ab\n14|PENDING|4||x\n"
    first, second = _ask(Slurm(), out)
    assert (first.id, dict(first.cores), first.name) == ("12", {"n1": 3, "n2": 3, "n4": 3}, "a|b")
    assert second.is_of_heorot
    assert not first.is_of_heorot
    assert [job.id for job in _ask(Slurm(), out, waiting=True)] == ["12", "13", "14"]
    assert "PENDING" in "".join(occupants(Slurm(), waiting=True).argv)
    assert "PENDING" not in "".join(occupants(Slurm()).argv)


def test_pbs_tells_cores_by_node() -> None:
    pro, torque = _ask(Pbs(), QSTAT)
    assert dict(pro.cores) == {"n1": 2, "n2": 2}
    assert pro.is_of_heorot
    assert dict(torque.cores) == {"n3": 4, "n4": 2}
    assert [job.id for job in _ask(Pbs(), QSTAT, waiting=True)] == ["7.n0", "8.n0", "9.n0"]


def test_lsf_and_flux_tell_them_too() -> None:
    (lsf,) = _ask(Lsf(), "5|RUN|12|8*hostA:4*hostB|their job\n6|PEND|-|-|x\n")
    assert dict(lsf.cores) == {"hostA": 8, "hostB": 4}
    flux = _ask(Flux(), "123|RUN|4|n[1-2]|theirs\n124|SCHED|4||x\n")
    assert [dict(job.cores) for job in flux] == [{"n1": 2, "n2": 2}]


def test_no_answer_is_not_nobody() -> None:
    assert occupants(Slurm()).read(Finished(1, "", "slurm_load_jobs error")) is None
    assert occupants(Lsf()).read(Finished(255, "", "No unfinished job found")) == ()
    assert occupants(Slurm()).read(Finished(0, "", "")) == ()


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("J0001-0123456789ab", True),
        ("J0001-0123456789ab.2", True),
        ("adf-1-0123456789ab", True),
        ("login-4711-3-0123456789ab", True),
        ("h1-0123456789ab", True),
        ("job-6f1e2d3c-aaaa-4bbb-8ccc-0123456789ab", False),
        ("wrap", False),
        ("J0001-0123456789AB", False),
    ],
)
def test_names_of_heorot_are_known(name: str, ours: bool) -> None:
    assert Occupant("1", name).is_of_heorot is ours
