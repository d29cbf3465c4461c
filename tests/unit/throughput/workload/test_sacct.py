"""Output of sacct: recorded dumps, truncated lines, invalid words."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from heorot.errors import WorkloadError
from heorot.throughput.workload.reading import Reading
from heorot.throughput.workload.sacct import FORMAT, read_sacct
from tests.unit.throughput.tables import table_of

SAMPLES = Path(__file__).parents[3] / "samples/batch/slurm/22.05/sacct"
HEADER = "JobID|JobName|User|State|Submit|Start|End|Elapsed|Timelimit|NNodes|NCPUS|ReqCPUS|ReqMem"
LINE = (
    "7|a|me|COMPLETED|2026-11-23T11:00:00|2026-11-23T11:00:10|2026-11-23T11:01:10|00:01:00|01:00:00"
    "|2|4|4|8G"
)


def read(folder: Path, *lines: str, header: str = HEADER, end: str = "\n") -> Reading:
    path = folder / "jobs.txt"
    path.write_text("\n".join((header, *lines)) + end)
    return read_sacct(path)


@pytest.mark.parametrize("name", ["steps-and-duplicates.txt", "parsable.txt", "epoch.txt"])
def test_recorded_dumps_say_the_same(name: str) -> None:
    reading = read_sacct(SAMPLES / name)
    assert not reading.complaints
    work = reading.workload
    ids = work.names["number"]
    jobs = {ids[int(job["number"])]: job for job in table_of(work.jobs)}
    # 17 was held and cancelled; without the column of its state it would be missing.
    assert jobs.keys() - {"17"} == {
        *("1", "2", "3", "5", "7", "8", "9", "10", "18", "19"),
        *(f"4_{task}" for task in range(1, 6)),
    }
    assert work.names["executable"][int(jobs["3"]["executable"])] == "pipe|name"
    assert work.processors_per_node == 2
    reported = ("submit", "wait", "run", "processors", "requested_seconds", "status")
    found = {each: tuple(float(jobs[each][name]) for name in reported) for each in ("7", "8", "10")}
    assert found == {
        "7": (0.0, 88.0, 4.0, 8.0, 120.0, 1.0),
        "8": (0.0, 7.0, 81.0, 2.0, 60.0, 0.0),
        "10": (0.0, 7.0, 0.0, 1.0, 93780.0, 1.0),
    }
    # One was cancelled in the queue, one still runs.
    assert tuple(jobs["9"][["wait", "run", "processors", "status"]].item()) == (6.0, 0.0, -1, 5)
    assert tuple(jobs["19"][["wait", "run", "status"]].item()) == (71.0, -1.0, -1)
    # The components of a heterogeneous job are one.
    assert jobs["5"]["processors"] == 3
    assert jobs["1"]["requested_memory_kib"] == 9642 * 1024 / 4
    assert work.header["StartTime"] == "2026-11-23T11:17:31"


def test_the_default_columns_are_too_few() -> None:
    with pytest.raises(WorkloadError, match=r"default.txt:1: has no column `submit`") as caught:
        read_sacct(SAMPLES / "default.txt")
    assert FORMAT in caught.value.hint


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("a|b", "the first line does not name the columns"),
        ("", "does not name the columns"),
        ("JobID|Submit", "has no column `state`"),
        ("JobID|Submit|State", "has no column `elapsedraw`"),
        ("JobID|Submit|State|End", "has no column `alloccpus`"),
        ("JobID|Submit|State|End|NCPUS", "has no job"),
    ],
)
def test_files_without_jobs(tmp_path: Path, header: str, message: str) -> None:
    with pytest.raises(WorkloadError, match=message) as caught:
        read(tmp_path, header=header)
    assert ":1: " in str(caught.value)


def test_a_packed_dump_with_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "jobs.txt.gz"
    lines = (
        "State|End|Submit|Start|ReqCPUS|JobID|TotalCPU|CPUTimeRAW\nTIMEOUT|90|50|60|3|1|01:00.5|9\n"
    )
    path.write_bytes(gzip.compress(lines.encode()))
    (job,) = table_of(read_sacct(path).workload.jobs)
    assert (job["wait"], job["run"], job["requested_processors"]) == (10.0, 30.0, 3)
    assert job["processors"] == -1
    assert job["cpu_seconds"] == -1.0


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        (0, "7x", "`7x` is no job"),
        (0, "", "`` is no job"),
        (0, "7_[1-]", "`1-` is no list of tasks"),
        (0, "7_[0-999999]", "`0-999999` stands for 1000000 tasks"),
        (4, "Unknown", "has no time of submission"),
        (4, "2026-11-23", "`2026-11-23` is no time"),
        (0, "7_[x]", "`x` is no list of tasks"),
        (4, "2026-02-30T11:00:00", "`2026-02-30T11:00:00` is no time"),
    ],
)
def test_a_wrong_field_loses_its_line_only(
    tmp_path: Path, field: int, value: str, text: str
) -> None:
    fields = LINE.split("|")
    fields[field] = value
    reading = read(tmp_path, LINE, "|".join(fields), LINE.replace("7|", "8|", 1))
    assert len(reading.workload.jobs) == 2
    assert [(each.line, each.text, each.lost) for each in reading.complaints] == [(3, text, True)]


def test_raw_seconds_that_are_none(tmp_path: Path) -> None:
    header = "JobID|State|Submit|ElapsedRaw|TimelimitRaw|NCPUS"
    reading = read(
        tmp_path,
        "1|COMPLETED|5|60|2|1",
        "2|COMPLETED|5|x|2|1",
        "3|COMPLETED|5||UNLIMITED|1.5K",
        "4|FAILED|5|60|99999999999999|1",
        header=header,
    )
    assert [(each.line, each.lost) for each in reading.complaints] == [(3, False), (5, False)]
    assert reading.workload.jobs["requested_seconds"].tolist() == [120.0, 120.0, -1.0, -1.0]
    assert reading.workload.jobs["run"].tolist() == [60.0, -1.0, -1.0, 60.0]
    assert reading.workload.jobs["processors"].tolist() == [1, 1, 1500, 1]
    assert reading.workload.jobs["requested_processors"].tolist() == [1, 1, 1500, 1]


def test_cut_lines_are_reported_and_nothing_else_is_lost(tmp_path: Path) -> None:
    for length in range(1, len(LINE)):
        reading = read(tmp_path, LINE, LINE[:length], LINE.replace("7|", "8|", 1))
        ids = reading.workload.names["number"]
        assert {"7", "8"} <= set(ids.values())
        assert len(reading.complaints) == 1
        assert reading.complaints[0].line == 3
        if LINE[:length].count("|") < HEADER.count("|"):
            n = LINE[:length].count("|") + 1
            assert reading.complaints[0].text == f"has {n} of 13 columns: it was cut off"


def test_a_file_that_ends_amid_a_line_is_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, LINE, LINE.replace("7|", "8|", 1), end="")
    assert len(reading.workload.jobs) == 2
    (complaint,) = reading.complaints
    assert (complaint.line, complaint.lost) == (3, False)


def test_bars_in_the_name_of_a_job(tmp_path: Path) -> None:
    reading = read(tmp_path, LINE.replace("|a|", "|a|b||c|"), LINE)
    assert reading.workload.names["executable"] == {1: "a|b||c", 2: "a"}
    header, line = HEADER.replace("User", "Comment"), LINE.replace("|a|", "|a|b|")
    # Two adjacent texts of users: no number depends on whose bar it is.
    reading = read(tmp_path, LINE.replace("7|", "8|"), line, header=header)
    assert len(reading.workload.jobs) == 2
    assert not reading.complaints


def test_headers_again_blank_lines_and_windows(tmp_path: Path) -> None:
    reading = read(tmp_path, LINE + "\r", "", HEADER, LINE.replace("7|", "8|", 1))
    assert len(reading.workload.jobs) == 2
    assert not reading.complaints


def test_arrays_and_heterogeneous_jobs(tmp_path: Path) -> None:
    waiting = "|a|me|PENDING|2026-11-23T11:00:00|Unknown|Unknown|00:00:00|1-00:00:00|1|1|1|8Gc"
    reading = read(
        tmp_path,
        f"1_[2,4-6,7-11:2%3]{waiting}",
        f"2_[1-2,...]{waiting}",
        LINE.replace("7|", "3+0|", 1),
        LINE.replace("7|", "3+0.batch|", 1),
        LINE.replace("7|", "3+1|", 1).replace("00:01:00|", "00:02:00|"),
        LINE.replace("7|", "4_1|", 1),
        LINE.replace("7|", "4_2|", 1),
    )
    assert not reading.complaints
    work = reading.workload
    ids = list(work.names["number"].values())
    assert ids == ["1"] * 7 + ["2"] * 2 + ["3", "4_1", "4_2"]
    assert work.jobs["processors"].tolist() == [1] * 9 + [8, 4, 4]
    assert work.jobs["run"].tolist() == [-1.0] * 9 + [120.0, 60.0, 60.0]
    assert work.jobs["requested_memory_kib"][0] == 8 * 1024 * 1024
    assert work.jobs["requested_memory_kib"][-1] == 8 * 1024 * 1024 / 4


def test_jobs_that_are_there_again_are_kept(tmp_path: Path) -> None:
    reading = read(
        tmp_path, LINE, LINE, LINE.replace("7|", "8+0|", 1), LINE.replace("7|", "8+0|", 1)
    )
    assert len(reading.workload.jobs) == 4
    assert [(each.line, each.lost) for each in reading.complaints] == [(3, False), (5, False)]


def test_clocks_that_went_backwards(tmp_path: Path) -> None:
    early = LINE.replace("T11:00:10", "T10:00:10")
    reading = read(tmp_path, early)
    assert reading.workload.jobs["wait"].tolist() == [-1.0]
    assert reading.workload.jobs["run"].tolist() == [60.0]
    (complaint,) = reading.complaints
    assert "before it was submitted" in complaint.text
    assert not complaint.lost


@pytest.mark.parametrize(
    ("memory", "kib"),
    [("8G", 2097152.0), ("8Gn", 4194304.0), ("8Gc", 8388608.0), ("0n", -1.0), ("", -1.0)],
)
def test_memory_of_a_processor(tmp_path: Path, memory: str, kib: float) -> None:
    (job,) = table_of(read(tmp_path, LINE.replace("8G", memory)).workload.jobs)
    assert job["requested_memory_kib"] == kib


@pytest.mark.parametrize(
    ("state", "status"),
    [("COMPLETED", 1), ("CANCELLED by 1000", 5), ("OUT_OF_MEMORY", 0), ("CANCELLED+", 5)],
)
def test_states_in_the_words_of_swf(tmp_path: Path, state: str, status: int) -> None:
    (job,) = table_of(read(tmp_path, LINE.replace("COMPLETED", state)).workload.jobs)
    assert job["status"] == status
