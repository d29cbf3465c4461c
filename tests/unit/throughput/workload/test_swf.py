"""The Standard Workload Format: read completely, written unchanged, wrong lines reported."""

from __future__ import annotations

import gzip
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heorot.errors import WorkloadError
from heorot.throughput.model.workload import COLUMNS, JOB, Jobs, Workload
from heorot.throughput.workload.reading import LONGEST_SECONDS
from heorot.throughput.workload.swf import parse_swf, read_swf, write_swf
from tests.unit.throughput.tables import table_of
from tests.unit.throughput.workload.builders import trace

# As in the archive: comments of all kinds, unknowns, fractions, double and trailing blanks.
ARCHIVE = b"""\
; Version: 2.2
; Computer: IBM SP2
;  Note: of two
; Note: lines
;
; a remark without a key
; MaxNodes: 64
; MaxProcs: 128
; Queue: 1 night, of those who wait
; Queue: 2 long
; Queue: 1 a second name
; Queues: they have names

    1       0     10   120.5   8  119.25 -1    8   600   -1  1   3   1  4 1 -1 -1 -1
    2      60     -1    -1    16   -1   -1   16    -1   -1  5   3   1 -1 2 -1  1 30.5
    3      60.25   0     7     1    6   512   1    60  1024 1  12   2  4 1 -1 -1 -1\x20
"""
LINE = "1 0 -1 5 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1"


WRONG: tuple[tuple[str, str | None], ...] = (
    ("1 2 3", "has 3 fields, not 18"),
    (LINE + " 7", "has more than 18 fields, not 18"),
    (LINE.replace("-1", "nan", 1), "`nan` is no number for `wait`"),
    (LINE.replace("-1", "inf", 1), "`inf` is no number for `wait`"),
    (LINE.replace("-1", "1e999", 1), "`1e999` is no number for `wait`"),
    (LINE.replace("-1", "1_0", 1), "`1_0` is no number for `wait`"),
    (LINE.replace("-1", "0x1", 1), "`0x1` is no number for `wait`"),
    (LINE.replace("-1", "\N{FULLWIDTH DIGIT ONE}", 1), "is no number for `wait`"),
    (LINE.replace("-1", "-2", 1), "`wait` is negative: -2"),
    (LINE.replace("-1", "1e12", 1), "`wait` is too large: 1e12"),
    (LINE.replace(" 0 ", " -1 "), "`submit` is unknown: the job cannot be submitted"),
    (LINE.replace(" 0 ", " -5 "), "`submit` is negative: -5"),
    ("1.5" + LINE[1:], "`number` is no whole number: 1.5"),
    ("9007199254740993" + LINE[1:], None),
    ("18014398509481984" + LINE[1:], "`number` is too large: 18014398509481984"),
    (LINE.replace(" ", "\u00a0", 1), "has 17 fields, not 18"),
    (LINE + " " * 600 + "x", "has more than 500 characters"),
    ("garbage \x00\x07", "has 2 fields, not 18"),
)


def same(one: Workload, other: Workload) -> bool:
    """Whether two workloads have equal jobs."""
    reported = (one.header, one.names, one.processors_per_node)
    return reported == (other.header, other.names, other.processors_per_node) and bool(
        (table_of(one.jobs) == table_of(other.jobs)).all()
    )


def test_a_trace_as_in_the_archive() -> None:
    reading = parse_swf(ARCHIVE, "a.swf")
    work = reading.workload
    assert not reading.complaints
    assert work.jobs["number"].tolist() == [1, 2, 3]
    assert work.jobs["submit"].tolist() == [0.0, 60.0, 60.25]
    assert work.jobs["run"].tolist() == [120.5, -1.0, 7.0]
    assert work.jobs["preceding"].tolist() == [-1, 1, -1]
    assert work.jobs["think_seconds"].tolist() == [-1.0, 30.5, -1.0]
    assert work.processors_per_node == 2
    assert work.names == {"queue": {1: "night, of those who wait", 2: "long"}}
    assert work.header == {
        "Version": "2.2",
        "Computer": "IBM SP2",
        "Note": "of two\nlines",
        "": "a remark without a key",
        "MaxNodes": "64",
        "MaxProcs": "128",
        "Queue": "1 a second name",
        "Queues": "they have names",
    }
    assert work.source == "a.swf"


