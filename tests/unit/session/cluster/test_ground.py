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
from heorot.model.run.plan import Step
from heorot.model.run.request import BatchName, Request
from heorot.session.cluster import ground as grounds
from heorot.session.cluster.ground import Ground, agent_of, find_ground
from tests.unit.collect.conftest import make_step
from tests.unit.session.conftest import NODE

MACHINE = Machine(hostname="login", nodes=(NODE,))
SLURM = SiteBatch(system="slurm")


def batch_ground(nodes: int = 4, **wishes: object) -> Ground:
    batch = SLURM.model_copy(update=wishes)
    return Ground(LocalAdapter(), Site(batch=batch), nodes, Slurm(), batch)


def on(number: int, nodes: int, seconds: float = 1.0, **changes: object) -> Step:
    return make_step(number, nodes=nodes, ranks=nodes, seconds=seconds, **changes)


def ids(jobs: list[list[Step]]) -> list[list[str]]:
    return [[step.id for step in job] for job in jobs]


def test_a_job_for_each_number_of_nodes() -> None:
    steps = [on(1, 2), on(2, 1), on(3, 4), on(4, 2)]
    assert ids(batch_ground().divide(steps)) == [["S0002"], ["S0001", "S0004"], ["S0003"]]
    assert ids(Ground(LocalAdapter(), Site(), 4).divide(steps)) == [
        ["S0001", "S0002", "S0003", "S0004"]
    ]


def test_a_time_limit_makes_several_jobs_and_waves_stay_together() -> None:
    wave = [on(n, 1, 100.0, each_node=True, place=(n - 3,), wave=3) for n in (3, 4)]
    ground = batch_ground(2, time_limit_seconds=600.0)
    jobs = ground.divide([on(1, 1, 100.0), on(2, 1, 100.0), *wave])
    assert ids(jobs) == [["S0001"], ["S0002"], ["S0003", "S0004"]]
    assert all(ground.limit_of(job) == 515.0 for job in jobs[:2])
    assert ground.limit_of(jobs[2]) == 600.0  # more than is allowed is not asked for
    assert ground.longest_seconds == pytest.approx((600.0 - 125.0 - 90.0) / 3.0)


def test_without_a_limit_a_job_asks_for_what_it_needs() -> None:
    ground = batch_ground()
    assert ground.limit_of([on(1, 1, 1000.0)]) == 3125.0 + 90.0
    assert ground.longest_seconds is None


def test_copies_on_each_node_need_all_nodes_even_if_one_is_repeated() -> None:
    again = on(1, 1, each_node=True, place=(0,))
    assert batch_ground(4).nodes_of([again]) == 4
    assert batch_ground(4).nodes_of([on(1, 2, place=(2, 3))]) == 4


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
