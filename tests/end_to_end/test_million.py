"""The report of a run with a million samples is quick to write and small enough to mail."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from tests.end_to_end.running import heorot
from tests.end_to_end.synthetic_run import write_run
from tests.unit.analyse.synthesis import Synthesis

pytestmark = pytest.mark.slow

_ACCESS = ("contiguous", "stride3", "stride4", "indirect")


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_report_of_a_million_samples(tmp_path: Path) -> None:
    run = Synthesis(n_samples=138, octave=2.0, access=_ACCESS)
    assert sum(one.seconds.size for one in run.series) >= 1_000_000
    directory = write_run(tmp_path / "million", run)
    before = _children_seconds()
    done = heorot("report", directory.path)
    assert done.code == 0, done.err
    # Processor time: the machine that tests may have other things to do.
    assert _children_seconds() - before <= 5.0
    assert directory.report_file.stat().st_size <= 4_000_000
