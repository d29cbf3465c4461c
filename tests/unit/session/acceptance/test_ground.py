"""Where a check goes, and what it finds out before it submits anything."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from heorot.errors import SetupError, UsageError
from heorot.launch.adapters.ask import Caller
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.controls import Controls
from heorot.launch.batch.dialect import Question, Queue, Submission
from heorot.launch.batch.slurm import Slurm
from heorot.model.machine.site import Site, SiteBatch
from heorot.process import Finished
from heorot.session import laboratory
from heorot.session.acceptance import ground
from heorot.session.acceptance.ground import VARIABLE, CheckGround, TokenCaller, find_check_ground
from heorot.session.cluster.ground import Ground
from tests.unit.launch.adapters.fake import Fake

PARTITIONS = """echo 'PartitionName=main Default=YES State=UP TotalNodes=9 MaxTime=UNLIMITED'
echo 'PartitionName=big State=UP TotalNodes=3 MaxTime=1:00:00'
"""


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SiteBatch:
    """A site with a batch system of two queues."""
    fake = Fake(tmp_path / "batch")
    (fake.commands / "scontrol").write_text(f"#!/bin/bash\n{PARTITIONS}")
    batch = SiteBatch(system="slurm", commands=fake.commands)

    def find(request: object, site: Site) -> Ground:
        del request, site
        adapter = BatchAdapter(Slurm(), fake.commands)
        return Ground(adapter, Site(batch=batch), 1, Slurm(), batch)

    monkeypatch.setattr(ground, "find_ground", find)
    return batch


def test_four_nodes_of_the_default_queue(found: SiteBatch) -> None:
    del found
    where = find_check_ground(None, None, None)
    assert (where.queue.name, where.granted, where.is_whole, where.lab) == ("main", 4, False, "")
    assert find_check_ground("slurm", None, 9).is_whole
    assert len(where.caller.token) > 8


def test_nodes_are_counted_where_queues_do_not_tell(found: SiteBatch) -> None:
    commands = found.commands
    assert commands is not None
    (commands / "scontrol").write_text("#!/bin/bash\necho PartitionName=a State=UP\n")
    (commands / "sinfo").write_text("#!/bin/bash\necho 'n1|idle|2|(null)|a'\n")
    where = find_check_ground(None, None, None)
    assert (where.granted, where.is_whole) == (1, True)


def test_a_batch_system_that_does_not_answer_is_told(found: SiteBatch) -> None:
    commands = found.commands
    assert commands is not None
    for name in ("scontrol", "sinfo"):
        (commands / name).write_text("#!/bin/bash\nexit 1\n")
    with pytest.raises(SetupError, match="slurm does not answer") as caught:
        find_check_ground(None, None, None)
    assert "show partition" in caught.value.hint


def test_a_queue_is_chosen_by_its_name(found: SiteBatch, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = found.model_copy(update={"queue": "big"})
    adapter = BatchAdapter(Slurm(), batch.commands)
    monkeypatch.setattr(
        ground, "find_ground", lambda *_: Ground(adapter, Site(), 1, Slurm(), batch)
    )
    where = find_check_ground(None, None, None)
    assert (where.queue.name, where.granted, where.is_whole) == ("big", 3, True)
    wants = where.wants(2, 1, 60.0, exclusive=True, options=("--hold",))
    assert (wants.queue, wants.nodes, wants.directives) == ("big", 2, ("--hold",))


def test_a_lab_is_known_by_its_site_file(
    found: SiteBatch, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    del found
    monkeypatch.setattr(laboratory, "names", lambda: ["box"])
    monkeypatch.setattr(laboratory, "site_file", lambda name: tmp_path / name / "site.yaml")
    for folder, name in (("box", "box"), (".", "")):
        file = tmp_path / folder / "site.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text("system: box\n")
        assert find_check_ground(None, file, None).lab == name


@pytest.mark.parametrize("inside", [True, False])
def test_a_batch_system_is_needed(monkeypatch: pytest.MonkeyPatch, inside: bool) -> None:
    dialect = Slurm() if inside else None
    monkeypatch.setattr(
        ground, "find_ground", lambda *_: Ground(LocalAdapter(), Site(), 1, dialect)
    )
    with pytest.raises(UsageError, match="inside a job" if inside else "no batch system"):
        find_check_ground(None, None, None)


def test_nodes_are_those_of_the_queue(tmp_path: Path) -> None:
    fake = Fake(tmp_path / "batch")
    lines = ["n1|idle|2|(null)|main", "n2|idle|2|(null)|big", "n2|idle|2|(null)|main"]
    (fake.commands / "sinfo").write_text(f"#!/bin/bash\nprintf '%s\\n' '{chr(10).join(lines)}'\n")
    caller = TokenCaller(Caller(Slurm(), fake.commands), "token")
    where = CheckGround(caller, Controls(), SiteBatch(system="slurm"), Queue("big"), 1)
    assert [node.name for node in where.nodes()] == ["n2"]
    nameless = CheckGround(caller, Controls(), SiteBatch(system="slurm"), Queue(""), 1)
    assert [node.name for node in nameless.nodes()] == ["n1", "n2"]


def test_jobs_inherit_a_variable(tmp_path: Path) -> None:
    caller = TokenCaller(Caller(Slurm()), "a token")
    done = caller.run(("bash", "-c", f"echo ${VARIABLE}; pwd; exit 3"), 5.0)
    assert (done.code, done.out.splitlines()[0]) == (3, "a token")
    script = tmp_path / "script.sh"
    script.write_text("a script")

    def read(answer: Finished) -> Submission:
        return Submission("accepted", answer.out.strip())

    fed = Question(("cat",), read, stdin=script)
    assert caller.send(fed, tmp_path).id == "a script"
    plain = Question((sys.executable, "-c", "import os; print(os.getcwd())"), read)
    assert caller.send(plain, tmp_path).id == str(tmp_path)


def test_a_queue_that_is_alone_is_the_default() -> None:
    chosen = ground._chosen
    assert chosen((Queue("only"),), None).name == "only"
    assert chosen((Queue("a"), Queue("b")), None).name == ""
    assert chosen((), "told").name == "told"
