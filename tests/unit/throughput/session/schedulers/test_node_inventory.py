"""The target of a test, and the watch on its nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.batch.pbs import Pbs
from heorot.launch.target import ExecutionTarget
from heorot.machine.description.yaml import read_site
from heorot.model.machine.site import Site, SiteBatch
from heorot.model.machine.toolchain import Mpi
from heorot.monitoring.model import Monitoring
from heorot.monitoring.session.sampled_hosts import Watch
from heorot.throughput.model.kinds import Part
from heorot.throughput.model.throughput import ThroughputFacts, ThroughputRequest, ThroughputTest
from heorot.throughput.session import monitored
from heorot.throughput.session.schedulers.batch_scheduler import BatchScheduler
from heorot.throughput.session.schedulers.fcfs_scheduler import HICCUP_SECONDS, FcfsScheduler
from heorot.throughput.session.schedulers.node_inventory import (
    resolve_for_throughput,
    scheduler_of,
    take_inventory,
)
from heorot.throughput.store import ThroughputDirectory
from tests.unit.launch.adapters.fake import Fake
from tests.unit.throughput.session.conftest import (
    MACHINE,
    PROGRAMS,
    Make,
    Seen,
    follow,
    make_arrival,
)

_SINFO = 'echo "n1|idle|4|(null)|main"; echo "n2|down*|4|(null)|main"; echo "n3|mixed|4|x|main"'
_SHOW = """
answer="PartitionName=main State=UP TotalNodes=3 Default=YES"
[[ $2 == partition || $3 == partition ]] && echo "$answer"
[[ $2 == config ]] && printf 'SchedulerType = sched/backfill\\nAuthType = auth/munge\\n'
exit 0
"""


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Fake]:
    """A batch system with three nodes, of which one is down."""
    fake = Fake(tmp_path / "batch")
    (fake.commands / "sinfo").write_text(f"#!/bin/bash\n{_SINFO}\n")
    (fake.commands / "scontrol").write_text(f"#!/bin/bash\n{_SHOW}\n")
    yield fake
    fake.end()


def _site(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.fixture
def site(fake: Fake, tmp_path: Path) -> Site:
    """The site with that batch system."""
    text = f"batch:\n  system: slurm\n  commands: '{fake.commands}'\n"
    return read_site(_site(tmp_path / "site.yaml", text))


def _throughput(tmp_path: Path, target: ExecutionTarget) -> ThroughputDirectory:
    """A test that is to run there."""
    directory = ThroughputDirectory.create(tmp_path / "day")
    names, machine = take_inventory(target).names, MACHINE
    directory.write_machine(machine)
    facts = ThroughputFacts(name="day", heorot_version="0", schedule="x", cores_per_node=4)
    directory.write_throughput_facts(facts.model_copy(update={"node_names": names}))
    return directory


def test_a_batch_system_reports_its_nodes_and_its_policy(site: Site, tmp_path: Path) -> None:
    target = resolve_for_throughput(ThroughputRequest(schedule="x"), site)
    found = take_inventory(target)
    assert (found.system, found.names, target.nodes) == ("slurm", ("n1", "n3"), 2)
    assert found.policy["scontrol show config"] == "SchedulerType = sched/backfill"
    assert "PartitionName=main" in found.policy["scontrol show partition"]
    assert isinstance(scheduler_of(_throughput(tmp_path, target), target, PROGRAMS), BatchScheduler)


def test_nodes_of_others_are_not_waited_for_to_be_described(fake: Fake, site: Site) -> None:
    def seen(sinfo: str, nodes: int | None = None) -> tuple[int, int, list[str]]:
        (fake.commands / "sinfo").write_text(f"#!/bin/bash\n{sinfo}\n")
        target = resolve_for_throughput(ThroughputRequest(schedule="x", nodes=nodes), site)
        found = take_inventory(target)
        remarks = [each.partition(", the others")[0] for each in found.remarks]
        return target.nodes, found.n_described, remarks

    reported = "nodes with jobs of other users at the start: n3; 1 node described"
    away = "unavailable nodes, not counted: n2 down*"
    assert seen(_SINFO) == (2, 1, [reported, away])
    assert seen(_SINFO, 1) == (1, 1, [away])
    assert seen(_SINFO.replace("mixed", "idle")) == (2, 2, [away])
    full = _SINFO.replace("mixed", "alloc").replace("idle", "alloc")
    assert seen(full)[:2] == (2, 1)


def test_hosts_of_a_site_get_their_jobs_by_an_agent(tmp_path: Path, make: Make) -> None:
    agent = tmp_path / "agent"
    agent.write_text('#!/bin/bash\necho "$1" >>"$0.asked"; shift; exec bash -c "$*"\n')
    agent.chmod(0o755)
    text = f"agent: '{agent}'\nhosts: [{{name: n1}}, {{name: n2}}, {{name: n3}}]\n"
    site = read_site(_site(tmp_path / "site.yaml", text))
    assert resolve_for_throughput(ThroughputRequest(schedule="x"), site).nodes == 3
    target = resolve_for_throughput(ThroughputRequest(schedule="x", nodes=2), site)
    found = take_inventory(target)
    assert (found.names, target.nodes, found.policy) == (("n1", "n2"), 2, {})
    scheduler = scheduler_of(_throughput(tmp_path, target), target, PROGRAMS)
    assert isinstance(scheduler, FcfsScheduler)
    work = make("one1", "true", nodes=2)
    scheduler.submit(work)
    follow(scheduler, 1)
    assert f"{agent}" in (work.place / "script.sh").read_text()
    assert scheduler._patience == HICCUP_SECONDS  # a node may be unreachable for a while
    assert set((tmp_path / "agent.asked").read_text().split()) >= {"n1"}


def test_this_computer_is_one_node() -> None:
    target = resolve_for_throughput(ThroughputRequest(schedule="x", batch="local"), Site())
    found = take_inventory(target)
    assert (target.nodes, found.names, found.policy, found.remarks) == (1, (), {}, ())


def _directory(tmp_path: Path) -> ThroughputDirectory:
    directory = ThroughputDirectory.create(tmp_path / "day")
    directory.write_request(ThroughputRequest(schedule="x", interval_seconds=2.0))
    directory.write_arrivals((make_arrival(at_seconds=100.0),))
    directory.write_machine(MACHINE)
    facts = ThroughputFacts(name="day", heorot_version="0", schedule="x", node_names=("n1", "n2"))
    directory.write_throughput_facts(facts)
    return directory


def test_samplers_last_as_long_as_the_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = _directory(tmp_path)
    asked: dict[str, object] = {}

    def start(hosts: tuple[str, ...], *_: object, **facts: object) -> Watch:
        asked.update(facts, hosts=hosts)
        directory.monitoring.mkdir()
        return Watch(directory.monitoring, hosts, (), 2.0, unwatched={"n2": "no route"})

    monkeypatch.setattr(
        ThroughputDirectory, "facts", lambda _: type("Facts", (), {"toolchains": ()})
    )
    monkeypatch.setattr(monitored, "find_monitor", lambda *_: Path("/monitor"))
    monkeypatch.setattr(monitored, "start", start)
    monkeypatch.setattr(monitored, "stop", lambda _: Monitoring())
    target = ExecutionTarget(HostsAdapter(("ssh",), "n1"), Site(), 2)
    view = Seen()
    with monitored.monitored(directory, target, view):
        assert asked["hosts"] == ("n1", "n2")
        assert asked["longest_seconds"] == 4 * 3600.0 + 400.0
    assert view.stages == ["n2 is not monitored: no route"]
    facts = ThroughputFacts(name="day", heorot_version="0", schedule="x", begun=1.0)
    monitoring, reported = monitored.watched(directory, ThroughputTest(facts=facts, jobs=()))
    assert monitoring is not None
    assert reported is not None
    assert reported.busy is None


def test_a_test_without_samples_is_a_test_too(tmp_path: Path) -> None:
    directory = _directory(tmp_path)
    directory.write_request(ThroughputRequest(schedule="x", interval_seconds=0.0))
    target = ExecutionTarget(HostsAdapter(("ssh",), "n1"), Site(), 1)
    with monitored.monitored(directory, target, Seen()):
        pass
    facts = ThroughputFacts(name="day", heorot_version="0", schedule="x")
    assert monitored.watched(directory, ThroughputTest(facts=facts, jobs=())) == (None, None)


def test_the_agent_of_the_site_starts_jobs_of_several_nodes(
    fake: Fake, tmp_path: Path, make: Make
) -> None:
    site = _site(
        tmp_path / "site.yaml",
        f"agent: /opt/agent\nbatch:\n  system: slurm\n  commands: '{fake.commands}'\n",
    )
    mpi = Mpi(
        flavour="openmpi", version="5.0.11", cxx=Path("/opt/mpicxx"), mpiexec=Path("/opt/mpiexec")
    )
    chain = PROGRAMS.chains["gnu"].model_copy(update={"mpi": mpi})
    programs = replace(PROGRAMS, chains={"gnu": chain})
    target = resolve_for_throughput(ThroughputRequest(schedule="x"), read_site(site))
    scheduler = scheduler_of(_throughput(tmp_path, target), target, programs)
    part = Part(command=("true",), launcher=True)
    work = make("two", parts=(part,), nodes=2)
    scheduler.submit(work)
    assert "plm_ssh_agent /opt/agent" in (work.place / "script.sh").read_text()


def test_jobs_with_nodes_to_themselves_ask_for_all_cores(tmp_path: Path, make: Make) -> None:
    batch = SiteBatch(system="pbs", commands=tmp_path)
    adapter = BatchAdapter(Pbs(), tmp_path)
    target = ExecutionTarget(adapter, Site(), 2, adapter.client, batch, cores_per_node=48)
    scheduler = BatchScheduler(adapter, target, PROGRAMS, MACHINE)
    for exclusive, cores in ((True, 48), (False, 1)):
        job = scheduler._written(make(f"one{cores}", "true", nodes=2, exclusive=exclusive))
        assert f"select=2:ncpus={cores}:mpiprocs={cores}\n" in job.script.read_text()
