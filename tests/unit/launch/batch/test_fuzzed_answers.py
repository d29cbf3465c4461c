"""Damaged answers of batch systems: unreadable values are unknown, and never an exception."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heorot.jobs.batch_states import Phase
from heorot.launch.batch.dialect import Dialect, NodeWord, Question
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.other_controls import controls_of
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm
from heorot.launch.occupants import occupants
from heorot.process import Finished
from tests.unit.damage import damaged_bytes, damaged_lines
from tests.unit.launch.batch.answers import SAMPLES

# LSF's hosts and jobs as in its manuals.
_HOSTS = b"""\
HOST_NAME          STATUS          JL/U    MAX  NJOBS    RUN  SSUSP  USUSP    RSV
hosta              ok              -        8      3      3      0      0      0
hostb              closed_Full     -        8      8      8      0      0      0
hostc              unavail         -        -      0      0      0      0      0
"""
_OCCUPANTS = b"""\
17|RUNNING|4|n[1-2]|solver
18|PENDING|8||a|b
19|RUN|2|2*hosta:hostb|solver
"""
# The beginning of a long answer is like its end.
_MOST_BYTES = 2000
DIALECTS: dict[str, Dialect] = {
    "slurm": Slurm(),
    "pbs": Pbs(),
    "torque": Pbs("torque"),
    "lsf": Lsf(),
    "flux": Flux(),
}
_FOLDERS = {"torque": "pbs"}
ANSWERS = {
    name: [
        _HOSTS,
        _OCCUPANTS,
        *(
            path.read_bytes()[:_MOST_BYTES]
            for path in sorted((SAMPLES / _FOLDERS.get(name, name)).rglob("*"))
            if path.suffix in {".txt", ".err"}
        ),
    ]
    for name in DIALECTS
}
_WORDS = st.sampled_from(
    (
        *("Job Id: ", "Job Id: 1\n", "    job_state = R\n", "    exec_host = n1/0*", "\n\t", "+"),
        *("n1\n", "     state = free\n", "     np = ", "     jobs = ", "Queue: ", "|", "-|-|-\n"),
        *("JobId=1 ", "JobState=RUNNING ", "NodeName=n[1-", "PartitionName=", "=", "[", "]", ","),
        *("n[0-99999999]", "n[1,,3-]", "9" * 5000, "-1", "²", "٣", "nan", "1e999", "1*", "*", ":"),
        *("HOST_NAME ", "ok", "STATE QUEUE NNODES NCORES NODELIST\n", "free", "\0", "\x1b[31m"),
        *("1-00:00:00", "UNLIMITED", "infinite", "Mon Feb 30 25:61:61 2026", "True", "\u2028"),
    )
)
TEXTS = st.lists(_WORDS | st.text(max_size=4), max_size=10).map("".join)


def questions(dialect: Dialect) -> Iterator[Question[Any]]:
    """All queries of a batch system."""
    controls = controls_of(dialect)
    yield dialect.query(["1", "17.server"])
    yield dialect.queues()
    yield dialect.nodes()
    yield from dialect.find("x")
    yield from dialect.account(["1", "17.server"])
    yield from dialect.policy()
    yield from (dialect.interrupt("1"), dialect.cancel("1"))
    yield from (occupants(dialect), occupants(dialect, waiting=True))
    for one in (
        controls.holding("1"),
        controls.reasons(),
        controls.policy(),
        controls.act("hold", "1"),
    ):
        if one is not None:
            yield one


QUESTIONS = {name: tuple(questions(dialect)) for name, dialect in DIALECTS.items()}
NODES = {name: dialect.nodes() for name, dialect in DIALECTS.items()}
JOBS = {name: dialect.query(["1"]) for name, dialect in DIALECTS.items()}
OTHERS = {name: occupants(dialect, waiting=True) for name, dialect in DIALECTS.items()}
QUEUES = {name: dialect.queues() for name, dialect in DIALECTS.items()}


def texts_of(value: object) -> Iterator[str]:
    """Every text in a parsed value, except raw answers of commands."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from (*texts_of(key), *texts_of(each))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from texts_of(each)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from texts_of(getattr(value, name))


def assert_readable(name: str, answer: Finished) -> None:
    """All queries yield sensible values, whatever the answer."""
    for question in QUESTIONS[name]:
        question.read(answer)
    nodes, others = NODES[name].read(answer), OTHERS[name].read(answer) or ()
    for node in nodes:
        assert node.state in get_args(NodeWord)
        assert (node.cores or 0) >= 0
    named = [node.name for node in nodes if node.name]
    assert len(set(named)) == len(named)
    for state in (JOBS[name].read(answer) or {}).values():
        assert state.phase in get_args(Phase)
        assert (state.end is None) == (state.phase != "ended")
        for moment in (state.submitted, state.started, state.ended, state.limit_seconds):
            assert moment is None or (math.isfinite(moment) and moment >= 0)
    assert all(n >= 0 for job in others for n in job.cores.values())
    for text in texts_of((nodes, QUEUES[name].read(answer), others)):
        assert text.isprintable()


@given(st.sampled_from(sorted(DIALECTS)), st.data(), st.integers(0, 1))
def test_no_damaged_answer_is_an_exception(name: str, data: st.DataObject, code: int) -> None:
    original = data.draw(st.sampled_from(ANSWERS[name]))
    damaged = data.draw(damaged_bytes(original) | damaged_lines(original))
    text = damaged.decode(errors="replace")
    assert_readable(name, Finished(code, text, data.draw(st.sampled_from(("", text)))))


@given(st.sampled_from(sorted(DIALECTS)), TEXTS)
@example("pbs", "Job Id: ")
@example("slurm", "1|RUNNING|4|n[0-99999999]n[0-99999999][]|x")
@example("slurm", f"1|RUNNING|4|n[{'0' * 5000}-1]|x")
@example("torque", "n1\n     np = " + "9" * 5000)
def test_no_text_is_an_exception(name: str, text: str) -> None:
    assert_readable(name, Finished(0, text, text))


@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_what_is_cut_off_anywhere_is_read(name: str) -> None:
    for answer in ANSWERS[name]:
        text = answer.decode()
        for end in range(0, min(len(text), 400), 37):
            assert_readable(name, Finished(0, text[:end], ""))


def test_a_node_that_is_listed_again_is_no_second_one() -> None:
    block = "n1\n     state = free\n     resources_available.ncpus = 4\n\n"
    (node,) = Pbs().nodes().read(Finished(0, block * 2, ""))
    assert (node.state, node.cores) == ("idle", 4)
    rows = "n1 ok - 8 0 0 0 0 0\n"
    (host,) = Lsf().nodes().read(Finished(0, rows * 2, ""))
    assert (host.state, host.cores) == ("idle", 8)
    (host,) = Lsf().nodes().read(Finished(0, rows + "n1 unavail - 8 0 0 0 0 0\n", ""))
    assert (host.state, host.cores, host.raw) == ("unknown", None, "ok, unavail")
