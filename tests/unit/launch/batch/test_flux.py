"""The dialect of Flux, on answers of Flux 0.88 and of older versions elsewhere."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from heorot.errors import UsageError
from heorot.launch.batch.controls import Holding
from heorot.launch.batch.dialect import Part, Wants
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.flux.flux_answers import decimal_id
from heorot.launch.batch.other_controls import controls_of
from heorot.process import Finished
from tests.unit.launch.batch.answers import complained, said

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
    with pytest.raises(UsageError, match="one type"):
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
    assert read(Finished(1, "", "flux-batch: ERROR: [Errno 22] x\n")).message == "[Errno 22] x"
    assert read(Finished(1, "", "flux-batch: ERROR: Unable to connect to Flux\n")).outcome == (
        "unclear"
    )


def test_jobs_are_read_whatever_became_of_them() -> None:
    states = FLUX.query([]).read(said("flux/0.88/jobs.txt")) or {}
    by_name = {state.name: state for state in states.values()}
    assert {name: (state.phase, state.end, state.code) for name, state in by_name.items()} == {
        "wait-1": ("pending", None, None),
        "held-1": ("pending", None, None),
        "later-1": ("pending", None, None),
        "behind-1": ("pending", None, None),
        "run": ("running", None, None),  # a separator in another user's name, which ends it here
        "cut-1": ("ended", "cancelled", None),
        "gone-1": ("ended", "cancelled", None),
        "late-1": ("ended", "timeout", 142),
        "x-1": ("ended", "ok", 0),
        "bad-1": ("ended", "failed", 7),
        "ok-1": ("ended", "ok", 0),
        "no-1": ("ended", "failed", None),  # it never began: 1 is not a program's code
    }
    late = states["29930553344"]
    assert (late.queue, late.limit_seconds) == ("debug", 3.0)
    assert (late.submitted, late.started, late.ended) == (
        1795692697.288912,
        1795692697.325657,
        1795692700.9082267,
    )


def test_a_job_that_waits_says_why_and_one_that_ended_why() -> None:
    states = FLUX.query([]).read(said("flux/0.88/jobs.txt")) or {}
    assert {state.name: state.reason for state in states.values() if state.reason} == {
        "wait-1": "eta:49.28s",
        "held-1": "held",
        "later-1": "depends:begin@12:31:54",
        "behind-1": "depends:after-finish=ƒ7gCbRpT",
        "run": "1|",
        "cut-1": "cancel",
        "gone-1": "cancel",
        "late-1": "timeout resource allocation expired",
        "no-1": "alloc unsatisfiable request: need 1 exclusive node(s), only 0 eligible",
    }


def test_a_job_that_is_not_known_is_told_from_no_answer() -> None:
    read = FLUX.query(["77"]).read
    assert read(complained("flux/0.88/jobs-unknown.err")) == {}
    assert read(complained("flux/0.88/unreachable.err")) is None


@pytest.mark.parametrize(
    ("name", "outcome", "words"),
    [
        ("disabled", "refused", "job submission to batch is disabled: by me"),
        ("nodes", "refused", "requested nnodes (9) exceeds policy limit of 2 for queue batch"),
        ("limit", "refused", "requested duration (2h) exceeds policy limit of 1h for queue batch"),
        ("queue", "refused", "Invalid queue 'none' specified"),
        ("option", "refused", "flux batch: error: unrecognized arguments: --nosuch"),
        ("unreachable", "unclear", "Unable to connect to Flux: broker socket /tmp/none was not"),
    ],
)
def test_refusals_are_told_from_silence(name: str, outcome: str, words: str) -> None:
    submission = FLUX.submit(Path("a.sh"), "J1").read(complained(f"flux/0.88/refused/{name}.err"))
    assert (submission.outcome, submission.id) == (outcome, "")
    assert words in submission.message


def test_an_id_as_it_is_printed_is_read() -> None:
    submission = FLUX.submit(Path("a.sh"), "J1").read(said("flux/0.88/submit.txt"))
    assert submission.id == "42698014720"


def test_jobs_that_are_not_ended_are_reported() -> None:
    for ask, name, words in (
        (FLUX.cancel("1"), "cancel-ended", "job is inactive"),
        (FLUX.interrupt("1"), "shutdown-waits", "is not running"),
    ):
        assert words in ask.read(complained(f"flux/0.88/{name}.err"))
        assert ask.read(Finished(0, "", "")) == ""


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


def test_queues_are_read_with_their_limits() -> None:
    batch, debug = FLUX.queues().read(said("flux/0.88/queues.txt"))
    assert (batch.name, batch.is_default, batch.accepts) == ("batch", True, True)
    assert (batch.max_seconds, batch.default_seconds) == (3600.0, 600.0)
    assert (batch.min_nodes, batch.max_nodes) == (None, 2)
    assert (debug.name, debug.is_default, debug.max_seconds) == ("debug", False, 1800.0)
    assert debug.max_nodes is None
    closed = FLUX.queues().read(said("flux/0.88/queues-closed.txt"))
    assert [(queue.accepts, queue.state) for queue in closed] == [
        (False, "submission disabled, scheduling started"),
        (False, "submission enabled, scheduling stopped"),
    ]
    # The answer of a Flux without queues.
    (only,) = FLUX.queues().read(Finished(0, "||enabled|started|inf|inf|0|inf\n", ""))
    assert (only.name, only.is_default, only.accepts) == ("", True, True)
    assert (only.max_seconds, only.default_seconds, only.max_nodes) == (None, None, None)
    assert FLUX.queues().read(Finished(1, "", "flux-queue: ERROR: Unknown format field\n")) == ()


def test_nodes_in_our_layout_are_read() -> None:
    nodes = FLUX.nodes().read(said("flux/0.88/nodes.txt"))
    assert [(node.name, node.state, node.cores, node.queues) for node in nodes] == [
        ("n2", "mixed", 2, ("batch",)),
        ("n1", "allocated", 2, ("batch",)),
        ("n3", "down", 4, ("debug",)),
    ]


def test_unlike_nodes_have_their_own_cores_and_nothing_is_guessed() -> None:
    # The same command's output for different nodes of one queue.
    rows = (
        "all||3|12|a1,b[1-2]|0-2|rank0/core[0-1] rank1/core[0-3,8] rank2/core[0-4],gpu[0-1]\n"
        "free||3|12|a1,b[1-2]|0-2|rank0/core[0-1] rank1/core[0-3,8] rank2/core[0-4],gpu[0-1]\n"
        "all||2|8|c[1-2]|3|rank3/core[0-7]\nfree||2|7|c[1-2]|3|rank3/core[0-7]\n"
        "all||1|4|d1|4-2|rank4/core[0-x]\nfree||1|4|d1|4|rank4/core[0-3]\n"
    )
    nodes = FLUX.nodes().read(Finished(0, rows, ""))
    cores = {node.name: node.cores for node in nodes}
    assert cores == {"a1": 2, "b1": 5, "b2": 5, "c1": None, "c2": None, "d1": 4}


def test_what_a_job_has_or_is_promised_is_read() -> None:
    holding = controls_of(FLUX).holding("1")
    assert holding is not None
    waits = holding.read(said("flux/0.88/holding-waits.txt"))
    assert waits == Holding(nodes=1, planned=1795692770.6786)
    assert holding.read(said("flux/0.88/holding-runs.txt")) == Holding(nodes=2, cpus=4)
    assert holding.read(complained("flux/0.88/jobs-unknown.err")) == Holding()


def test_drained_nodes_are_told_with_their_reasons() -> None:
    reasons = controls_of(FLUX).reasons()
    assert reasons is not None
    assert reasons.read(said("flux/0.88/drained.txt")) == ("n3: broken fan, | no lights",)


def test_a_command_is_run_while_one_waits_on_what_a_script_would_have() -> None:
    wants = Wants(parts=(Part(nodes=1),), limit_seconds=60.0, cores_per_node=1, exclusive=False)
    asked = [w for line in FLUX.header(wants) for w in line.removeprefix(FLUX.mark).split()]
    assert controls_of(FLUX).interactive("J1", ["--partition=x"], asked) == (
        *("flux", "run", "--job-name=J1", "-N", "1", "-n", "1", "-c", "1", "-t", "60s"),
    )
    assert controls_of(FLUX).on_nodes(["n1", "n3"]) == "--requires=hosts:n1,n3"
    assert controls_of(FLUX).option("later") == "--begin-time=+1h"


def test_rows_without_queue_or_properties_are_nodes_as_well() -> None:
    nodes = FLUX.nodes().read(said("flux/resource-list-queues.txt"))
    assert len({node.name for node in nodes}) == len(nodes) == 98
    assert Counter(node.state for node in nodes) == {"idle": 78, "down": 20}
    assert {node.cores for node in nodes} == {4}


def test_nodes_are_asked_for_with_separators_of_our_own() -> None:
    question = FLUX.nodes()
    assert question.argv[:4] == ("flux", "resource", "list", "-n")
    assert question.argv[-1] == "{state}|{queue}|{nnodes}|{ncores}|{nodelist}|{ranks}|{rlist}"
    # Lines of flux-resource(1), without the parts about ranks.
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


def test_launchers_reach_other_hosts_without_ssh(tmp_path: Path) -> None:
    flux = tmp_path / "flux"  # which prints host and command
    flux.write_text('#!/bin/sh\n[ "$1" = overlay ] && echo "7$3" || printf "%s\\n" "$@"\n')
    flux.chmod(0o755)
    text = 'cd -- "$1"; here=$PWD; eval "$0" || exit; (cd /; "$PRTE_MCA_plm_ssh_agent" n7 orted -x)'
    done = subprocess.run(
        ["/bin/bash", "-c", text, FLUX.job_environment(Wants()).prepare, str(tmp_path)],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    words = ["exec", "--quiet", "-r", "7n7", "/bin/bash", "-c", "orted -x"]
    assert done.stdout.splitlines() == words


def test_queues_are_shown_without_their_colours() -> None:
    shown = FLUX.policy()[0].read(said("flux/queue-list-coloured.txt"))
    assert shown.splitlines()[1].split()[:5] == ["compute*", "✔", "✔", "inf", "inf"]
