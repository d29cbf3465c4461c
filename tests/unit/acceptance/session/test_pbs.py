"""A check of PBS, by a submitting command that stores its arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.features.interactive import FEATURES
from heorot.acceptance.session.features.placement import _submit_unlike
from heorot.acceptance.session.probe import ProbeJob
from heorot.acceptance.session.registry import Registry
from heorot.acceptance.session.runner import CheckRunner
from heorot.errors import UsageError
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import Queue
from heorot.launch.batch.pbs import Pbs
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site, SiteBatch
from tests.unit.launch.batch.answers import SAMPLES

_QSUB = """#!/bin/bash
printf '%s\\n' "$@" >"@FOLDER@/words"
[[ $* == *block=true* ]] || { echo 7.head; exit; }
while [[ $1 != -- ]]; do shift; done
shift; exec "$@" >/dev/null
"""


@pytest.fixture
def context(tmp_path: Path) -> FeatureContext:
    """A feature of a check with three nodes of a larger queue."""
    folder = tmp_path / "commands"
    folder.mkdir()
    nodes = SAMPLES / "pbs/openpbs-23.06/pbsnodes-a.txt"
    for name, text in {
        **dict.fromkeys(Pbs.needs, "#!/bin/bash\n"),
        "qsub": _QSUB.replace("@FOLDER@", str(tmp_path)),
        "pbsnodes": f"#!/bin/bash\ncat '{nodes}'\n",
    }.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    batch = SiteBatch(system="pbs", commands=folder, queue="workq", account="us")
    client, queue = BatchClient(Pbs(), folder), Queue("workq", n_nodes=9)
    target = ExecutionTarget(LocalAdapter(), Site(), 3, client, batch, queue)
    return FeatureContext(
        CheckRunner(target, tmp_path / "jobs", Registry(tmp_path / "kept", {}), 10.0), "any"
    )


def asked(probe: ProbeJob) -> list[str]:
    """The directives of a job."""
    lines = probe.script.read_text().splitlines()
    return [line.removeprefix("#PBS ") for line in lines if line.startswith("#PBS ")]


def test_what_belongs_to_nodes_is_in_the_request_for_them(context: FeatureContext) -> None:
    memory = str(context.controls.option("memory", 64))
    one = context.submit("true", options=(memory,), on=("n2",))
    assert asked(one)[0] == "-l select=1:ncpus=1:mpiprocs=1:mem=64mb:host=n2"
    two = context.submit("true", nodes=2, cores=2, options=(memory,), on=("n1", "n3"))
    assert asked(two)[0] == (
        "-l select=1:ncpus=2:mpiprocs=2:host=n1:mem=64mb+1:ncpus=2:mpiprocs=2:host=n3:mem=64mb"
    )
    # Where the queue has more nodes than granted, jobs stay on the granted ones.
    three = context.submit("true", nodes=3)
    assert all(f"host=n{n}" in asked(three)[0] for n in (1, 2, 3))
    assert one.number == "7.head"


def test_an_array_is_no_job_that_must_not_begin_again(context: FeatureContext) -> None:
    for option in (context.controls.option("array", 3), context.controls.option("requeue")):
        probe = context.submit("true", options=(str(option),))
        assert option in asked(probe)
        assert "-r n" not in asked(probe)
    assert "-r n" in asked(context.submit("true"))


def test_unlike_nodes_are_one_request(context: FeatureContext) -> None:
    chunks = asked(_submit_unlike(context, 2))[0].removeprefix("-l select=").split("+")
    assert [chunk.partition(":host=")[0] for chunk in chunks] == [
        "1:ncpus=2:mpiprocs=2",
        "1:ncpus=1:mpiprocs=1",
        "1:ncpus=1:mpiprocs=1",
    ]
    assert {chunk.partition(":host=")[2] for chunk in chunks} == {"n1", "n2", "n3"}


def test_a_job_to_begin_later_begins_later(context: FeatureContext) -> None:
    (later,) = (
        line
        for line in asked(context.submit("true", options=(context.controls.option("later") or "",)))
        if line.startswith("-a")
    )
    assert len(later.partition(" ")[2]) == len("202601020304.05")


@pytest.mark.waiting
def test_a_command_that_one_waits_for_is_a_job_that_blocks(
    context: FeatureContext, tmp_path: Path
) -> None:
    (feature,) = FEATURES
    judged = feature.check(context)
    assert judged.status == "passed", judged
    words = (tmp_path / "words").read_text().splitlines()
    assert {"-q", "workq", "-A", "us", "block=true"} <= set(words)
    select = next(word for word in words if word.startswith("select="))
    assert ":host=n" in select


def test_words_that_are_none_are_refused(context: FeatureContext) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        context.submit("true", options=("mem=$(rm)",))
