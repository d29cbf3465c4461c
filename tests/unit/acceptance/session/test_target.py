"""The target of a check, and queries before any submission."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from heorot.acceptance.session import target as module
from heorot.acceptance.session.target import VARIABLE, resolve_checked
from heorot.errors import SetupError, UsageError
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import Question, Queue, Submission, queue_of
from heorot.launch.batch.slurm import Slurm
from heorot.launch.target import ExecutionTarget
from heorot.model.batch.acceptance import CheckRequest
from heorot.model.machine.site import Site
from heorot.process import Finished
from heorot.session import laboratory
from tests.unit.launch.adapters.fake import Fake

PARTITIONS = """echo 'PartitionName=main Default=YES State=UP TotalNodes=9 MaxTime=UNLIMITED'
echo 'PartitionName=big State=UP TotalNodes=3 MaxTime=1:00:00'
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The file of a site with a batch system of two queues, with its commands next to it."""
    fake = Fake(tmp_path / "batch")
    (fake.commands / "scontrol").write_text(f"#!/bin/bash\n{PARTITIONS}")
    file = fake.commands / "site.yaml"
    file.write_text(f"batch:\n  system: slurm\n  commands: '{fake.commands}'\n")
    return file


def test_four_nodes_of_the_default_queue(site: Path) -> None:
    where = resolve_checked(CheckRequest(site=site))
    assert (where.queue.name, where.queue.n_nodes, where.nodes) == ("main", 9, 4)
    assert resolve_checked(CheckRequest(batch="slurm", site=site, nodes=9)).nodes == 9
    assert where.client is not None
    assert len(where.client.environment()[VARIABLE]) > 8


def test_nodes_are_counted_where_queues_do_not_report_them(site: Path) -> None:
    (site.parent / "scontrol").write_text("#!/bin/bash\necho PartitionName=a State=UP\n")
    (site.parent / "sinfo").write_text("#!/bin/bash\necho 'n1|idle|2|(null)|a'\n")
    where = resolve_checked(CheckRequest(site=site))
    assert (where.nodes, where.queue.n_nodes) == (1, 1)


def test_a_batch_system_that_does_not_answer_is_reported(site: Path) -> None:
    for name in ("scontrol", "sinfo"):
        (site.parent / name).write_text("#!/bin/bash\nexit 1\n")
    with pytest.raises(SetupError, match="slurm does not answer") as caught:
        resolve_checked(CheckRequest(site=site))
    assert "show partition" in caught.value.hint


def test_a_queue_is_chosen_by_its_name(site: Path) -> None:
    site.write_text(site.read_text() + "  queue: big\n")
    where = resolve_checked(CheckRequest(site=site))
    assert (where.queue.name, where.nodes, where.queue.n_nodes) == ("big", 3, 3)
    assert (where.wants(2, 60.0).queue, where.wants(2, 60.0).nodes) == ("big", 2)


def test_a_lab_is_known_by_its_site_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(laboratory, "names", lambda: ["box"])
    monkeypatch.setattr(laboratory, "site_file", lambda name: tmp_path / name / "site.yaml")
    for folder, name in (("box", "box"), (".", "")):
        file = tmp_path / folder / "site.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text("system: box\n")
        assert laboratory.lab_of(file) == name
    assert laboratory.lab_of(None) == ""


@pytest.mark.parametrize("inside", [True, False])
def test_a_batch_system_is_needed(monkeypatch: pytest.MonkeyPatch, inside: bool) -> None:
    client = BatchClient(Slurm()) if inside else None
    target = ExecutionTarget(LocalAdapter(), Site(), 1, client)
    monkeypatch.setattr(module, "resolve_target", lambda *_: target)
    with pytest.raises(UsageError, match="inside a job" if inside else "no batch system"):
        resolve_checked(CheckRequest())


def test_jobs_inherit_a_variable(tmp_path: Path) -> None:
    client = BatchClient(Slurm(), variables={VARIABLE: "a token"})
    done = client.run(("bash", "-c", f"echo ${VARIABLE}; pwd; exit 3"), 5.0)
    assert (done.code, done.out.splitlines()[0]) == (3, "a token")
    script = tmp_path / "script.sh"
    script.write_text("a script")

    def read(answer: Finished) -> Submission:
        return Submission("accepted", answer.out.strip())

    fed = Question(("cat",), read, stdin=script)
    assert client.send(fed, tmp_path).id == "a script"
    plain = Question((sys.executable, "-c", "import os; print(os.getcwd())"), read)
    assert client.send(plain, tmp_path).id == str(tmp_path)


def test_a_single_queue_is_the_default() -> None:
    assert queue_of((Queue("only"),), None).name == "only"
    assert queue_of((Queue("a"), Queue("b")), None).name == ""
    assert queue_of((Queue("a"), Queue("b", is_default=True)), None).name == "b"
    assert queue_of((Queue("a"), Queue("b", is_default=True)), "a").name == "a"
    assert queue_of((), "told").name == "told"
