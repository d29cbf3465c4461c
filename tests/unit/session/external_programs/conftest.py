"""Jobs that run launches of recipes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.unit.launch.conftest import Jobs


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Jobs]:
    """Makes jobs; their remaining processes are ended after the test."""
    with TemporaryDirectory(prefix="heorot-") as place:
        monkeypatch.setenv("TMPDIR", place)
        jobs = Jobs(tmp_path)
        yield jobs
        for job in jobs.made:
            jobs.adapter.cancel(job)
