"""A run as a whole: what the report is written from."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.base import Record
from heorot.model.benchmark import Benchmark, Header
from heorot.model.machine import Machine
from heorot.model.outcome import Outcome
from heorot.model.plan import Plan
from heorot.model.result import Analysis
from heorot.model.toolchain import Toolchain


class RunFacts(Record):
    """run.json: what identifies a run.

    Attributes:
        name: name of the run directory.
        heorot_version: version that measured.
        python_version: Python that conducted.
        command: the command line, for reproduction.
        profile: how thorough.
        seed: of shuffling and resampling.
        plan_digest: of plan.json.
        source_digest: of the native sources.
        toolchains: those used.
        started: Unix time [s].
        ended: Unix time, None while it runs or after a kill [s].
        setup_seconds: time spent building [s].
    """

    name: str
    heorot_version: str
    python_version: str
    command: tuple[str, ...]
    profile: str
    seed: int
    plan_digest: str
    source_digest: str
    toolchains: tuple[Toolchain, ...]
    started: float
    ended: float | None = None
    setup_seconds: float = 0.0


@dataclass(frozen=True)
class Evaluation:
    """A run as a whole.

    Attributes:
        facts: what identifies it.
        machine: where it ran.
        plan: what was asked for.
        outcomes: how every step ended.
        analysis: what it says.
        benchmarks: the catalogue's records of the programs in the plan.
        headers: what their sources say of themselves, by benchmark name.
    """

    facts: RunFacts
    machine: Machine
    plan: Plan
    outcomes: tuple[Outcome, ...]
    analysis: Analysis
    benchmarks: tuple[Benchmark, ...]
    headers: dict[str, Header]
