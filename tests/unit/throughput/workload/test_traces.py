"""Detection of the format of a trace."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest

from heorot.errors import WorkloadError
from heorot.throughput.workload.reading import finite, read_bytes, shown
from heorot.throughput.workload.schedule import shipped
from heorot.throughput.workload.traces import read_workload
from tests.unit.throughput.workload.test_sacct import SAMPLES
from tests.unit.throughput.workload.test_swf import ARCHIVE


def test_each_format_is_found(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    for content in (ARCHIVE, gzip.compress(ARCHIVE), b"garbage\n" + ARCHIVE):
        path.write_bytes(content)
        assert len(read_workload(path).workload.jobs) == 3
    accounts = (SAMPLES / "epoch.txt").read_bytes()
    for content in (accounts, gzip.compress(accounts), b"\n\n" + accounts):
        path.write_bytes(content)
        assert len(read_workload(path).workload.jobs) == 16


def test_what_is_none(tmp_path: Path) -> None:
    with pytest.raises(WorkloadError, match="is the schedule of a throughput test"):
        read_workload(shipped()["steen2000"])
    path = tmp_path / "trace"
    path.write_text(" \n\n")
    with pytest.raises(WorkloadError, match="is empty"):
        read_workload(path)
    path.write_text("hello\n")
    with pytest.raises(WorkloadError, match="trace:1: has no job in SWF"):
        read_workload(path)
    with pytest.raises(WorkloadError, match="cannot be read: no file has such a name"):
        read_workload(Path("a\0b"))


def test_what_is_too_long_is_refused_packed_or_not(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    for content in (bytes(4097), gzip.compress(bytes(4097)), gzip.compress(bytes(1 << 20))):
        path.write_bytes(content)
        with pytest.raises(WorkloadError, match="is longer than 4 KiB"):
            read_bytes(path, 4096)
    path.write_bytes(gzip.compress(bytes(4096)))
    assert len(read_bytes(path, 4096)) == 4096


@pytest.mark.parametrize("n_members", [1, 2, 300])
def test_the_limit_counts_all_members_unpacked(tmp_path: Path, n_members: int) -> None:
    path, member = tmp_path / "trace", gzip.compress(bytes((64 << 20) // n_members))
    path.write_bytes(member * n_members)
    tracemalloc.start()
    try:
        with pytest.raises(WorkloadError, match="is longer than 1024 KiB"):
            read_bytes(path, 1 << 20)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20


@pytest.mark.parametrize("end", ["no member", "no end", "start only"])
def test_a_damaged_later_member_is_reported(tmp_path: Path, end: str) -> None:
    path, member = tmp_path / "trace", gzip.compress(ARCHIVE)
    ends = {"no member": b"x", "no end": member[:-1], "start only": member[:9]}
    path.write_bytes(member + ends[end])
    with pytest.raises(WorkloadError, match="packed by gzip and damaged"):
        read_bytes(path)


def test_a_link_that_the_user_names_is_followed(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(ARCHIVE)
    (tmp_path / "trace").symlink_to("there")
    assert read_bytes(tmp_path / "trace") == ARCHIVE


def test_numbers() -> None:
    plain = {"1": 1.0, "-1.": -1.0, "+.5e1": 5.0, "1E2": 100.0}
    assert {text: finite(text) for text in plain} == plain
    for text in ("", "nan", "1e999", "1_0", "0x1", "1 ", "١", "9" * 501, "."):
        assert finite(text) is None


def test_what_is_shown_is_short_and_prints() -> None:
    assert shown(" a\x1b\nb ") == "a??b"
    assert shown("x" * 50) == "x" * 39 + "…"
