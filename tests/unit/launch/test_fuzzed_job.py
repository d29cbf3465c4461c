"""Damaged job scripts and process ids: valid parts are read, the rest is ignored."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heorot.errors import RunError
from heorot.launch.adapters.overdue import pid_of
from heorot.launch.job import Job, read_job
from heorot.launch.script import script_text
from tests.unit.damage import assert_one_line, damaged_bytes, damaged_lines

SCRIPT = script_text(Path("/runs/first/jobs/J0001"), "J0001-abc", []).encode()


@given(damaged_bytes(SCRIPT) | damaged_lines(SCRIPT) | st.binary(max_size=100))
def test_a_script_is_one_or_refused(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "script.sh").write_bytes(content)
        try:
            job = read_job(Path(folder))
        except RunError as error:
            assert_one_line(error)
        else:
            assert job.marker


@given(st.binary(max_size=12) | st.text("0123456789 \n", max_size=30).map(str.encode))
@example(b"9" * 5000)
def test_a_process_id_is_one_or_none(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pid").write_bytes(content)
        job = Job(id="J0001", marker="J0001-abc", directory=Path(folder), steps=())
        pid = pid_of(job)
        assert pid is None or 0 <= pid < 10_000_000


def test_a_missing_script_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"script\.sh cannot be read: No such file") as caught:
        read_job(tmp_path)
    assert_one_line(caught.value)
