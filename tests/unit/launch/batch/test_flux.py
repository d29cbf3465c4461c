"""The dialect of Flux, on what Flux printed elsewhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from heorot.errors import UsageError
from heorot.launch.batch.dialect import Part, Wants
from heorot.launch.batch.flux import Flux, decimal_id
from heorot.process import Finished
from tests.unit.launch.batch.answers import said

FLUX = Flux()


def test_what_is_wanted_becomes_directives() -> None:
    wants = Wants(
        parts=(Part(nodes=2),), limit_seconds=61.2, queue="batch", account="a", exclusive=True
    )
    assert FLUX.header(wants) == (
        "#flux: -N 2",
        "#flux: --exclusive",
        "#flux: -t 62s",
        "#flux: -q batch",
        "#flux: --bank=a",
    )
    with pytest.raises(UsageError, match="one kind"):
        FLUX.header(Wants(parts=(Part(nodes=1), Part(nodes=2))))


@pytest.mark.parametrize(
    ("written", "decimal"),
    [  # from flux-core, t/t2201-job-cmd.t
        ("fjpXCZedGfVQ", "18446744073709551615"),
        ("f1", "0"),
        ("ƒ1", "0"),
        ("18446744073709551615", "18446744073709551615"),
        ("hello", None),
        ("", None),
    ],
)
def test_ids_are_kept_as_numbers(written: str, decimal: str | None) -> None:
    assert decimal_id(written) == decimal


def test_submissions_are_read() -> None:
    read = FLUX.submit(Path("a.sh"), "J1").read
    assert read(Finished(0, "fjpXCZedGfVQ\n", "")).id == "18446744073709551615"
    assert read(Finished(1, "", "flux-batch: ERROR: [Errno 22] x\n")).said == "[Errno 22] x"
    assert read(Finished(1, "", "flux-batch: ERROR: Unable to connect to Flux\n")).outcome == (
        "unclear"
    )


def test_jobs_in_the_layout_asked_for_are_read() -> None:
    # Words as in flux-jobs(1); no recorded text of this layout was found.
    lines = (
        "12|SCHED||batch|1700000000.5|0.0|0.0|60.0|J1| \n"
        "13|TIMEOUT|142|batch|1700000000.5|1700000001.0|1700000061.0|60.0|J2|timeout late\n"
    )
    states = FLUX.query(["12", "13"]).read(Finished(0, lines, "")) or {}
    assert (states["12"].phase, states["12"].started) == ("pending", None)
    assert (states["13"].end, states["13"].code, states["13"].limit_seconds) == (
        "timeout",
        142,
        60.0,
    )
    assert states["13"].reason == "timeout late"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("resource-list", [("quartz4", "idle", 36), ("quartz5", "idle", 36)]),
        ("resource-list-allocated", [("fluke108", "allocated", 2)]),
        ("resource-list-noodle", [(f"noodle{n}", "idle", 40) for n in range(220, 224)]),
    ],
)
def test_nodes_are_read(name: str, expected: list[tuple[str, str, int]]) -> None:
    nodes = FLUX.nodes().read(said(f"flux/{name}.txt"))
    assert [(node.name, node.state, node.cores) for node in nodes] == expected


def test_queues_are_read() -> None:
    # Words of flux-core, t/t2219-job-manager-restart.t.
    told = "debug: Job submission is enabled\nbatch: Job submission is disabled: by me\n"
    debug, batch = FLUX.queues().read(Finished(0, told, ""))
    assert (debug.name, debug.accepts, batch.accepts) == ("debug", True, False)


def test_rows_without_queue_or_properties_are_nodes_as_well() -> None:
    nodes = FLUX.nodes().read(said("flux/resource-list-queues.txt"))
    assert len({node.name for node in nodes}) == len(nodes) == 98
    assert Counter(node.state for node in nodes) == {"idle": 78, "down": 20}
    assert {node.cores for node in nodes} == {4}


def test_nodes_are_asked_for_with_separators_of_our_own() -> None:
    question = FLUX.nodes()
    assert question.argv[:5] == ("flux", "resource", "list", "-n", "-o")
    assert question.argv[5] == "{state}|{queue}|{nnodes}|{ncores}|{nodelist}"
    # Words of flux-resource(1); no recorded text of this layout was found.
    rows = (
        "free||2|6|a[1-2]\nfree|batch,debug|1|4|b1\nallocated||1|1|a2\nallocated||0|0|\n"
        "down|batch|1|4|c1\nlost|batch|1|4|d1\nfree|batch|many|4|e1\n"
    )
    nodes = {node.name: node for node in question.read(Finished(0, rows, ""))}
    assert {name: (node.state, node.cores, node.queues) for name, node in nodes.items()} == {
        "a1": ("idle", 3, ()),
        "a2": ("mixed", 4, ()),
        "b1": ("idle", 4, ("batch", "debug")),
        "c1": ("down", 4, ("batch",)),
        "d1": ("unknown", 4, ("batch",)),
        "": ("unknown", None, ()),
    }
    assert nodes[""].raw == "free|batch|many|4|e1"
    assert nodes["a2"].raw == "free, allocated"


def test_jobs_are_cancelled_by_the_command_that_all_versions_have() -> None:
    assert FLUX.cancel("7").argv == ("flux", "cancel", "7")
