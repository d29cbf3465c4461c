"""Reconciliation: no submitted job is forgotten, and totals state the missing work."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from heorot.model.batch.states import JobState
from heorot.throughput.analyse.account import reconcile
from heorot.throughput.model.throughput import PartEnd
from tests.unit.throughput.analyse.synthetic_tests import make_job, make_throughput, ran


def part(name: str, state: str = "ok", seconds: float | None = 5.0) -> PartEnd:
    started = 1.0 if state != "skipped" else None
    return PartEnd.model_validate(
        {"name": name, "fate": state, "seconds": seconds, "started": started}
    )


def test_a_job_that_never_ran_is_missing_with_the_work_of_its_equals() -> None:
    jobs = [
        ran(1, "a", 0, 0, 10, cores=4),
        ran(2, "a", 0, 0, 12, cores=4),
        make_job(3, "a", 5, cores=4, fate="vanished", why="silent"),
        make_job(4, "b", 5, cores=2, submitted=None, fate="rejected", reason="too large"),
    ]
    account = reconcile(make_throughput(jobs), 20.0)
    assert (account.scheduled, account.submitted, account.n_ok) == (4, 3, 2)
    assert account.states == {"ok": 2, "rejected": 1, "vanished": 1}
    lost, refused = account.missing
    # The median of 10 s and 12 s on four cores.
    assert (lost.label, lost.state, lost.why, lost.started) == ("a3", "vanished", "silent", False)
    assert lost.core_seconds == 44.0
    assert (refused.why, refused.core_seconds) == ("too large", None)
    assert account.done_core_seconds == 88.0
    assert account.corrected_makespan == 20.0 * 1.5


def test_single_user_times_stand_in_for_equals() -> None:
    jobs = [ran(1, "b", 0, 0, 10), make_job(2, "a", 5, fate="cancelled")]
    account = reconcile(make_throughput(jobs, alone={"a": (3.0, 5.0), "c": ()}), 20.0)
    assert account.missing[0].core_seconds == 4.0


def test_programs_missing_inside_composite_jobs() -> None:
    jobs = [
        ran(1, "e", 0, 0, 10, parts=(part("x"), part("y", seconds=3.0)), cores=2),
        ran(2, "e", 0, 0, 10, parts=(part("x"),), cores=2),
        ran(3, "e", 0, 0, 10, parts=(part("x"), part("y", "skipped", None)), cores=2),
        ran(4, "e", 0, 0, 10, parts=(part("x", "failed"),), fate="failed", cores=2, why="no"),
        ran(5, "f", 0, 0, 10, parts=(part("z"),)),
    ]
    account = reconcile(make_throughput(jobs), 10.0)
    x, y = account.parts
    assert (x.kind, x.part, x.expected, x.ends) == ("e", "x", 4, {"ok": 3, "failed": 1})
    assert y.ends == {"ok": 1, "absent": 2, "skipped": 1}
    reported = [(each.label, each.part, each.state, each.core_seconds) for each in account.missing]
    assert reported == [
        ("e2", "y", "absent", 6.0),
        ("e3", "y", "skipped", 6.0),
        ("e4", "", "failed", 20.0),
    ]
    assert [each.started for each in account.missing] == [False, False, True]


def test_a_job_whose_programs_all_ended_well_may_have_failed_all_the_same() -> None:
    jobs = [ran(1, "e", 0, 0, 10, parts=(part("x"), part("y")), fate="node_fail")]
    (lost,) = reconcile(make_throughput(jobs), 10.0).missing
    assert (lost.state, lost.core_seconds, lost.part) == ("node_fail", 0.0, "")


def test_programs_that_ended_well_are_done_though_their_job_failed() -> None:
    both = (part("x", seconds=6.0), part("y", seconds=4.0))
    jobs = [
        ran(1, "e", 0, 0, 10, parts=both, cores=2),
        ran(2, "e", 0, 0, 7, parts=(both[0], part("y", "failed")), fate="failed", cores=2),
        ran(3, "f", 0, 0, 7, parts=(part("z"),), fate="node_fail"),
    ]
    account = reconcile(make_throughput(jobs), 30.0)
    # Job 1, and x of job 2; a job of one program is missing as a whole or not at all.
    assert account.done_core_seconds == 20.0 + 12.0
    assert account.missing_core_seconds == 8.0
    assert account.corrected_makespan == 30.0 * 1.25
    # A negligible run time is no estimate of the missing work.
    least = (part("x", seconds=1e-310), part("y", "failed"))
    jobs = [ran(1, "e", 0, 0, 7, parts=least, fate="failed"), make_job(2, "f", 0, fate="vanished")]
    assert reconcile(make_throughput(jobs, alone={"f": (1.0,)}), 30.0).corrected_makespan is None


def test_interventions_are_counted_one_by_one() -> None:
    jobs = [ran(1, "a", 0, 0, 1, interventions=("held", "released")), ran(2, "a", 0, 0, 1)]
    account = reconcile(make_throughput(jobs), 1.0)
    assert account.interventions == (("a1", "held"), ("a1", "released"))
    assert account.corrected_makespan is None


PARTS = st.lists(
    st.tuples(st.sampled_from("xyz"), st.sampled_from(["ok", "failed", "lost", "skipped"])),
    max_size=3,
    unique_by=lambda each: each[0],
)


@given(st.lists(st.tuples(st.sampled_from(get_args(JobState)), PARTS), max_size=12))
def test_whatever_becomes_of_jobs_the_sums_are_right(
    drawn: list[tuple[str, list[tuple[str, str]]]],
) -> None:
    jobs = [
        ran(i + 1, "e", 0, 0, 10, fate=state, parts=tuple(part(*each) for each in parts))
        for i, (state, parts) in enumerate(drawn)
    ]
    account = reconcile(make_throughput(jobs), 10.0)
    assert sum(account.states.values()) == account.scheduled == len(jobs)
    assert all(sum(each.ends.values()) == each.expected for each in account.parts)
    known = {each.serial for each in account.missing}
    assert {job.serial for job in jobs if job.fate != "ok"} <= known
