"""The section of jobs: hidden on one machine, their times and ends, overhead of launches."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from heorot.model.batch.jobs import JobAccount, JobCosts, LaunchCost
from heorot.model.run.identity import Stack
from heorot.report.page import format_report
from heorot.report.sections.jobs import JobsSection, jobs_section
from heorot.report.tables.table import Allowance
from tests.unit.report.samples import HOSTILE, make_evaluation


def a_job(at: int = 1, **changes: Any) -> JobAccount:
    fields: dict[str, Any] = {
        "id": f"J{at:04d}",
        "system": "slurm",
        "number": str(4 + at),
        "queue": "batch",
        "hosts": ("n1", "n2", "n3"),
        "nodes": 3,
        "submit_seconds": 0.12,
        "wait_seconds": 14.0,
        "queue_seconds": 0.5,
        "run_seconds": 10.0,
        "step_seconds": 9.5,
        "n_asked": 3,
        "n_ended": 3,
        **changes,
    }
    return JobAccount(**fields)


_LAUNCHES = (
    LaunchCost(stack=Stack("gnu"), nodes=1, ranks=1, n=9, median=0.21, ci_low=0.2, ci_high=0.23),
    LaunchCost(
        stack=Stack("gnu"), nodes=2, ranks=8, at_once=4, n=2, median=0.6, ci_low=0.5, ci_high=0.7
    ),
)


def a_section(jobs: list[JobAccount], costs: JobCosts | None = None) -> JobsSection | None:
    evaluation = replace(
        make_evaluation(1), jobs=tuple(jobs), job_costs=costs or JobCosts(launches=_LAUNCHES)
    )
    return jobs_section(evaluation, Allowance())


def test_jobs_on_this_machine_have_no_section() -> None:
    assert a_section([]) is None
    assert a_section([a_job(system="this machine", nodes=1)]) is None


@pytest.mark.parametrize("changes", [{"nodes": 1}, {"system": "hosts"}])
def test_a_batch_system_or_several_hosts_do(changes: dict[str, Any]) -> None:
    assert a_section([a_job(**changes)]) is not None


def test_every_job_has_its_times() -> None:
    section = a_section([a_job(0, n_asked=0, n_ended=0, step_seconds=0.0), a_job()])
    assert section is not None
    jobs, launches = section.tables
    titles = [column.title for column in jobs.columns]
    assert titles[6:] == [
        *(
            "submitting",
            "behind own jobs",
            "in the queue",
            "run",
            "in launches",
            "overhead",
            "became",
        ),
    ]
    describing, first = ([cell.text for cell in row.cells] for row in jobs.rows)
    assert describing[5] == "none: it describes the nodes"
    assert first == [
        *("J0001", "5", "batch", "3", "n[1-3]", "3"),
        *("120 ms", "14 s", "500 ms", "10 s", "9.5 s", "500 ms", "ended well"),
    ]
    assert jobs.rows[1].id == "job-j0001"
    assert [cell.text for cell in launches.rows[1].cells] == [
        *("2", "8", "4", "2", "600 ms", "[500…700 in 2 launches]"),
    ]


def test_without_a_batch_system_there_is_no_queue() -> None:
    times: dict[str, Any] = dict.fromkeys(("submit_seconds", "wait_seconds", "queue_seconds"))
    job = a_job(1, system="hosts", number=None, queue="", **times)
    section = a_section([job], JobCosts())
    assert section is not None
    (table,) = section.tables
    assert [column.title for column in table.columns] == [
        *(
            "job",
            "nodes",
            "hosts",
            "launches and repeats",
            "run",
            "in launches",
            "overhead",
            "became",
        ),
    ]


def test_toolchains_are_named_if_there_are_several() -> None:
    other = _LAUNCHES[0].model_copy(update={"stack": Stack("llvm")})
    section = a_section([a_job()], JobCosts(launches=(*_LAUNCHES, other)))
    assert section is not None
    assert [row.cells[0].text for row in section.tables[1].rows] == ["gnu", "gnu", "llvm"]


def test_of_very_many_jobs_those_that_went_wrong_are_shown() -> None:
    jobs = [a_job(number, run_seconds=float(number)) for number in range(1, 200)]
    ill = {"fate": "timeout", "why": "it reached its time limit", "n_ended": 1}
    jobs[2] = jobs[2].model_copy(update=ill)
    never = {"run_seconds": None, "hosts": (), "why": "it was lost", "number": None, "queue": ""}
    jobs[5] = jobs[5].model_copy(update=never)
    section = a_section(jobs)
    assert section is not None
    table = section.tables[0]
    assert len(table.rows) == 40
    assert [row.id for row in table.rows[:3]] == ["job-j0003", "job-j0006", "job-j0162"]
    assert (table.rows[0].tone, table.rows[0].cells[5].text) == ("bad", "1 of 3")
    texts = [cell.text for cell in table.rows[1].cells]
    assert texts[1:5] == ["–", "–", "3", "–"]
    assert texts[9:] == ["–", "–", "–", "it was lost"]


def test_the_page_has_the_section_and_a_way_to_it() -> None:
    job = a_job(why=HOSTILE, fate="failed")
    costs = JobCosts(text="4 jobs waited 1.3 s in the median.", launches=_LAUNCHES)
    page = format_report(replace(make_evaluation(1), jobs=(job,), job_costs=costs), ())
    found = re.search(r'<section id="jobs".*?</section>', page, re.DOTALL)
    assert found
    assert "4 jobs waited 1.3\N{NO-BREAK SPACE}s in the median." in found[0]
    assert page.count('href="#jobs"') == 2
    assert HOSTILE not in found[0]
    assert page.count('<h2 id="jobs-h">') == 1


def test_a_page_without_jobs_does_not_mention_them() -> None:
    page = format_report(make_evaluation(1), ())
    assert 'href="#jobs"' not in page
    assert '<section id="jobs"' not in page
