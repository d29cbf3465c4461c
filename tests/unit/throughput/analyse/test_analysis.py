"""The analysis of a throughput test: delays, responses, findings and the verdict."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.model.analysis.claims import Claim
from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.analyse.claims.throughput_verdict import MOST_SENTENCES
from heorot.throughput.analyse.delays import find_delays, find_responses
from heorot.throughput.analyse.templates import clause_of
from heorot.throughput.analyse.timeline import timeline_of
from heorot.throughput.model.explanation import Missing
from heorot.throughput.model.throughput import PartEnd, Response
from tests.unit.report.screens.sentences import excess
from tests.unit.throughput.analyse.synthetic_tests import make_job, make_throughput, ran
from tests.unit.throughput.report.synthetic import many_jobs, published_throughput


def said(test: Any, **arguments: Any) -> str:
    return "\n".join(
        each.text for each in analyse_throughput(test, **arguments).explanation.verdict
    )


def observed(jobs: list[Any], **fields: Any) -> dict[str, Any]:
    found = analyse_throughput(make_throughput(jobs, **fields)).explanation.findings
    return {each.text: each for each in found}


def test_the_verdict_on_the_published_schedule_has_seven_short_sentences() -> None:
    text = [each.text for each in analyse_throughput(published_throughput()).explanation.verdict]
    assert len(text) == MOST_SENTENCES == 7
    assert text[0] == "31 of 33 jobs completed."
    assert text[1].startswith("The makespan is 1 h 54 min, with ")
    assert text[1].endswith(" efficiency against its lower bound (total work).")
    assert text[2].startswith(
        "1.02 core hours of work are missing; including them, the makespan is"
    )
    assert "times its dedicated run time" in text[3]
    assert text[4].startswith("The median queue wait is ")
    assert text[5].startswith("Nodes idled for ")
    assert text[6].startswith("Under load ls responds in ")
    assert text[6].endswith(", on the empty system in 145 ms.")


def test_a_verdict_names_the_missing_jobs_as_data() -> None:
    account = analyse_throughput(published_throughput()).explanation.verdict[0]
    missing = account.values["missing"]
    assert isinstance(missing, tuple)
    assert [one.text for one in missing if isinstance(one, Claim)] == [
        "euroben15 was lost and never started",
        "primmod21 failed",
    ]


def test_every_sentence_of_a_verdict_is_short() -> None:
    jobs = [ran(i, "a", 0, 10 * i, 10 * i + 10 + 0.01 * i, hosts=("n0",)) for i in range(1, 5)]
    policy = {"EASY": timeline_of(make_throughput(jobs, n_nodes=1))}
    days = [
        (published_throughput(), {}),
        (make_throughput(jobs, n_nodes=1, alone={"a": (10.0, 10.1, 9.95)}), policy),
        (make_throughput([ran(i, "a", 0, 0, 10) for i in (1, 2, 3)]), {}),
        (
            make_throughput([*jobs, make_job(9, "a", 0, submitted=None, interventions=("held",))]),
            policy,
        ),
    ]
    said = [
        one.text
        for test, simulated in days
        for one in analyse_throughput(test, simulated).explanation.verdict
    ]
    assert [text for text in said if excess(text)] == []


def test_a_test_in_which_all_went_well() -> None:
    jobs = [ran(i, "a", 0, 10 * i, 10 * i + 10 + 0.01 * i, hosts=("n0",)) for i in range(1, 5)]
    test = make_throughput(jobs, n_nodes=1, alone={"a": (10.0, 10.1, 9.95)})
    text = said(test, simulated={"EASY": timeline_of(make_throughput(jobs, n_nodes=1))})
    assert "All 4 submitted jobs completed." in text
    assert "Under load no run time differs significantly from its dedicated baseline" in text
    assert (
        "Simulated with the measured run times, EASY has the shortest makespan: 50 s (0 %)." in text
    )
    assert "missing" not in text


def test_empty_and_tiny_tests_have_a_verdict() -> None:
    assert said(make_throughput([])) == "No job was scheduled."
    one = said(make_throughput([ran(1, "a", 0, 0, 10)], alone={"a": (10.0,)}))
    assert one.startswith("1 of 1 job completed.")
    assert "Too few dedicated runs to judge contention" in one
    jobs = [ran(1, "a", 0, 0, 1, interventions=("held",)), make_job(2, "a", 0, submitted=None)]
    assert said(make_throughput(jobs)).startswith(
        "1 of 2 jobs completed, and not all were submitted, with interventions by hand."
    )


def test_missing_programs_are_reported() -> None:
    parts = (PartEnd(name="p", fate="ok", seconds=1.0), PartEnd(name="q", fate="skipped"))
    jobs = [ran(i, "e", 0, 0, 10, parts=parts) for i in range(1, 3)]
    analysis = analyse_throughput(make_throughput(jobs))
    assert analysis.explanation.verdict[0].text == (
        "All 2 submitted jobs completed, some without all their programs."
    )
    (finding,) = [each for each in analysis.explanation.findings if "composite" in each.text]
    assert finding.text == "2 programs of composite jobs did not complete"
    assert finding.affected == ("e1", "e2")
    assert finding.rows[0] == ("e1", "q", "was skipped", "unknown")


def test_findings_of_jobs() -> None:
    jobs = [
        make_job(1, "a", 0, fate="vanished"),
        make_job(2, "a", 0, fate="vanished"),
        ran(3, "a", 0, 0, 500, limit_seconds=60, hosts=("n0",), exclusive=True),
        ran(4, "b", 0, 0, 500, hosts=("n0",), allocated=30, interventions=("held",)),
    ]
    found = observed(jobs)
    assert found["2 jobs did not complete: each was lost"].severity == "error"
    assert found["1 job exceeded its time limit"].rows == (("a3", "1 min", "8 min 20 s"),)
    assert found["1 job that requested exclusive nodes shared them with others"].affected == ("a3",)
    assert found["1 node never had a job"].affected == ("n1",)
    assert found["1 manual intervention in the queue"].severity == "note"
    (clocks,) = [text for text in found if "clocks differ" in text]
    assert clocks.startswith("1 script started before the batch system allocated nodes, b4 by 30 s")


def test_findings_of_the_whole() -> None:
    # Node 1 idles for 60 s though job 2 needs one node only; then both are on one core.
    jobs = [
        ran(1, "a", 0, 0, 100, hosts=("n0",)),
        ran(2, "a", 0, 60, 100, hosts=("n1",)),
        ran(3, "a", 60, 60, 100, hosts=("n1",)),
        ran(4, "a", 0, 110, 120, hosts=("n0",)),
    ]
    found = observed(jobs)
    texts = "\n".join(found)
    assert "of the node time while a waiting job fitted" in texts
    assert "jobs were allocated 3 cores at once on a machine of 2" in texts
    assert "the median gap between two jobs of a node, the second waiting, is 10 s" in texts


def test_a_load_that_comes_late_is_another_load() -> None:
    jobs = [
        ran(1, "a", 3, 4, 100, scheduled=0, submit_seconds=0.5),
        ran(2, "a", 9, 9, 100, scheduled=0, submit_seconds=1.5),
        ran(3, "a", 60, 60, 100, scheduled=0, depends=True),
        ran(4, "a", 61, 61, 100, scheduled=60),
    ]
    found = observed(jobs)
    assert (
        "2 jobs were submitted late, by 6.0 s in the median and 9.0 s at most; one submission "
        "takes 1.0 s"
    ) in found
    assert not any("late" in text for text in observed(jobs[2:]))


def test_jobs_that_failed_at_once_have_not_done_the_work_of_a_whole_one() -> None:
    jobs = [ran(1, "a", 0, 0, 1, fate="failed"), ran(2, "a", 0, 1, 11)]
    use = analyse_throughput(make_throughput(jobs, n_nodes=1, alone={"a": (10.0,)})).measures.use
    assert use.esp_efficiency == 1.0


def test_clocks_that_overlap_a_little_crowd_nothing() -> None:
    # The batch system rounds up the end of a job whose script is silent.
    jobs = [
        make_job(1, "a", 0, allocated=0, batch_end=50, fate="node_fail"),
        ran(2, "a", 0, 49.6, 100),
    ]
    assert not [text for text in observed(jobs, n_nodes=1) if "at once" in text]


def test_nodes_are_not_called_unused_where_those_of_a_job_are_unknown() -> None:
    jobs = [ran(1, "a", 0, 0, 10, hosts=("n0",)), ran(2, "a", 0, 0, 10)]
    assert not [text for text in observed(jobs) if "never had a job" in text]
    assert not [text for text in observed(jobs[1:]) if "never had a job" in text]


def test_what_is_missing_by_an_unknown_amount_is_at_least_what_is_known() -> None:
    jobs = [ran(1, "a", 0, 0, 3600), make_job(2, "a", 0, fate="vanished")]
    assert "1 core hours of work are missing; including them" in said(make_throughput(jobs))
    text = said(make_throughput([*jobs, make_job(3, "b", 0, fate="vanished")]))
    assert "At least 1 core hours of work are missing" in text
    assert "the makespan is at least 2 h." in text


def test_no_test_is_called_more_than_efficient() -> None:
    # Three jobs of one core at once on two: the bound is 15 s.
    text = said(make_throughput([ran(i, "a", 0, 0, 10) for i in (1, 2, 3)]))
    assert "The makespan is 10 s, below the lower bound of 15 s: some cores were " in text
    assert "efficien" not in text
    assert "with 100 % efficiency" in said(make_throughput([ran(1, "a", 0, 0, 10)]))


def test_the_program_that_contention_costs_most_is_named() -> None:
    jobs = [ran(i, "a", 0, 100 * i, 100 * i + 13 + 0.01 * i) for i in range(1, 8)]
    text = said(make_throughput(jobs, alone={"a": (10.0, 10.1, 9.9)}))
    assert "Under load a takes 1.3" in text


def test_only_what_consumes_more_than_any_other_is_said_to() -> None:
    one, other = ran(1, "a", 0, 0, 10), ran(2, "b", 0, 0, 10)
    assert "more than any other" not in said(make_throughput([one, other]))
    assert "more than any other" in said(make_throughput([one, other, ran(3, "a", 0, 10, 20)]))
    assert "consumes" not in said(make_throughput([ran(1, "a", 0, 0, 0)]))


def test_programs_without_a_significant_difference() -> None:
    jobs = [ran(i, "ab"[i % 2], 0, 100 * i, 100 * i + 10 + 0.01 * i) for i in range(1, 9)]
    text = said(make_throughput(jobs, alone=dict.fromkeys("ab", (10.0, 10.1, 9.9))))
    assert "Under load no run time differs significantly from its dedicated baseline" in text


def test_contention_is_a_finding_only_if_significant() -> None:
    jobs = [ran(i, "a", 0, 100 * i, 100 * i + 13 + 0.01 * i) for i in range(1, 8)]
    found = observed(jobs, alone={"a": (10.0, 10.1, 9.9)})
    (finding,) = [each for text, each in found.items() if text.startswith("under load a takes")]
    assert (finding.severity, finding.affected) == ("warning", ("a",))
    assert finding.remedy
    assert not [text for text in observed(jobs, alone={"a": (13.0, 13.1)}) if "under load" in text]


def test_delays_between_the_steps_of_a_job() -> None:
    job = ran(
        1, "a", 0, 5.2, 9.0, allocated=5, application_start=5.4, batch_end=9, submit_seconds=0.1
    )
    delays = {each.name: each.took for each in find_delays([job, make_job(2, "a", 0)])}
    assert delays["submitting command"].median == pytest.approx(0.1)
    assert delays["nodes allocated to script start"].maximum == pytest.approx(0.2)
    assert delays["script start to program start"].p95 == pytest.approx(0.2)
    assert delays["script end to end in the batch system"].median == 0.0
    assert delays["submitting command"].n == 1


def test_responses_loaded_and_empty() -> None:
    made = [
        Response(name="ls", started=1, seconds=0.1 * i, code=int(i == 9), loaded=i > 4)
        for i in range(1, 10)
    ]
    made.append(Response(name="w", started=1, seconds=1, code=2, loaded=True))
    empty, loaded, failed = find_responses(make_throughput([], responses=tuple(made)))
    assert (empty.loaded, empty.n) == (False, 4)
    assert empty.times is not None
    assert empty.times.median == 0.25
    assert (loaded.n, loaded.n_failed) == (5, 1)
    assert loaded.times is not None
    assert loaded.times.maximum == pytest.approx(0.8)
    assert (failed.n_failed, failed.times) == (1, None)
    reported = observed([], responses=tuple(made))
    (vain,) = [each for text, each in reported.items() if "interactive" in text]
    assert vain.text.startswith("2 of 10 interactive commands did not exit with 0")
    assert vain.rows == (("ls", "loaded", "5", "1"), ("w", "loaded", "1", "1"))
    assert not any("interactive" in text for text in observed([], responses=tuple(made[:8])))


def test_words() -> None:
    assert clause_of(Missing(label="a1", serial=1, state="rejected")).text == "a1 was rejected"


@pytest.mark.timed
def test_many_jobs_are_studied_in_seconds() -> None:
    analysis = analyse_throughput(many_jobs(3000))
    assert analysis.measures.n_jobs == 3000
    assert analysis.explanation.orders == ()
    assert {each.by for each in analysis.explanation.faster} == {"work"}
