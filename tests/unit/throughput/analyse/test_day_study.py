"""The whole study of a day: delays, responses, findings and the sentences of the verdict."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.throughput.analyse.day_study import study
from heorot.throughput.analyse.delays import find_delays, find_responses
from heorot.throughput.analyse.templates import fate_of
from heorot.throughput.analyse.timeline import timeline_of
from heorot.throughput.model.day import PartEnd, Response
from heorot.throughput.model.story import Missing
from tests.unit.throughput.analyse.days import make_day, make_job, ran
from tests.unit.throughput.report.synthetic import many_jobs, published_day


def said(day: Any, **arguments: Any) -> str:
    return "\n".join(each.text for each in study(day, **arguments).told.verdict)


def observed(jobs: list[Any], **fields: Any) -> dict[str, Any]:
    found = study(make_day(jobs, **fields)).told.findings
    return {each.text: each for each in found}


def test_the_published_day_is_told_in_eight_sentences() -> None:
    analysis = study(published_day())
    text = [each.text for each in analysis.told.verdict]
    assert len(text) == 8
    assert text[0] == (
        "33 jobs were submitted and 31 came back well; euroben15 vanished and never ran, "
        "primmod21 failed."
    )
    assert text[1].startswith("The day took 1 h 54 min; no schedule of these jobs is shorter than")
    assert text[2].startswith("These totals lack work: 1.02 core hours that were not done")
    assert "programs differ from their single-user times beyond chance" in text[3]
    assert "were it 4 times faster, the day would take" in text[5]
    assert "Beside the load ls answered in" in text[7]
    assert "on the empty system in 145 ms" in text[7]


def test_a_day_on_which_all_went_well() -> None:
    jobs = [ran(i, "a", 0, 10 * i, 10 * i + 10 + 0.01 * i, hosts=("n0",)) for i in range(1, 5)]
    day = make_day(jobs, n_nodes=1, alone={"a": (10.0, 10.1, 9.95)})
    text = said(day, simulated={"EASY": timeline_of(make_day(jobs, n_nodes=1))})
    assert "All 4 jobs that were submitted came back well." in text
    assert "Under load a does not run differently beyond chance" in text
    assert (
        "Simulated with the measured run times, the same jobs take 50 s under EASY (0 %)." in text
    )
    assert "The best order found for the same jobs" in text
    assert "lack" not in text


def test_empty_and_tiny_days_have_something_to_say() -> None:
    assert said(make_day([])) == "No job was scheduled."
    one = said(make_day([ran(1, "a", 0, 0, 10)], alone={"a": (10.0,)}))
    assert one.startswith("1 job was submitted and 1 came back well.")
    assert "Too few runs alone to judge interference" in one
    jobs = [ran(1, "a", 0, 0, 1, interventions=("held",)), make_job(2, "a", 0, submitted=None)]
    text = said(make_day(jobs))
    assert text.startswith("Of 2 jobs 1 were submitted and 1 came back well; a2 has not ended")
    assert "it took 1 intervention by hand" in text


def test_missing_programs_are_told() -> None:
    parts = (PartEnd(name="p", fate="ok", seconds=1.0), PartEnd(name="q", fate="skipped"))
    jobs = [ran(i, "e", 0, 0, 10, parts=parts) for i in range(1, 3)]
    analysis = study(make_day(jobs))
    assert "inside composite jobs 2 programs did not end well" in analysis.told.verdict[0].text
    (finding,) = [each for each in analysis.told.findings if "composite" in each.text]
    assert finding.affected == ("e1", "e2")
    assert finding.rows[0] == ("e1", "q", "was left out", "nobody says")


def test_findings_of_jobs() -> None:
    jobs = [
        make_job(1, "a", 0, fate="vanished"),
        make_job(2, "a", 0, fate="vanished"),
        ran(3, "a", 0, 0, 500, limit_seconds=60, hosts=("n0",), exclusive=True),
        ran(4, "b", 0, 0, 500, hosts=("n0",), allocated=30, interventions=("held",)),
    ]
    found = observed(jobs)
    assert found["2 jobs did not come back well: each vanished"].severity == "error"
    assert found["1 job ran longer than allowed"].rows == (("a3", "1 min", "8 min 20 s"),)
    assert found["1 job that asked for nodes of their own had company there"].affected == ("a3",)
    assert found["1 node never had a job"].affected == ("n1",)
    assert found["somebody intervened by hand 1 time"].severity == "note"
    (clocks,) = [text for text in found if "clocks differ" in text]
    assert clocks.startswith("1 script began before the batch system gave its nodes, b4 by 30 s")


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
    assert "nodes were idle though a job waited that needed no more of them" in texts
    assert "jobs had 3 cores at once, and there are 2" in texts
    assert "between two jobs of which the second already waited nodes were idle for 10 s" in texts


def test_a_load_that_comes_late_is_another_load() -> None:
    jobs = [
        ran(1, "a", 3, 4, 100, scheduled=0, submit_seconds=0.5),
        ran(2, "a", 9, 9, 100, scheduled=0, submit_seconds=1.5),
        ran(3, "a", 60, 60, 100, scheduled=0, depends=True),
        ran(4, "a", 61, 61, 100, scheduled=60),
    ]
    found = observed(jobs)
    assert (
        "2 jobs came later than the schedule says, by 6.0 s in the median, 9.0 s at most, "
        "each submission took 1.0 s: not the load asked for"
    ) in found
    assert not any("came later" in text for text in observed(jobs[2:]))


def test_jobs_that_failed_at_once_have_not_done_the_work_of_a_whole_one() -> None:
    jobs = [ran(1, "a", 0, 0, 1, fate="failed"), ran(2, "a", 0, 1, 11)]
    use = study(make_day(jobs, n_nodes=1, alone={"a": (10.0,)})).measures.use
    assert use.esp_efficiency == 1.0


def test_clocks_that_overlap_a_little_crowd_nothing() -> None:
    # The batch system rounds up the end of a job whose script is silent.
    jobs = [
        make_job(1, "a", 0, allocated=0, batch_end=50, fate="node_fail"),
        ran(2, "a", 0, 49.6, 100),
    ]
    assert not [text for text in observed(jobs, n_nodes=1) if "at once" in text]


def test_nodes_are_not_called_unused_where_a_job_does_not_tell_its_own() -> None:
    jobs = [ran(1, "a", 0, 0, 10, hosts=("n0",)), ran(2, "a", 0, 0, 10)]
    assert not [text for text in observed(jobs) if "never had a job" in text]
    assert not [text for text in observed(jobs[1:]) if "never had a job" in text]


def test_what_is_missing_by_an_unknown_amount_is_at_least_what_is_known() -> None:
    jobs = [ran(1, "a", 0, 0, 3600), make_job(2, "a", 0, fate="vanished")]
    assert "lack work: 1 core hours that were not done, 50 % of all" in said(make_day(jobs))
    text = said(make_day([*jobs, make_job(3, "b", 0, fate="vanished")]))
    assert "lack work: at least 1 core hours" in text
    assert "would have taken at least 2 h" in text


def test_no_day_is_called_more_than_efficient() -> None:
    # Three jobs of one core at once on two: the bound is 15 s.
    text = said(make_day([ran(i, "a", 0, 0, 10) for i in (1, 2, 3)]))
    assert "The day took 10 s; these jobs need 15 s (all work on all processors) if no " in text
    assert "given twice at a time, so some were. Jobs held" in text
    assert "efficient" not in text
    assert "so this one is 100 % efficient" in said(make_day([ran(1, "a", 0, 0, 10)]))


def test_one_program_differs_and_several_differ() -> None:
    jobs = [ran(i, "a", 0, 100 * i, 100 * i + 13 + 0.01 * i) for i in range(1, 8)]
    text = said(make_day(jobs, alone={"a": (10.0, 10.1, 9.9)}))
    assert "1 of 1 program differs from its single-user time beyond chance; a takes 1.3" in text


def test_only_what_takes_more_than_any_other_is_said_to() -> None:
    one, other = ran(1, "a", 0, 0, 10), ran(2, "b", 0, 0, 10)
    assert "more than any other" not in said(make_day([one, other]))
    assert "more than any other" in said(make_day([one, other, ran(3, "a", 0, 10, 20)]))
    assert "of the node time" not in said(make_day([ran(1, "a", 0, 0, 0)]))


def test_several_programs_that_load_does_not_touch() -> None:
    jobs = [ran(i, "ab"[i % 2], 0, 100 * i, 100 * i + 10 + 0.01 * i) for i in range(1, 9)]
    text = said(make_day(jobs, alone=dict.fromkeys("ab", (10.0, 10.1, 9.9))))
    assert "Under load of 2 programs none runs differently beyond chance" in text


def test_interference_is_a_finding_only_beyond_chance() -> None:
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
    assert delays["nodes given to script begun"].maximum == pytest.approx(0.2)
    assert delays["script begun to program begun"].p95 == pytest.approx(0.2)
    assert delays["script ended to batch system done"].median == 0.0
    assert delays["submitting command"].n == 1


def test_responses_loaded_and_empty() -> None:
    made = [
        Response(name="ls", started=1, seconds=0.1 * i, code=int(i == 9), loaded=i > 4)
        for i in range(1, 10)
    ]
    made.append(Response(name="w", started=1, seconds=1, code=2, loaded=True))
    empty, loaded, failed = find_responses(make_day([], responses=tuple(made)))
    assert (empty.loaded, empty.n) == (False, 4)
    assert empty.times is not None
    assert empty.times.median == 0.25
    assert (loaded.n, loaded.n_failed) == (5, 1)
    assert loaded.times is not None
    assert loaded.times.maximum == pytest.approx(0.8)
    assert (failed.n_failed, failed.times) == (1, None)
    told = observed([], responses=tuple(made))
    (vain,) = [each for text, each in told.items() if "interactive" in text]
    assert vain.text.startswith("of 10 interactive commands 2 did not end with exit code 0")
    assert vain.rows == (("ls", "loaded", "5", "1"), ("w", "loaded", "1", "1"))
    assert not any("interactive" in text for text in observed([], responses=tuple(made[:8])))


def test_words() -> None:
    assert fate_of(Missing(label="a1", serial=1, fate="rejected")).text == "a1 was rejected"


@pytest.mark.timed
def test_many_jobs_are_studied_in_seconds() -> None:
    analysis = study(many_jobs(3000))
    assert analysis.measures.n_jobs == 3000
    assert analysis.told.orders == ()
    assert {each.by for each in analysis.told.faster} == {"work"}
