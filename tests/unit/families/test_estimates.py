"""Estimates against timed launches: close as a whole, and not far off for any."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heorot.families import BENCHMARKS
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.pace import Pace
from heorot.model.machine.toolchain import Toolchain
from heorot.plan.candidate import Candidate
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_machine

RECORDED = Path(__file__).resolve().parents[2] / "samples/runs/smoke_launches.json"
TOOLCHAIN = Toolchain(name="gnu", compilers=some_compilers("g++", "GNU 12.2.0"), mpi=None)
# Speed of that machine when it is quiet.
PACE = Pace(core_bandwidth=14e9, node_bandwidth=28e9)


def estimated_and_measured() -> dict[str, tuple[float, float]]:
    machine = a_machine(2).model_copy(update={"pace": PACE})
    programs = {benchmark.name: benchmark for benchmark in BENCHMARKS}
    found = {}
    for launch in json.loads(RECORDED.read_text()):
        program = programs[launch.pop("benchmark")]
        measured = launch.pop("seconds")
        case = Case(name=launch.pop("case"), **launch)
        assert program.estimate
        candidate = Candidate(program, program.estimate(machine, case), TOOLCHAIN)
        found[f"{program.name} {case.name}"] = (candidate.seconds, measured)
    return found


def test_the_whole_takes_about_as_long_as_estimated() -> None:
    estimated, measured = map(sum, zip(*estimated_and_measured().values(), strict=True))
    assert 1 / 1.5 < estimated / measured < 1.5


@pytest.mark.parametrize(("estimated", "measured"), estimated_and_measured().values(),
                         ids=list(estimated_and_measured()))  # fmt: skip
def test_no_launch_takes_three_times_as_long_or_a_third(estimated: float, measured: float) -> None:
    assert 1 / 3 < estimated / measured < 3.0
