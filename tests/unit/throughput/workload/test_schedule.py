"""Schedules of a throughput test: the published one, and invalid lines."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from heorot.errors import UsageError, WorkloadError
from heorot.throughput.workload.schedule import find, read_schedule, shipped


def write(folder: Path, text: str) -> Path:
    path = folder / "day.schedule"
    path.write_text(text)
    return path


def test_the_published_schedule_has_33_jobs_in_16_lines() -> None:
    path = find("steen2000")
    schedule = read_schedule(path)
    assert len(schedule.entries) == 16
    assert not schedule.complaints
    jobs: dict[str, int] = {}
    for entry in schedule.entries:
        jobs[entry.name] = jobs.get(entry.name, 0) + entry.copies
    assert sum(jobs.values()) == 33
    assert jobs == {"rboltz": 14, "primmod": 8, "adf": 1, "vasp": 2, "euroben": 5, "maya5": 3}


def test_the_published_schedule_was_not_edited() -> None:
    digest = "a24ea913a185cd5928db6e292579dfaab5046d53e09eb115d4c00e5fd6bfaf5e"
    assert hashlib.sha256(shipped()["steen2000"].read_bytes()).hexdigest() == digest


def test_comments_blanks_and_run_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, "# a schedule\r\n\n 10.5 :3*  adf_run # three\n\t1e1: 1 * x.y-z\n")
    first, second = read_schedule(path).entries
    assert (first.seconds, first.copies, first.name, first.line) == (10.0, 1, "x.y-z", 4)
    assert (second.seconds, second.copies, second.name, second.line) == (10.5, 3, "adf", 3)


def test_lines_out_of_order_are_sorted_and_reported(tmp_path: Path) -> None:
    schedule = read_schedule(write(tmp_path, "5: 1 * a\n0: 1 * b\n5: 1 * c\n1: 1 * d\n"))
    assert [entry.name for entry in schedule.entries] == ["b", "d", "a", "c"]
    assert [complaint.line for complaint in schedule.complaints] == [2, 4]
    assert not any(complaint.lost for complaint in schedule.complaints)
    assert schedule.complaints[0].text == "0 s comes after 5 s of line 1: sorted"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("adf_run", "`adf_run` is no line of a schedule"),
        ("10: adf_run", "`10: adf_run` is no line of a schedule"),
        ("10 2 * adf_run", "is no line of a schedule"),
        ("ten: 1 * adf", "the time `ten` is no number of seconds"),
        ("-1: 1 * adf", "the time -1 s lies before the begin"),
        ("nan: 1 * adf", "the time `nan` is no number of seconds"),
        ("1e9: 1 * adf", "the time 1e9 s is more than a month"),
        ("1e999: 1 * adf", "the time `1e999` is no number of seconds"),
        ("0: 0 * adf", "0 copies: there may be 1 to 100000"),
        ("0: 100001 * adf", "100001 copies: there may be 1 to 100000"),
        ("0: -1 * adf", "`-1` is no number of copies"),
        ("0: 1.5 * adf", "`1.5` is no number of copies"),
        ("0: * adf", "`` is no number of copies"),
        ("0: 1 *", "`` is no name"),
        ("0: 1 * a b", "`a b` is no name"),
        ("0: 1 * ../a", "`../a` is no name"),
        ("0: 1 * a * b", "`a * b` is no name"),
        ("0: 1 * \x1b[31m", "`?[31m` is no name"),
    ],
)
def test_a_wrong_line_is_one_line_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, f"0: 1 * adf\n\n{line}\n")
    with pytest.raises(WorkloadError) as caught:
        read_schedule(path)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert message in str(caught.value)
    assert "copies * name" in caught.value.hint


def test_a_schedule_without_jobs_is_none(tmp_path: Path) -> None:
    with pytest.raises(WorkloadError, match="has no job"):
        read_schedule(write(tmp_path, "# nothing\n"))


def test_a_million_jobs_are_too_many(tmp_path: Path) -> None:
    with pytest.raises(WorkloadError, match=r":11: these are more than 1000000 jobs"):
        read_schedule(write(tmp_path, "0: 100000 * a\n" * 11))


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(WorkloadError, match="cannot be read: No such file"):
        read_schedule(tmp_path / "none.schedule")
    with pytest.raises(WorkloadError, match="cannot be read: it is a directory"):
        read_schedule(tmp_path)


def test_names_of_shipped_schedules_and_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find("steen2000").name == "steen2000.schedule"
    assert find("a/b") == Path("a/b")
    assert find("b.txt") == Path("b.txt")
    with pytest.raises(UsageError, match="there is no schedule 'steen200'") as caught:
        find("steen200")
    assert "steen2000" in caught.value.hint
    with pytest.raises(WorkloadError, match="cannot be read: File name too long"):
        read_schedule(find("x" * 300))
    Path("steen2000").write_text("0: 1 * adf\n")
    assert find("steen2000") == Path("steen2000")
