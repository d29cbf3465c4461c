"""Workloads and a core for the tests of simulations."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from heorot.throughput.model.workload import JOB, UNKNOWN, Jobs, Workload

Made = Callable[..., Workload]


def make_workload(*rows: tuple[float, float, int], **columns: list[float]) -> Workload:
    """Jobs by submission, run time and processors, all other columns unknown unless given."""
    jobs = np.full(len(rows), UNKNOWN).astype(JOB)
    jobs["number"] = np.arange(1, len(rows) + 1)
    for i, (submit, run, processors) in enumerate(rows):
        jobs["submit"][i], jobs["run"][i], jobs["processors"][i] = submit, run, processors
    for name, values in columns.items():
        jobs[name] = values
    return Workload(Jobs.of(jobs))


@pytest.fixture
def made() -> Made:
    """Makes workloads."""
    return make_workload


@pytest.fixture
def core(tmp_path: Path) -> Path:
    """A program that stands in for the native core."""
    program = tmp_path / "core"
    script = Path(__file__).with_name("fake_core.py")
    words = shlex.join([sys.executable, "-S", str(script)])
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    return program
