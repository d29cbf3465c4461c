"""Damaged schedules, files of jobs and traces: a partial result, or an error of one line."""

from __future__ import annotations

import gzip
import re
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heorot.errors import WorkloadError
from heorot.throughput.model.kinds import JobsFile
from heorot.throughput.model.workload import COLUMNS
from heorot.throughput.workload.arrivals import arrivals_of, check_fits
from heorot.throughput.workload.jobs_file import read_jobs
from heorot.throughput.workload.reading import LONGEST_SECONDS, Reading
from heorot.throughput.workload.replay import arrivals_from_workload
from heorot.throughput.workload.sacct import read_sacct
from heorot.throughput.workload.schedule import Schedule, read_schedule, shipped
from heorot.throughput.workload.swf import read_swf, write_swf
from heorot.throughput.workload.traces import read_workload
from tests.unit.damage import assert_one_line, damaged_bytes, damaged_lines
from tests.unit.throughput.workload.test_jobs_file import BOTH
from tests.unit.throughput.workload.test_sacct import SAMPLES
from tests.unit.throughput.workload.test_swf import ARCHIVE, same

SCHEDULE = shipped()["steen2000"].read_bytes()
ACCOUNTS = (SAMPLES / "parsable.txt").read_bytes()
RECORDED = (SAMPLES / "steps-and-duplicates.txt").read_bytes()
JOBS = BOTH.encode()
# CPU time: a busy machine is no hang.
PATIENCE_SECONDS = 1.0  # a hundredth of it on an idle machine
_NASTY = (
    *("-1", "-2", "0", "1e400", "nan", "inf", "1_0", "0x1", "9" * 30, "9" * 600, "1e-400", "-0"),
    *("Unknown", "None", "UNLIMITED", "9-99:99:99", "00:00", "2026-02-30T11:00:00", "99999999999"),
    *("1_[0-99999999]", "1_[3-1]", "1_[0-9:0]", "1+0", "1_1+1", "1.batch", "|", "||||", "8Gc"),
    *("* ", ":", "#", "1 *", "~", "[a]", "{a: b}", "&a [*a]", "!x y", "<<", "\t", "'", '"', "- "),
    *("\0", "\x1b[2J", "\u2028", "\ud800", "\r", "\xa0", "١", "x" * 3000, "_run"),
    *("99999999999999999999d", "5000 years", ".inf", "true", "[" * 60, "; MaxProcs: 0", "parts:"),
    *("; Queue: 1 a", "0M", "nodes:"),
)  # fmt: skip
_WORD = re.compile(rb"[^\s|:*#,\[\]{}]+")

_Read = TypeVar("_Read")