@pytest.mark.parametrize("name", ["a.swf", "a.swf.gz"])
def test_what_is_written_is_read_again(tmp_path: Path, name: str) -> None:
    for content in (ARCHIVE, ARCHIVE.replace(b"\n", b"\r\n")):
        work = parse_swf(content).workload
        write_swf(work, tmp_path / name)
        assert same(read_swf(tmp_path / name).workload, work)
    packed = (tmp_path / name).read_bytes().startswith(b"\x1f\x8b")
    assert packed == name.endswith(".gz")


def test_numbers_are_written_as_short_as_they_are(tmp_path: Path) -> None:
    work = parse_swf(f"{LINE}\n2 1.5 {LINE[4:]}\n".encode()).workload
    write_swf(work, tmp_path / "a.swf")
    assert (tmp_path / "a.swf").read_text() == f"{LINE}\n2 1.5 {LINE[4:]}\n"


@pytest.mark.parametrize(("line", "text"), WRONG)
@pytest.mark.parametrize("n_others", [0, 3])
def test_a_wrong_line_is_reported_and_nothing_else_is_lost(
    line: str, text: str | None, n_others: int
) -> None:
    others = f"{LINE}\n" * n_others
    reading = parse_swf(f"; c\n{others}{line}\n{others}".encode())
    kept = _is_kept(text)
    reported = [each for each in reading.complaints if each.lost or "unknown" in each.text]
    assert len(reading.workload.jobs) == 2 * n_others + kept
    if text is not None:
        assert [(each.line, each.lost) for each in reported] == [(n_others + 2, not kept)]
        assert text in reported[0].text


def _is_kept(text: str | None) -> bool:
    """Whether a job counts despite this error."""
    return text is None or "`wait`" in text or "`number`" in text


@pytest.mark.slow
def test_wrong_lines_all_over_a_long_file() -> None:
    lines = [LINE] * 45_000
    places = range(10, len(lines), 2500)
    for place, (line, _) in zip(places, WRONG, strict=True):
        lines[place] = line
    reading = parse_swf("\n".join(lines).encode())
    reported = {
        complaint.line: complaint.text for complaint in reading.complaints if complaint.lost
    }
    expected = {
        place + 1: text or ""
        for place, (_, text) in zip(places, WRONG, strict=True)
        if not _is_kept(text)
    }
    assert reported.keys() == expected.keys()
    assert all(text in reported[line] for line, text in expected.items())
    assert len(reading.workload.jobs) == len(lines) - len(expected)


def test_any_blank_is_one() -> None:
    for blank in "\t\v\f\r\x1c\x1f":
        (job,) = table_of(parse_swf(LINE.replace(" ", blank).encode()).workload.jobs)
        assert job["requested_seconds"] == 10


def test_jobs_out_of_order_are_sorted_and_reported() -> None:
    lines = [f"{number} {at} {LINE[4:]}" for number, at in enumerate((5, 3, 5, 4, 9), start=1)]
    reading = parse_swf("\n".join(lines).encode())
    assert reading.workload.jobs["number"].tolist() == [2, 4, 1, 3, 5]
    (complaint,) = reading.complaints
    assert (complaint.line, complaint.lost) == (2, False)
    assert complaint.text.startswith("2 jobs, this the first, come after later ones")


def test_second_jobs_of_a_number_are_kept_and_reported() -> None:
    reading = parse_swf(f"{LINE}\n2{LINE[1:]}\n{LINE}\n{LINE}\n".encode())
    assert len(reading.workload.jobs) == 4
    assert [complaint.line for complaint in reading.complaints] == [3, 4]
    assert not any(complaint.lost for complaint in reading.complaints)


