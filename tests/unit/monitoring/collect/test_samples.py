"""Samples of real nodes are read completely, and damaged ones as far as valid."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from heorot.monitoring.collect.samples import read_samples

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "monitoring"
HEAD = "monitor format=1 host=n1 interval=1.000 ticks=100 page=4096 contained=1\n"
COLUMNS = "columns time clock own_seconds user\n"


def written(path: Path, text: str) -> Path:
    file = path / "n1.samples"
    file.write_text(text)
    return file


def test_a_real_file() -> None:
    found = read_samples(SAMPLES / "n1.samples")
    assert found.complaints == []
    assert found.ending == "stop"
    (segment,) = found.segments
    assert segment.fact("page", 1, 0) == 4096
    assert segment.table().shape == (18, len(segment.columns))
    assert segment.columns[:4] == ("time", "clock", "own_seconds", "user")
    job = next(group for groups in segment.groups for group in groups if group.kind == "j")
    assert (job.name, job.n, job.ticks > 0) == ("/runs/day/jobs/J0001", 3, True)


def test_a_node_that_died_left_whole_lines() -> None:
    found = read_samples(SAMPLES / "n3.samples")
    assert found.ending == "silent"
    assert len(found.segments[0].rows) == 13


def test_no_file_and_no_regular_file(tmp_path: Path) -> None:
    assert read_samples(tmp_path / "none").segments == []
    (complaint,) = read_samples(tmp_path).complaints
    assert complaint.endswith("it cannot be read: it is a directory")


def test_a_torn_last_line_does_not_count(tmp_path: Path) -> None:
    text = HEAD + COLUMNS + "s 1 1 0 5\ns 2 2 0 9\ns 3 3 0 1"
    found = read_samples(written(tmp_path, text))
    assert found.segments[0].rows == [[1, 1, 0, 5], [2, 2, 0, 9]]
    assert found.complaints == []
    assert found.ending == "silent"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("s 2 2 0", "3 numbers for 4 columns"),
        ("s 2 2 0 x", "could not convert string to float: 'x'"),
        ("s 2 2 0 nan", "a number that is no counter value"),
        ("s 2 2 0 -1", "a number that is no counter value"),
        ("s 2 2 0 1e30", "a number that is no counter value"),
        ("s 2 0.5 0 1", "its clock goes backwards"),
        ("s 2 2 0 1 ; j J1 1 2 3 4", "an invalid group of processes"),
        ("s 2 2 0 1 ; x J1 1 2 3 4 5", "an invalid group of processes"),
        ("s 2 2 0 1 ; j J1 1 2 3 4 -5", "a number that is no counter value"),
        ("\x00\x00", "not a line of a sampler"),
    ],
)
def test_a_wrong_line_is_left_out(tmp_path: Path, line: str, complaint: str) -> None:
    text = f"{HEAD}{COLUMNS}s 1 1 0 5\n{line}\ns 3 3 0 9 ; j J1 7 1 1 0 0\n"
    found = read_samples(written(tmp_path, text))
    assert found.complaints == [f"n1.samples:4: {complaint}"]
    assert [row[1] for row in found.segments[0].rows] == [1, 3]
    assert found.segments[0].groups[1][0].ticks == 7


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("monitor format=2\n" + COLUMNS, "samples of another version of the sampler"),
        (COLUMNS, "columns of unknown samples"),
        (HEAD + "columns clock time own_seconds\n", "columns are missing or duplicate"),
        (HEAD + "columns time clock own_seconds a a\n", "columns are missing or duplicate"),
        (HEAD, "a sample without column names"),
    ],
)
def test_samples_without_a_head_say_nothing(tmp_path: Path, text: str, complaint: str) -> None:
    found = read_samples(written(tmp_path, f"{text}s 1 1 0 5\n"))
    assert found.segments == []
    assert any(complaint in each for each in found.complaints)


def test_many_complaints_are_counted(tmp_path: Path) -> None:
    found = read_samples(written(tmp_path, "x\n" * 50))
    assert len(found.complaints) == 21
    assert found.complaints[-1] == "n1.samples: and 30 more lines"


def test_stretches_and_endings(tmp_path: Path) -> None:
    text = (
        f"{HEAD}{COLUMNS}s 1 1 0 5\ncolumns time clock own_seconds user busy:0\ns 2 2 0 6 1\n"
        f"end signal 2\n{HEAD}{COLUMNS}s 9 9 0 7\nend time 9\n"
    )
    found = read_samples(written(tmp_path, text))
    assert [len(each.columns) for each in found.segments] == [4, 5, 4]
    assert found.ending == "time"
    assert read_samples(written(tmp_path, f"{HEAD}{COLUMNS}end odd 1\n")).ending == "silent"


def test_facts_that_are_no_numbers(tmp_path: Path) -> None:
    text = f"monitor format=1 ticks=x page=-5\n{COLUMNS}s 1 1 0 5\n"
    (segment,) = read_samples(written(tmp_path, text)).segments
    facts = [segment.fact(name, 1, 7) for name in ("ticks", "page", "interval")]
    assert facts == [7, 7, 7]


def test_the_latest_lines_are_understood_without_the_others() -> None:
    whole = read_samples(SAMPLES / "n1.samples").segments[0]
    (found,) = read_samples(SAMPLES / "n1.samples", latest=5).segments
    assert found.columns == whole.columns
    assert found.rows == whole.rows[-4:]  # and the line of the end
    assert read_samples(SAMPLES / "n1.samples", latest=500).segments[0].rows == whole.rows


def test_nothing_that_is_damaged_ends_in_an_exception(tmp_path: Path) -> None:
    """Bytes of a real file are changed, lost and doubled at random."""
    drawn = random.Random(7)  # noqa: S311 (no secret)
    content = (SAMPLES / "n1.samples").read_bytes()
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(drawn.randint(1, 20)):
            at = drawn.randrange(len(damaged))
            choice = drawn.randrange(3)
            if choice == 0:
                damaged[at] = drawn.randrange(256)
            elif choice == 1:
                del damaged[at : at + drawn.randint(1, 80)]
            else:
                damaged[at:at] = damaged[at : at + drawn.randint(1, 80)]
        file = tmp_path / "n1.samples"
        file.write_bytes(bytes(damaged))
        for segment in read_samples(file).segments:
            assert len(segment.rows) == len(segment.groups) > 0
            assert segment.table().shape == (len(segment.rows), len(segment.columns))
