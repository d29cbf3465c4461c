"""Overhead of commands: processor time as a multiple of that of an empty Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from heorot.cli.main import cli
from heorot.session import runs
from heorot.store.directory import RunDirectory
from heorot.throughput.simulations.simulation import find_schedule
from heorot.throughput.workload.lublin import lublin
from heorot.throughput.workload.swf import write_swf

RUN = Path(__file__).resolve().parents[3] / "samples" / "runs" / "peak_0.1.0"
EMPTY = ("-c", "pass")
N_TRIES = 5


def used(words: Sequence[str | Path]) -> float:
    """The processor time of a Python with these arguments, children included [s]."""
    child = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_utime + usage.ru_stime


def times_empty(*words: str | Path) -> float:
    """How many empty Pythons a command costs: the best of several, in turn with those."""
    tries = [(used(("-m", "heorot.cli.main", *words)), used(EMPTY)) for _ in range(N_TRIES)]
    command, empty = np.min(tries, axis=0)
    return float(command / empty)


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.parametrize("name", ["", *cli.list_commands(None)])  # type: ignore[arg-type]
def test_help_costs_a_few_empty_pythons(name: str) -> None:
    assert times_empty(*filter(None, [name]), "--help") < 12.0  # 5 to 6; with what commands run 100


@pytest.mark.slow
@pytest.mark.timed
def test_the_list_costs_less_than_what_it_lists() -> None:
    assert times_empty("list") < 40.0  # 18; with all analysis 62


@pytest.mark.slow
@pytest.mark.timed
def test_a_report_that_is_there_is_not_analysed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(RUN, tmp_path / "run")
    runs.conclude(RunDirectory.open(tmp_path / "run"))
    used(("-m", "heorot.cli.main", "report", tmp_path / "run"))
    assert times_empty("report", tmp_path / "run") < 75.0  # 38; analysed 150


@pytest.mark.slow
@pytest.mark.timed
def test_ten_thousand_jobs_cost_no_more_than_a_plain_simulator(tmp_path: Path) -> None:
    find_schedule()  # builds the core
    write_swf(lublin(10_000, 128, 0), tmp_path / "trace.swf")
    words = (tmp_path / "trace.swf", "--policy", "easy", "--quiet")
    assert times_empty("simulate-batch", *words) < 75.0  # 37; with everything loaded 130
