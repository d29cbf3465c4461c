"""Jobs that run, for tests of what they run by recipe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.unit.launch.conftest import Jobs


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Jobs]:
    """Makes jobs; whatever they leave running is ended after the test."""
    with TemporaryDirectory(prefix="heorot-") as place:
        monkeypatch.setenv("TMPDIR", place)
        jobs = Jobs(tmp_path)
        yield jobs
        for job in jobs.made:
            jobs.adapter.cancel(job)
