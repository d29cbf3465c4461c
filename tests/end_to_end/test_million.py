"""The report of a run with a million samples is quick to write and small enough to mail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.running import heorot
from tests.end_to_end.synthetic_run import write_run
from tests.unit.analyse.synthesis import Synthesis
from tests.yardstick import processor_time

pytestmark = pytest.mark.slow

_ACCESS = ("contiguous", "stride3", "stride4", "indirect")


def test_report_of_a_million_samples(tmp_path: Path) -> None:
    run = Synthesis(n_samples=138, octave=2.0, access=_ACCESS)
    assert sum(one.seconds.size for one in run.series) >= 1_000_000
    directory = write_run(tmp_path / "million", run)
    with processor_time(5.0):
        done = heorot("report", directory.path)
    assert done.code == 0, done.err
    assert directory.report_file.stat().st_size <= 4_000_000
