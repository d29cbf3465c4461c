"""Unreadable fields of jobs that count nevertheless; other files are named as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import WorkloadError
from heorot.throughput.workload.sacct import FORMAT, read_sacct
from heorot.throughput.workload.swf import parse_swf
from heorot.throughput.workload.traces import read_workload
from tests.unit.throughput.tables import table_of
from tests.unit.throughput.workload.test_sacct import HEADER, LINE, read
from tests.unit.throughput.workload.test_swf import LINE as JOB


def test_an_unneeded_field_loses_no_job() -> None:
    """A negative wait, a memory of words, half a processor: unknown, and reported once each."""
    lines = [JOB.replace(" 0 -1 5", f" {n} -17 5") for n in range(3)]
    lines += [JOB.replace("10 -1 1", "10 1Me 1", 1), JOB.replace("5 1 ", "5 1.5 ", 1), JOB]
    reading = parse_swf("\n".join(lines).encode())
    assert len(reading.workload.jobs) == 6
    assert reading.workload.jobs["wait"].tolist() == [-1.0] * 6
    assert sorted(reading.workload.jobs["processors"].tolist()) == [-1, 1, 1, 1, 1, 1]
    reported = [each.text for each in reading.complaints if "unknown" in each.text]
    assert reported == [
        "`wait` is negative: -17: taken as unknown (`wait` of 3 jobs, this the first)",
        "`1Me` is no number for `requested_memory_kib`: taken as unknown",
        "`processors` is no whole number: 1.5: taken as unknown",
    ]


def test_a_line_that_is_mostly_odd_is_no_job() -> None:
    line = "1 2 " + " ".join("word" * n for n in range(1, 17))
    reading = parse_swf(f"{JOB}\n{line}\n".encode())
    assert len(reading.workload.jobs) == 1
    assert [(each.line, each.lost) for each in reading.complaints] == [(2, True)]


def test_partial_executions_are_no_jobs() -> None:
    whole = JOB.replace(" 10 -1 1 1 1", " 10 -1 1 1 1")
    parts = [JOB.replace("10 -1 1", f"10 -1 {status}", 1) for status in (2, 3, 4)]
    parts[1] = parts[1].replace(" 0 -1", " -1 -1", 1)
    reading = parse_swf("\n".join((whole, *parts)).encode())
    assert len(reading.workload.jobs) == 1
    (complaint,) = reading.complaints
    assert (complaint.line, complaint.lost) == (2, True)
    assert complaint.text.startswith("3 lines, this the first, are of partial executions")
    assert "without another line" not in complaint.text
    alone = parse_swf("\n".join((whole, parts[0].replace("1 ", "7 ", 1))).encode())
    assert "1 job of theirs without another line" in alone.complaints[0].text


@pytest.mark.parametrize(
    ("field", "value", "text", "unknown"),
    [
        (3, "DONE", "`DONE` is no state", "status"),
        (3, "", "it has no state", "status"),
        (5, "yesterday", "`yesterday` is no time", "wait"),
        (8, "soon", "`soon` is no length of time", "requested_seconds"),
        (12, "8X", "`8X` is no amount of memory", "requested_memory_kib"),
        (12, "1Me", "`1Me` is no amount of memory", "requested_memory_kib"),
        (12, "-5M", "`-5M` is no amount of memory", "requested_memory_kib"),
        (12, "4?", "`4?` is no amount of memory", "requested_memory_kib"),
        (9, "two", "`two` is no number of processors or nodes", ""),
        (7, "1:00", "`1:00` is no length of time", ""),
        (7, "999999999-00:00:00", "`999999999-00:00:00` is too long", ""),
        (6, "31.12.2026 10:00", "`31.12.2026 10:00` is no time", ""),
    ],
)
def test_an_optional_field_loses_no_job(
    tmp_path: Path, field: int, value: str, text: str, unknown: str
) -> None:
    fields = LINE.split("|")
    fields[field] = value
    odd = "|".join(fields)
    reading = read(tmp_path, LINE, odd, odd.replace("7|", "8|", 1), LINE.replace("7|", "9|", 1))
    jobs = reading.workload.jobs
    assert len(jobs) == 4
    assert jobs["run"].tolist() == [60.0] * 4
    if unknown:
        assert (jobs[unknown] == -1).tolist() == [False, True, True, False]
    reported = [each for each in reading.complaints if each.line == 3 and "again" not in each.text]
    (complaint,) = reported
    assert complaint.text.startswith(text)
    assert complaint.text.endswith(" of 2 jobs, this the first)")
    assert not complaint.lost


def test_an_unknown_state_without_an_end_is_running(tmp_path: Path) -> None:
    odd = LINE.replace("COMPLETED", "HIBERNATING").replace("2026-11-23T11:01:10", "Unknown")
    (job,) = table_of(read(tmp_path, odd).workload.jobs)
    assert (job["status"], job["run"], job["wait"]) == (-1, -1.0, 10.0)


def test_bars_in_a_command_behind_others(tmp_path: Path) -> None:
    header = "JobID|JobName|State|Submit|ElapsedRaw|NCPUS|SubmitLine"
    line = "7|a|COMPLETED|5|60|4|sbatch run"
    reading = read(
        tmp_path,
        line + " | tee log",
        line.replace("|a|", "|a|b|") + " a | b || c",
        line.replace("|a|", "|a||b|"),
        line.replace("|a|", "|a|COMPLETED|5|"),
        line.replace("|4|", "|4|4|"),
        header=header,
    )
    assert reading.workload.jobs["processors"].tolist() == [4] * 5
    assert reading.workload.names["executable"][2] == "a|b"
    lost = [each.line for each in reading.complaints if each.lost]
    assert lost == []


def test_bars_in_a_column_of_numbers_are_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, LINE, LINE.replace("|2|4|4|", "|2|4|4|4|").replace("7|", "8|", 1))
    assert len(reading.workload.jobs) == 1 or reading.complaints


@pytest.mark.parametrize(
    ("first", "what"),
    [
        ("JobID,State,Submit,Start,End", "with commas between its columns"),
        ('"JobID","State","Submit"', "with commas between its columns"),
        ("State;JobID;Submit", "with semicolons between its columns"),
        ("JobID\tState\tSubmit", "with tabs between its columns"),
        ("JobID^State^Submit^End", "with `^` between its columns"),
        ("JobID           JobName  Partition    Account  AllocCPUS      State ExitCode", "blanks"),
        ("       JobID    JobName  State", "with blanks, as without -P between its columns"),
        ("1001|u|cpu|COMPLETED|2024-10-25T10:00:00|60", "without the line of column names"),
        ('{"jobs": [{"account": "a"', "looks like JSON"),
        ("State|Submit|Start|End", "without the column JobID"),
    ],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_what_else_sacct_prints_is_reported_as_that(
    tmp_path: Path, first: str, what: str, mark: str
) -> None:
    path = tmp_path / "jobs"
    path.write_text(f"\n{mark}{first}\n1001,COMPLETED,2024-10-25T10:00:00\n")
    for reader in (read_workload, read_sacct):
        with pytest.raises(WorkloadError) as caught:
            reader(path)
        assert what in str(caught.value)
        assert ":2: looks like" in str(caught.value)
        assert FORMAT in caught.value.hint


def test_a_mark_before_the_header_and_raw_ids(tmp_path: Path) -> None:
    header = "\ufeff" + HEADER.replace("JobID", "JobIDRaw")
    assert len(read(tmp_path, LINE, header=header).workload.jobs) == 1
