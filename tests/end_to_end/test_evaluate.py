"""A whole evaluation from the command line: its files, and reports made from them again."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import duckdb
import pytest

from heorot.analyse.validity.costs import JOB
from heorot.families import BENCHMARKS
from heorot.model.analysis.result import EXPORT_COLUMNS
from heorot.session.runs import reopen
from tests import builds
from tests.end_to_end.running import heorot

# It measures: with other load, numbers of one program may be impossible given those of another.
pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.alone,
    pytest.mark.timeout(600),
]

# What the start of a process may cost more or less than thought.
_START_SECONDS = 0.5
_ENTRIES = (
    "run.json",
    "machine.json",
    "plan.json",
    "samples.parquet",
    "results.parquet",
    "findings.json",
    "report.html",
    "jobs/J0001/script.sh",
    "jobs/J0001/status.jsonl",
    "jobs/J0001/stdout",
    "jobs/J0001/stderr",
    "jobs/J0001/records",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    builds.release()
    directory = tmp_path_factory.mktemp("evaluate") / "first"
    words = ("evaluate", "--profile", "smoke", "--launches", "1", "--out", directory)
    done = heorot(*words, timeout_seconds=550.0)  # a first use builds all programs
    assert done.code == 0, done.err + done.out
    assert "report.html" in done.out
    return directory


def test_the_directory_holds_what_it_promises(run: Path) -> None:
    missing = [entry for entry in _ENTRIES if not (run / entry).exists()]
    assert not missing


def test_every_question_of_the_plan_is_answered(run: Path) -> None:
    answers = {one.question: one for one in reopen(run).evaluation.analysis.answers}
    assert answers["speed"].n_answered > 0
    assert [gap for one in answers.values() for gap in one.gaps] == []
    page = (run / "report.html").read_text(encoding="utf-8")
    assert '<section id="questions"' in page


def test_launches_take_as_long_as_estimated(run: Path) -> None:
    """Applies to unperturbed ones: on a busy machine times are arbitrary."""
    evaluation = reopen(run).evaluation
    estimated = measured = 0.0
    for step, outcome in zip(evaluation.steps, evaluation.outcomes, strict=True):
        if step.id in evaluation.disturbed:
            continue
        assert outcome.exit
        took = outcome.exit.ended - outcome.exit.started
        assert took < 3.0 * step.seconds + _START_SECONDS, step
        assert step.seconds < 3.0 * took + _START_SECONDS, step
        estimated, measured = estimated + step.seconds, measured + took
    assert measured <= 1.5 * estimated + _START_SECONDS
    # The least time of a launch is that of a slow machine, and nearly all of the shortest ones.
    assert estimated <= 2.0 * measured + _START_SECONDS


def test_export_has_the_columns_and_every_program_verified(run: Path) -> None:
    done = heorot("export", run, "--format", "csv")
    assert done.code == 0
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert list(rows[0]) == EXPORT_COLUMNS
    measured = [row for row in rows if row["derived"] == "false"]
    wanted = {benchmark.name for benchmark in BENCHMARKS if "smoke" in benchmark.profiles}
    assert {row["benchmark"] for row in measured} == wanted
    assert JOB in {row["benchmark"] for row in rows}
    assert {row["verified"] for row in measured} == {"passed"}
    assert "false" not in {row["plausible"] for row in rows}


def test_json_and_parquet_hold_the_same_rows(run: Path, tmp_path: Path) -> None:
    rows = json.loads(heorot("export", run, "--format", "json").out)
    target = tmp_path / "r.parquet"
    assert heorot("export", run, "--format", "parquet", "--out", target).code == 0
    with duckdb.connect() as connection:
        assert len(connection.read_parquet(str(target)).fetchall()) == len(rows)


def test_report_again_from_stored_samples(run: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    done = heorot("report", run, "--out", again)
    assert done.code == 0, done.err
    assert done.out.strip() == str(again)
    assert "<html" in again.read_text(encoding="utf-8")[:500]


def test_a_run_does_not_differ_from_itself(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "difference.html"
    done = heorot("compare", run, run, "--out", page)
    assert done.code == 0, done.err
    assert "(100.0 %)" in done.out
    assert page.stat().st_size > 0


def test_resuming_a_complete_run_runs_nothing_again(run: Path) -> None:
    status = run / "jobs" / "J0001" / "status.jsonl"
    exits = status.read_text().count('"event":"exit"')
    done = heorot("evaluate", "--resume", run)
    assert done.code == 0, done.err
    assert status.read_text().count('"event":"exit"') == exits


def test_a_second_use_builds_nothing(tmp_path: Path) -> None:
    builds.release(["npb/ep"])
    done = heorot("evaluate", "--profile", "smoke", "--only", "npb/ep", "--launches", "1",
                  "--out", tmp_path / "second")  # fmt: skip
    assert done.code == 0
    assert "building" not in done.err


def test_one_benchmark_as_a_table() -> None:
    done = heorot("run", "npb/ep", "--set", "class=S", "--set", "budget=0.3", "--ranks", "2")
    assert done.code == 0, done.err
    assert "operation_rate" in done.out
    assert "passed" in done.out


def test_dry_run_prints_the_plan_and_writes_nothing(tmp_path: Path) -> None:
    done = heorot("evaluate", "--dry-run", "--out", tmp_path / "none")
    assert done.code == 0
    assert "memory/stream" in done.out
    assert not (tmp_path / "none").exists()
