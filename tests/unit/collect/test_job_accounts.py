"""Cost of jobs, and causes of failed ones, according to their own files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from heorot.collect.collect import collect
from heorot.model.batch.jobs import JobAccount
from heorot.model.run.collected import Collected
from tests.unit.collect.conftest import make_step

if TYPE_CHECKING:
    from tests.unit.collect.conftest import Remains

_JOBS = Path(__file__).parents[2] / "samples" / "jobs" / "slurm_two_nodes"
_STEPS = ("S0001", "S0002", "S0003")


def write_batch_facts(remains: Remains, **changes: Any) -> None:
    """Write the batch system's facts about the job."""
    facts = {"system": "slurm", "name": "J0001-x", "id": "7", "submitted": 900.0, **changes}
    (remains.directory / "batch.json").write_text(json.dumps(facts))


def collected(remains: Remains) -> Collected:
    """The job with three steps."""
    steps = [make_step(number) for number in (1, 2, 3)]
    return collect(steps, remains.jobs, asked={remains.directory.name: _STEPS})


def begun(remains: Remains, *hosts: str) -> None:
    """A job of which one step has ended and another has begun."""
    remains.event("job", host="n1", hosts=hosts or ("n1", "n2"))
    remains.ended("S0001")
    remains.record("S0001", "stream")
    remains.event("start", step="S0002")


def test_real_jobs_of_slurm() -> None:
    asked = {"J0001": _STEPS, "J0002": ["S0004"], "J0003": ["S0005"], "J0004": ["S0006"]}
    steps = [make_step(number, ranks=1, per_node=1) for number in range(1, 7)]
    jobs = collect(steps, _JOBS, asked=asked).jobs
    assert [job.id for job in jobs] == ["J0000", "J0001", "J0002", "J0003", "J0004"]
    assert {job.fate for job in jobs} == {"ok"}
    assert not any(job.why or job.lost for job in jobs)
    describing, first, second = jobs[:3]
    assert describing.describes_nodes
    assert (describing.n_asked, describing.step_seconds) == (0, 0.0)
    assert (first.system, first.number, first.queue) == ("slurm", "5", "lab")
    assert first.hosts == ("n1", "n2")
    assert (first.n_asked, first.n_ended, first.nodes) == (3, 3, 2)
    assert first.submit_seconds == pytest.approx(0.143, abs=1e-3)
    assert first.run_seconds == pytest.approx(10.429, abs=1e-3)
    # Two of its steps ran at the same time.
    assert first.step_seconds == pytest.approx(9.976, abs=1e-3)
    assert first.overhead_seconds == pytest.approx(0.453, abs=1e-3)
    assert first.queue_seconds == first.wait_seconds == pytest.approx(3.177, abs=1e-3)
    # The second was submitted at once and had to wait for the first.
    assert second.wait_seconds == pytest.approx(13.908, abs=1e-3)
    assert second.queue_seconds == pytest.approx(0.573, abs=1e-3)
    assert (jobs[3].hosts, jobs[3].nodes) == (("n1",), 1)


_FATES = [
    ({"state": "cancelled", "raw": "CANCELLED by 1000"}, "cancelled by another user (CANCELLED by"),
    ({"state": "cancelled", "raw": "by Heorot"}, "its job was cancelled by Heorot"),
    ({"state": "cancelled", "reason": "interrupted"}, "its job was interrupted; slurm does"),
    ({"state": "cancelled", "raw": "PREEMPTED"}, "its job was preempted (PREEMPTED"),
    ({"state": "timeout", "asked_seconds": 120.0}, "its job reached its time limit of 2 min"),
    ({"state": "timeout", "limit_seconds": 120.0}, "its job reached its time limit"),
    ({"state": "failed", "raw": "FAILED", "reason": "oom"}, "its job failed (FAILED, oom)"),
    ({"state": "node_fail", "raw": "NODE_FAIL"}, "a node of n1, n2 failed"),
    (
        {"state": "vanished"},
        (
            "its job is lost: unknown to the batch system; its script is silent since "
            "1970-01-01 00:16:50 UTC"
        ),
    ),
    ({"state": "running", "raw": "RUNNING"}, "last heard of as running (RUNNING); its script is"),
    ({"state": "ok"}, "its job ended, but its script did not complete"),
]


@pytest.mark.parametrize(("facts", "words"), _FATES)
def test_a_lost_step_says_what_became_of_its_job(
    remains: Remains, facts: dict[str, Any], words: str
) -> None:
    begun(remains)
    write_batch_facts(remains, **facts)
    found = collected(remains)
    cut_off, never = found.outcomes[1:]
    assert cut_off.reason.startswith("started and never reported its end; ")
    assert never.reason.startswith("never started; ")
    assert words in cut_off.reason
    assert words in never.reason
    assert (cut_off.state, never.state) == ("lost", "lost")
    assert (found.account.completed, found.account.lost) == (1, 2)
    assert found.account.balanced
    (job,) = found.jobs
    assert (job.lost, job.n_asked, job.n_ended) == (("S0002", "S0003"), 3, 1)
    assert job.cut_off == ("S0002",)
    assert words.replace("its job ", "it ") in job.why
    states = {"ok": "failed", "running": "unfinished"}
    assert job.fate == states.get(facts["state"], facts["state"])


def test_the_jobs_own_file_speaks_first(remains: Remains) -> None:
    begun(remains)
    remains.event("interrupted")
    (remains.directory / "stderr").write_text("heorot: job J0001 stopped: full\n")
    write_batch_facts(remains, state="timeout", asked_seconds=120.0)
    reasons = [outcome.reason for outcome in collected(remains).outcomes[1:]]
    last = "job J0001 stopped: full; its job reached its time limit of 2 min"
    assert reasons == [f"was interrupted; {last}", f"never started; {last}"]


