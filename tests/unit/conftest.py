"""What the tests of families and of the analysis build their cases from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from heorot.families import FAMILIES
from heorot.model.catalogue.family import Family
from tests.unit.analyse.builders import (
    QUIET,
    a_benchmark,
    a_context,
    a_machine,
    a_measured_context,
    a_result,
    a_run_line,
    a_series,
    a_step,
)
from tests.unit.analyse.synthesis import PROGRAMS, Synthesis


def _families() -> Iterator[Family]:
    """All families with those of their programs that a synthetic run has."""
    for family in FAMILIES:
        ran = tuple(one for one in family.benchmarks if one.name in PROGRAMS)
        if ran:
            yield replace(family, benchmarks=ran)


@dataclass(frozen=True)
class Kit:
    """What the tests build their cases from."""

    series = staticmethod(a_series)
    result = staticmethod(a_result)
    step = staticmethod(a_step)
    run_line = staticmethod(a_run_line)
    machine = staticmethod(a_machine)
    benchmark = staticmethod(a_benchmark)
    context = staticmethod(a_context)
    measured = staticmethod(a_measured_context)
    run = Synthesis
    quiet = QUIET
    # Those of the synthetic runs.
    families = tuple(_families())
    benchmarks = tuple(one for family in families for one in family.benchmarks)


@pytest.fixture(scope="session")
def kit() -> Kit:
    """Factories of records and of whole runs."""
    return Kit()