@pytest.mark.parametrize(
    ("header", "per_node"),
    [
        ("; MaxProcs: 128\n; MaxNodes: 64 (of two)\n", 2),
        ("; MaxProcs: 128\n; MaxNodes: 60\n", 1),
        ("; MaxProcs: 128\n; MaxNodes: 0\n", 1),
        ("; MaxProcs: 0\n; MaxNodes: 4\n", 1),
        ("; MaxProcs: many\n; MaxNodes: 64\n", 1),
        ("", 1),
    ],
)
def test_processors_of_a_node(header: str, per_node: int) -> None:
    assert parse_swf((header + LINE).encode()).workload.processors_per_node == per_node


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.swf"
    with pytest.raises(WorkloadError, match="cannot be read: No such file"):
        read_swf(path)
    path.write_text("; nothing\nx y\n")
    with pytest.raises(WorkloadError, match=r"a.swf:2: has no job in SWF"):
        read_swf(path)
    path.write_text("")
    with pytest.raises(WorkloadError, match=r"a.swf: has no job in SWF"):
        read_swf(path)
    with pytest.raises(WorkloadError, match="cannot be written: "):
        write_swf(parse_swf(ARCHIVE).workload, tmp_path)


def test_packed_files_that_are_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.swf.gz"
    packed = gzip.compress(ARCHIVE)
    for content in (packed[:-9], packed[:30], packed[:40] + b"x" + packed[41:], packed + b"x"):
        path.write_bytes(content)
        with pytest.raises(WorkloadError, match="is packed by gzip and damaged"):
            read_swf(path)
    path.write_bytes(packed + gzip.compress(LINE.encode()))
    assert len(read_swf(path).workload.jobs) == 4


@pytest.mark.parametrize("n", [1, 50_000])
def test_a_long_trace_is_read_whole(tmp_path: Path, n: int) -> None:
    work = Workload(Jobs.of(trace(n)), {"MaxProcs": "128"})
    write_swf(work, tmp_path / "a.swf")
    reading = read_swf(tmp_path / "a.swf")
    assert not reading.complaints
    assert same(reading.workload, work)


@pytest.mark.slow
@pytest.mark.timed
def test_garbage_between_a_hundred_thousand_jobs_costs_little_time() -> None:
    rng = np.random.default_rng(7)
    lines = [LINE] * 100_000
    for place in rng.choice(len(lines), 5000, replace=False):
        lines[place] = str(rng.choice(["garbage", LINE + " 7", "9" * 450, LINE[:-3], "1 " * 17]))
    started = time.process_time()
    reading = parse_swf("\n".join(lines).encode())
    assert time.process_time() - started < 5.0  # a tenth of it on an idle machine
    assert len(reading.workload.jobs) == 95_000
    assert sum(complaint.lost for complaint in reading.complaints) == 5000


_TEXT = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=12
)
_SECONDS = st.floats(0, LONGEST_SECONDS, exclude_max=True) | st.integers(0, 10**9).map(float)
_COUNT = st.just(-1) | st.integers(0, 2**53)


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    """Workloads as read from files."""
    n = draw(st.integers(1, 4))
    jobs = np.empty(n, dtype=JOB)
    for name in COLUMNS:
        sort = _COUNT if JOB[name].kind == "i" else st.just(-1.0) | _SECONDS
        jobs[name] = draw(st.lists(sort, min_size=n, max_size=n))
    jobs["status"] = np.where(np.isin(jobs["status"], (2, 3, 4)), 1, jobs["status"])
    jobs["submit"] = np.sort(np.maximum(jobs["submit"], 0.0))
    header = draw(st.dictionaries(st.sampled_from(("Computer", "Note", "A_b")), _TEXT))
    names = draw(
        st.dictionaries(
            st.sampled_from(("user", "queue", "executable")),
            st.dictionaries(st.integers(0, 10**6), _TEXT, min_size=1, max_size=3),
            max_size=2,
        )
    )
    return Workload(Jobs.of(jobs), header, names)


@pytest.mark.slow
@given(workloads())
@settings(max_examples=max(50, settings().max_examples // 4))
def test_any_workload_is_read_as_it_was_written(work: Workload) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.swf"
        write_swf(work, path)
        reading = read_swf(path)
    assert not [complaint for complaint in reading.complaints if complaint.lost]
    assert same(reading.workload, work)
