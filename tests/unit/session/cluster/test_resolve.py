"""Execution targets of jobs: facts queried from a batch system, and early refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from heorot.errors import SetupError, UsageError
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import Question, Queue
from heorot.launch.batch.slurm import Slurm
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import BatchName, Site, SiteBatch, SiteHost
from heorot.model.run.request import TargetRequest
from heorot.session.cluster.resolve import _within_queue, limits_of, resolve_target

SLURM = SiteBatch(system="slurm")


class Telling(BatchClient):
    """A batch system with queues."""

    def __init__(self, *queues: Queue) -> None:
        super().__init__(Slurm())
        self._queues = queues

    def ask(self, question: Question[Any]) -> Any:
        """The queues."""
        del question
        return self._queues


def target_with(queues: tuple[Queue, ...] = (), **wishes: object) -> ExecutionTarget:
    batch = SLURM.model_copy(update=wishes)
    return ExecutionTarget(LocalAdapter(), Site(batch=batch), 4, Telling(*queues), batch)


def test_jobs_have_what_the_site_and_its_batch_system_allow() -> None:
    limits = limits_of(target_with(time_limit_seconds=600.0))
    assert (limits.nodes, limits.batched, limits.limit_seconds) == (4, True, 600.0)
    assert limits.notice_seconds is not None
    assert limits.notice_seconds(600.0) == Slurm().notice_seconds(600.0) > 0.0
    here = limits_of(ExecutionTarget(LocalAdapter(), Site(), 1))
    assert (here.batched, here.limit_seconds, here.notice_seconds) == (False, None, None)
    alone = limits_of(
        ExecutionTarget(LocalAdapter(), Site(), 4, BatchClient(Slurm()))
    )  # in an allocation
    assert (alone.batched, alone.limit_seconds) == (False, None)


@pytest.mark.parametrize(
    ("queues", "wishes", "expected"),
    [
        ((), {"queue": "short"}, None),
        ((Queue("long"), Queue("short", is_default=True, max_seconds=600.0)), {}, 600.0),
        ((Queue("short", max_seconds=600.0),), {"time_limit_seconds": 300.0}, 300.0),
        ((Queue("short"),), {"queue": "short"}, None),
    ],
)
def test_the_limit_of_the_queue_is_kept(
    queues: tuple[Queue, ...], wishes: dict[str, object], expected: float | None
) -> None:
    batch = _within_queue(target_with(queues, **wishes), 2).batch
    assert batch is not None
    assert batch.time_limit_seconds == expected


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
        _within_queue(target_with(queues, queue=queue), 4)
    assert "short" in caught.value.hint


def test_more_nodes_than_there_are_are_refused() -> None:
    site = Site(hosts=(SiteHost(name="a"), SiteHost(name="b")))
    assert isinstance(resolve_target(TargetRequest(), site, 2).adapter, HostsAdapter)
    with pytest.raises(UsageError, match="3 nodes are asked for, the site file lists 2 nodes"):
        resolve_target(TargetRequest(), site, 3)
    with pytest.raises(UsageError, match="2 nodes are asked for, this machine is 1 node"):
        resolve_target(TargetRequest(), Site(), 2)


@pytest.mark.parametrize("system", ["slurm", "pbs", "lsf", "flux"])
def test_a_batch_system_that_is_not_there_is_named(
    system: BatchName, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match=f"of {system} is not in PATH") as caught:
        resolve_target(TargetRequest(batch=system), Site(), 2)
    assert "--batch local" in caught.value.hint