def _read(read: Callable[[Path], _Read], content: bytes) -> _Read | None:
    """Read a file; it is valid, or properly refused, without delay."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "day.txt"
        path.write_bytes(content)
        started = time.process_time()
        try:
            return read(path)
        except WorkloadError as error:
            _assert_reported(error, path)
            return None
        finally:
            assert time.process_time() - started < PATIENCE_SECONDS


def _assert_reported(error: WorkloadError, path: Path) -> None:
    """The one line begins with the file and, if there is one, a line of it."""
    assert_one_line(error, path)
    assert re.match(r"(:\d+)?: .", str(error).removeprefix(str(path)))


@st.composite
def nasty_words(draw: st.DrawFn, content: bytes) -> bytes:
    """The content with one to three words replaced by others."""
    for _ in range(draw(st.sampled_from((1, 1, 2, 3)))):
        places = [match.span() for match in _WORD.finditer(content)]
        if places:
            start, end = draw(st.sampled_from(places))
            nasty = draw(st.sampled_from(_NASTY) | st.text(max_size=8))
            content = content[:start] + nasty.encode(errors="surrogatepass") + content[end:]
    return content


def damaged(content: bytes) -> st.SearchStrategy[bytes]:
    """The content with typical damage by machines or users."""
    return damaged_bytes(content) | damaged_lines(content) | nasty_words(content)


def _n_jobs(schedule: Schedule) -> int:
    return sum(entry.copies for entry in schedule.entries)


def _check_schedule(schedule: Schedule | None) -> None:
    if schedule is None:
        return
    assert schedule.entries
    assert 1 <= _n_jobs(schedule) <= 1_000_000
    moments = [entry.seconds for entry in schedule.entries]
    assert moments == sorted(moments)
    assert all(0 <= moment < 1e7 for moment in moments)


@cache
def _published_jobs() -> JobsFile:
    return read_jobs(shipped()["steen2000"].with_suffix(".yaml"))


def _check_workload(reading: Reading | None) -> None:
    """A workload that was read can be used, written and turned into jobs."""
    if reading is None:
        return
    jobs = reading.workload.jobs
    assert len(jobs) > 0
    assert (np.diff(jobs["submit"]) >= 0).all()
    for name in COLUMNS:
        assert np.isfinite(jobs[name].astype(np.float64)).all()
        assert ((jobs[name] >= 0) | (jobs[name] == -1)).all()
    assert (jobs["submit"] >= 0).all()
    assert (jobs["run"] < LONGEST_SECONDS).all()
    assert reading.workload.processors_per_node >= 1
    for complaint in reading.complaints:
        assert complaint.line >= 1
        assert len(complaint.text.splitlines()) == 1
        assert complaint.text.isprintable()


@given(damaged(SCHEDULE))
@example(b"0: 1 * a\xff\n")
def test_damaged_schedules(content: bytes) -> None:
    schedule = _read(read_schedule, content)
    _check_schedule(schedule)
    jobs = _published_jobs()
    if schedule and _n_jobs(schedule) < 1000:
        try:
            arrivals = arrivals_of(schedule, jobs)
        except WorkloadError as error:
            assert_one_line(error)
        else:
            assert len(arrivals) == _n_jobs(schedule)
            check_fits(jobs, arrivals, 8, 2)


@given(st.lists(st.sampled_from((*_NASTY, "5", "a", " ", "\n", ": ", " * ")), max_size=20))
def test_any_schedule(pieces: list[str]) -> None:
    _check_schedule(_read(read_schedule, "".join(pieces).encode(errors="surrogatepass")))


@pytest.mark.slow
@given(damaged(JOBS))
def test_damaged_files_of_jobs(content: bytes) -> None:
    jobs = _read(read_jobs, content)
    if jobs:
        for kind in jobs.jobs.values():
            assert kind.nodes >= 1
            for part in kind.parts:
                assert [part.program, part.recipe, part.command].count(None) == 2
                assert part.name
            assert len({part.name for part in kind.parts}) == len(kind.parts)
            assert all(name in jobs.jobs for name in kind.after)


@pytest.mark.slow
@given(damaged(ARCHIVE), st.booleans())
def test_damaged_traces(content: bytes, packed: bool) -> None:
    reading = _read(read_workload, gzip.compress(content, 1) if packed else content)
    _check_workload(reading)
    if reading:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "again.swf"
            write_swf(reading.workload, path)
            assert same(read_swf(path).workload, reading.workload)


@given(damaged_bytes(gzip.compress(ARCHIVE)))
def test_damaged_packed_traces(content: bytes) -> None:
    _check_workload(_read(read_workload, content))


@given(damaged_lines(ARCHIVE))
def test_lines_that_are_left_are_all_read(content: bytes) -> None:
    """Every undamaged line with a job stays a job, whatever its neighbours are."""
    lines = content.split(b"\n")
    whole = [line.strip() for line in ARCHIVE.split(b"\n") if line and not line.startswith(b";")]
    n_whole = sum(line.strip() in whole for line in lines)
    reading = _read(read_swf, content)
    assert (len(reading.workload.jobs) if reading else 0) >= n_whole


@pytest.mark.slow
@given(damaged(ACCOUNTS) | damaged(RECORDED))
def test_damaged_accounts(content: bytes) -> None:
    reading = _read(read_sacct, content)
    _check_workload(reading)
    if reading:
        jobs = reading.workload.jobs
        has_size = (jobs["processors"] > 0) | (jobs["requested_processors"] > 0)
        if ((jobs["run"] > 0) & has_size).any():
            replay = arrivals_from_workload(
                reading.workload, None, n_nodes=2, cores_per_node=2, time_scale=0.1
            )
            check_fits(replay.jobs, replay.arrivals, 2, 2)


@given(damaged(ACCOUNTS), st.sampled_from((b",", b";", b"\t", b" ", b"^", b"||")))
def test_damaged_accounts_with_other_separators(content: bytes, separator: bytes) -> None:
    _check_workload(_read(read_workload, content.replace(b"|", separator)))


@given(st.data())
def test_cut_accounts_lose_the_cut_line_only(data: st.DataObject) -> None:
    lines = ACCOUNTS.decode().splitlines(keepends=True)
    number = data.draw(st.integers(1, len(lines) - 1))
    cut = lines[number][: data.draw(st.integers(0, len(lines[number]) - 2))] + "\n"
    whole = _read(read_sacct, ACCOUNTS)
    reading = _read(read_sacct, "".join((*lines[:number], cut, *lines[number + 1 :])).encode())
    assert whole
    assert reading
    kept = set(reading.workload.names["number"].values())
    lost = set(whole.workload.names["number"].values()) - kept
    ids = {line.split("|")[1].partition("+")[0] for line in lines[number : number + 1]}
    assert lost <= ids


@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    for read in (read_workload, read_sacct, read_swf):
        _check_workload(_read(read, content))
    _check_schedule(_read(read_schedule, content))
    _read(read_jobs, content)


@pytest.mark.parametrize("piece", _NASTY)
@pytest.mark.parametrize("opening", ["", "0: 1 * ", "jobs: {a: ", "JobID|", "1 0 -1 5 "])
def test_as_many_as_there_is_room_for(opening: str, piece: str) -> None:
    content = (opening + piece * 20_000).encode(errors="surrogatepass")[: 1 << 18]
    for read in (read_workload, read_sacct, read_swf, read_schedule):
        _read(read, content)
