"""Tests with missing or contradictory facts are analysed and shown all the same."""

from __future__ import annotations

import math
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heorot.model.batch.states import JobState
from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.model.throughput import PartEnd, Response, ThroughputJob, ThroughputTest
from heorot.throughput.report.figures import draw_picture, show_activity
from heorot.throughput.report.throughput_page import format_throughput
from tests.unit.throughput.analyse.synthetic_tests import make_job, make_throughput

MOMENT = st.none() | st.floats(0.0, 1e4)
PART = st.builds(
    PartEnd,
    name=st.sampled_from("pq<"),
    started=MOMENT,
    ended=MOMENT,
    fate=st.sampled_from(["ok", "failed", "timeout", "lost", "skipped"]),
    seconds=st.none() | st.floats(0.0, 1e5),
)
MOMENTS = (
    *("submitted", "eligible", "allocated", "own_start", "application_start"),
    *("application_end", "own_end", "batch_end", "limit_seconds"),
)
FIELDS: dict[str, st.SearchStrategy[Any]] = dict.fromkeys(MOMENTS, MOMENT) | {
    "nodes": st.integers(1, 50),
    "cores": st.integers(1, 500),
    "exclusive": st.booleans(),
    "hosts": st.lists(st.sampled_from(["n0", "n1", "n2", "x&y"]), max_size=4).map(tuple),
    "parts": st.lists(PART, max_size=3).map(tuple),
    "fate": st.sampled_from(get_args(JobState)),
    "why": st.sampled_from(["", "<b>no</b>"]),
    "interventions": st.sampled_from([(), ("held", "released")]),
}


@st.composite
def days(draw: st.DrawFn) -> ThroughputTest:
    """A test of up to a dozen jobs."""
    jobs: list[ThroughputJob] = []
    for serial in range(1, draw(st.integers(0, 12)) + 1):
        fields = draw(st.fixed_dictionaries(FIELDS))
        kind = draw(st.sampled_from(["a", "b", "c"]))
        jobs.append(make_job(serial, kind, draw(st.floats(0.0, 1e4)), **fields))
    times = st.lists(st.floats(0.0, 1e4), max_size=3).map(tuple)
    response = st.builds(
        Response,
        name=st.sampled_from(["ls", "w"]),
        started=st.just(1.0),
        seconds=st.floats(0.0, 10.0),
        code=st.integers(0, 1),
        loaded=st.booleans(),
    )
    return make_throughput(
        jobs,
        n_nodes=draw(st.integers(1, 3)),
        alone=draw(st.dictionaries(st.sampled_from("abd"), times)),
        alone_parts=draw(st.dictionaries(st.sampled_from(["a/p", "b/q", "x"]), times)),
        responses=tuple(draw(st.lists(response, max_size=4))),
        facts={
            "begun": draw(st.none() | st.just(1_000_000.0)),
            "node_names": draw(st.sampled_from([(), ("n0",), ("n0", "n1", "n2")])),
        },
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(days())
def test_no_throughput_test_is_too_strange(test: ThroughputTest) -> None:
    analysis = analyse_throughput(test)
    assert sum(analysis.explanation.account.states.values()) == len(test.jobs)
    assert analysis.explanation.verdict
    use = analysis.measures.use
    assert 0.0 <= use.makespan < math.inf
    assert 0.0 <= use.bound < math.inf
    for each in (use.efficiency, use.utilisation_held, use.loss_any, use.loss_fitting):
        assert each is None or math.isfinite(each)
    page = format_throughput(test, analysis, "jobs.csv")
    assert "<b>no" not in page
    assert "nan" not in page.partition("<main")[2].partition("<script")[0].replace("nano", "")
    assert "nan" not in draw_picture(show_activity(analysis.timeline, analysis.measures, title=""))
