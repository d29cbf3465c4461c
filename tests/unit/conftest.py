"""What the tests of the analysis build their cases from."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from heorot.catalogue import BENCHMARKS
from tests.unit.analyse.builders import (
    CLOCK_HZ,
    N_CORES,
    QUIET,
    a_machine,
    a_result,
    a_run_line,
    a_series,
    a_step,
)
from tests.unit.analyse.synthesis import Synthesis


@dataclass(frozen=True)
class Kit:
    """What the tests build their cases from."""

    series = staticmethod(a_series)
    result = staticmethod(a_result)
    step = staticmethod(a_step)
    run_line = staticmethod(a_run_line)
    machine = staticmethod(a_machine)
    run = Synthesis
    quiet = QUIET
    # Those of the synthetic runs.
    benchmarks = tuple(b for b in BENCHMARKS if b.family != "npb" or b.name == "npb/ep")
    clock_hz = CLOCK_HZ
    n_cores = N_CORES


@pytest.fixture
def kit() -> Kit:
    """Factories of records and of whole runs."""
    return Kit()
