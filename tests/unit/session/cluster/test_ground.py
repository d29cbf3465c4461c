"""Where jobs go: how steps become jobs, what they ask for, and what is refused before."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import SetupError, UsageError
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import Queue
from heorot.launch.batch.slurm import Slurm
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site, SiteBatch, SiteHost, SitePart
from heorot.model.run.request import BatchName, Request
from heorot.session.cluster import ground as grounds
from heorot.session.cluster.ground import Ground, agent_of, find_ground
from tests.unit.session.conftest import NODE

MACHINE = Machine(hostname="login", nodes=(NODE,))
SLURM = SiteBatch(system="slurm")


def batch_ground(nodes: int = 4, **wishes: object) -> Ground:
    batch = SLURM.model_copy(update=wishes)
    return Ground(LocalAdapter(), Site(batch=batch), nodes, Slurm(), batch)


def test_jobs_have_what_the_site_and_its_batch_system_allow() -> None:
    limits = batch_ground(4, time_limit_seconds=600.0).limits
    assert (limits.nodes, limits.batched, limits.limit_seconds) == (4, True, 600.0)
    assert limits.notice_seconds is not None
    assert limits.notice_seconds(600.0) == Slurm().notice_seconds(600.0) > 0.0
    here = Ground(LocalAdapter(), Site(), 1).limits
    assert (here.batched, here.limit_seconds, here.notice_seconds) == (False, None, None)
    alone = Ground(LocalAdapter(), Site(), 4, Slurm()).limits  # inside an allocation
    assert (alone.batched, alone.limit_seconds) == (False, None)


def test_what_a_job_asks_for() -> None:
    parts = (SitePart(nodes=1, feature="big"), SitePart(feature="thin"))
    ground = batch_ground(4, queue="short", account="me", parts=parts)
    header = "\n".join(ground.surroundings(4, 90.0).header)
    for wanted in ("short", "me", "big", "thin", "--exclusive"):
        assert wanted in header
    alone = Ground(LocalAdapter(), Site(), 4, Slurm())
    assert alone.surroundings(4, 90.0).header == ()  # inside an allocation nothing is asked for
    assert "SLURM" in alone.surroundings(4, 90.0).list_hosts


def test_hosts_of_a_site_are_reached_by_its_agent() -> None:
    site = Site(hosts=(SiteHost(name="a"), SiteHost(name="b")), agent=Path("/opt/my agent"))
    ground = Ground(HostsAdapter(agent_of(site), "a"), site, 2)
    around = ground.surroundings(2, None)
    assert around.list_hosts == "printf '%s\\n' a b"
    assert around.on_host == "'/opt/my agent'"
    assert around.describe
    assert ground.allocation(1, MACHINE).hosts == ("a",)
    assert Ground(LocalAdapter(), Site(), 1).allocation(1, MACHINE).hosts == ("login",)


@pytest.mark.parametrize(
    ("queues", "wishes", "expected"),
    [
        ((), {"queue": "short"}, None),
        ((Queue("long"), Queue("short", is_default=True, max_seconds=60.0)), {}, 60.0),
        ((Queue("short", max_seconds=60.0),), {"time_limit_seconds": 30.0}, 30.0),
        ((Queue("short"),), {"queue": "short"}, None),
    ],
)
def test_the_limit_of_the_queue_is_kept(
    queues: tuple[Queue, ...], wishes: dict[str, object], expected: float | None
) -> None:
    within = grounds._within(SLURM.model_copy(update=wishes), queues, 2)
    assert within.time_limit_seconds == expected


@pytest.mark.parametrize(
    ("queues", "queue", "message"),
    [
        ((Queue("long"), Queue("short")), "shrt", "slurm has no queue shrt"),
        ((Queue("short", max_nodes=3),), None, "4 nodes are asked for, a job in queue short may"),
        ((Queue("short", n_nodes=2),), "short", "4 nodes are asked for"),
    ],
)
def test_what_no_queue_gives_is_refused(
    queues: tuple[Queue, ...], queue: str | None, message: str
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        grounds._within(SLURM.model_copy(update={"queue": queue}), queues, 4)
    assert "short" in caught.value.hint


def test_more_nodes_than_there_are_are_refused() -> None:
    site = Site(hosts=(SiteHost(name="a"), SiteHost(name="b")))
    assert isinstance(find_ground(Request(nodes=(2,)), site).adapter, HostsAdapter)
    with pytest.raises(UsageError, match="3 nodes are asked for, the site file lists 2 nodes"):
        find_ground(Request(nodes=(1, 3)), site)
    with pytest.raises(UsageError, match="2 nodes are asked for, this machine is 1 node"):
        find_ground(Request(nodes=(2,)), Site())


@pytest.mark.parametrize("system", ["slurm", "pbs", "lsf", "flux"])
def test_a_batch_system_that_is_not_there_is_named(
    system: BatchName, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match=f"of {system} is not in PATH") as caught:
        find_ground(Request(nodes=(2,), batch=system), Site())
    assert "--batch local" in caught.value.hint