def test_the_only_node_of_a_job_has_a_name(remains: Remains) -> None:
    begun(remains, "n2")
    write_batch_facts(remains, state="node_fail")
    assert collected(remains).jobs[0].why == "node n2 failed"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            {"state": "rejected", "reason": "Invalid account"},
            "was refused by slurm: Invalid account",
        ),
        ({"state": "vanished"}, "is lost: unknown to the batch system; its script never began"),
        (
            {"state": "pending", "raw": "no answer", "reason": "slurm does not answer"},
            "was last heard of in the queue (no answer, slurm does not answer) and never began",
        ),
    ],
)
def test_a_job_that_never_began(remains: Remains, facts: dict[str, Any], words: str) -> None:
    write_batch_facts(remains, **facts)
    found = collected(remains)
    assert [each.reason for each in found.outcomes] == [f"never started; its job {words}"] * 3
    (job,) = found.jobs
    assert (job.run_seconds, job.overhead_seconds, job.hosts, job.nodes) == (None, None, (), 1)
    assert job.lost == _STEPS


def test_jobs_without_a_batch_system(remains: Remains) -> None:
    begun(remains, "n1")
    (job,) = collected(remains).jobs
    silent = "is silent since 1970-01-01 00:16:50 UTC"
    assert (job.system, job.batched, job.number) == ("this machine", False, None)
    assert (job.fate, job.why) == ("unfinished", f"it {silent}")
    reasons = [outcome.reason for outcome in collected(remains).outcomes[1:]]
    assert reasons[1] == f"never started; its job {silent}"
    remains.event("interrupted")
    (job,) = collected(remains).jobs
    assert (job.fate, job.why) == ("cancelled", "it was interrupted")
    reasons = [outcome.reason for outcome in collected(remains).outcomes[1:]]
    assert reasons == ["was interrupted", "never started; its job was interrupted"]


def test_of_a_job_whose_steps_nobody_names_only_its_end_says_that_it_did_well(
    remains: Remains,
) -> None:
    remains.event("job", host="n1", hosts=("n1",))
    remains.ended("S0001")
    steps = [make_step(number) for number in (1, 2)]
    assert collect(steps, remains.jobs).jobs[0].fate == "unfinished"
    remains.event("end")
    assert collect(steps, remains.jobs).jobs[0].fate == "ok"


def test_several_hosts_without_a_batch_system_are_those_of_the_site(remains: Remains) -> None:
    begun(remains)
    assert collected(remains).jobs[0].system == "hosts"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe", b'{"system":"slurm"}', b'{"system":"x","name":"y"}', b"[]"]
)
def test_a_damaged_file_is_none(remains: Remains, content: bytes) -> None:
    remains.ended("S0001")
    (remains.directory / "batch.json").write_bytes(content)
    assert collected(remains).jobs[0].system == "this machine"


def test_what_is_no_file_is_none_and_an_empty_folder_no_job(remains: Remains) -> None:
    (remains.directory / "batch.json").mkdir()
    assert collect([], remains.jobs).jobs == ()
    remains.ended("S0001")
    assert len(collect([], remains.jobs).jobs) == 1


@pytest.mark.parametrize("wait", ["null", "NaN", "Infinity"])
def test_a_wait_that_nobody_saw_follows_from_the_two_files(remains: Remains, wait: str) -> None:
    begun(remains)
    write_batch_facts(remains)
    path = remains.directory / "batch.json"
    path.write_text(path.read_text().replace("{", f'{{"wait_seconds":{wait},', 1))
    assert collected(remains).jobs[0].wait_seconds == 110.0
    write_batch_facts(remains, attempt=2)  # the script may have begun in an earlier attempt
    assert collected(remains).jobs[0].wait_seconds is None


def test_a_wait_without_a_submission_is_all_there_is(remains: Remains) -> None:
    begun(remains)
    write_batch_facts(remains, submitted=None, wait_seconds=5.0)
    assert collected(remains).jobs[0].queue_seconds == 5.0
    write_batch_facts(remains, submitted=None)
    assert collected(remains).jobs[0].queue_seconds is None


def test_a_job_waits_for_one_that_was_cut_off_until_its_last_word(
    remains: Remains, tmp_path: Path
) -> None:
    begun(remains)
    second = type(remains)(tmp_path / "jobs", "J0002")
    second.event("job", host="n1", hosts=("n1",), time=1012.0)
    write_batch_facts(second, submitted=1000.0, wait_seconds=12.0)
    job = collect([], remains.jobs).jobs[-1]
    assert (job.wait_seconds, job.queue_seconds) == (12.0, 2.0)


def test_a_job_counts_only_what_it_lost_for_good(remains: Remains, tmp_path: Path) -> None:
    begun(remains)
    second = type(remains)(tmp_path / "jobs", "J0002")
    second.ended("S0003")
    found = collect(
        [make_step(number) for number in (1, 2, 3)],
        remains.jobs,
        asked={"J0001": _STEPS, "J0002": ["S0003"]},
    )
    assert [job.lost for job in found.jobs] == [("S0002",), ()]


def test_what_batch_systems_say_fits_on_a_line(remains: Remains) -> None:
    begun(remains)
    write_batch_facts(remains, state="failed", raw="A\x1b[31m\nB", reason="C\n\nD", queue="q\n")
    (job,) = collected(remains).jobs
    words = (job.raw, job.reason, job.queue, job.why)
    assert all(word.isprintable() for word in words)
    assert JobAccount.model_validate_json(job.model_dump_json()) == job
