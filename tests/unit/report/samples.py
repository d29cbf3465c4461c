"""A synthetic evaluation with everything that a run can go through."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from heorot.families import FAMILIES
from heorot.families.compute.peak import PEAK
from heorot.families.compute.vectors.vector_kernels import VECTOR_KERNELS
from heorot.families.memory.stream import STREAM
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.families.npb.programs import EP
from heorot.model.catalogue.benchmark import Benchmark, Header
from heorot.model.evaluation import Evaluation
from heorot.model.machine.machine import Machine, Node, Processor
from heorot.model.machine.toolchain import Flavour, Mpi, Toolchain
from heorot.model.point import Point
from heorot.model.run.account import Account
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Exit, Outcome
from heorot.model.run.plan import Plan, SkippedCase, Step
from heorot.model.run.records import (
    CheckLine,
    Clock,
    ClockFacts,
    Disturbance,
    EndLine,
    NoteLine,
    Placement,
    RunLine,
)
from heorot.model.run.request import Request
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_step
from tests.unit.analyse.evaluations import a_plan, run_facts
from tests.unit.report.sample_results import make_results
from tests.unit.report.sample_statements import make_analysis

MACHINE_ROWS = (
    ("Name", "hall-01"),
    ("Nodes", "1"),
    ("Processor", "Xeon Processor @ 2.60GHz (sapphirerapids)"),
    ("Processors per node", "1 socket × 2 cores × 1 thread"),
    ("Clock", "2.60 GHz"),
    ("Cache L1 data", "48 KiB per core"),
    ("Cache L2 unified", "2 MiB per core"),
    ("Cache L3 unified", "480 MiB, shared"),
    ("Memory per node", "8 GiB"),
    ("Kernel", "6.1.0-18-amd64"),
)

HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>'
"""What a program or a host name may try to write into the page."""

BENCHMARKS = (PEAK, VECTOR_KERNELS, STREAM, PINGPONG, EP)

_QUESTIONS = {
    "compute/peak": "how fast can one core multiply and add?",
    "compute/vector_kernels": "how fast are elementary vector operations, in and beyond a cache?",
    "memory/stream": "how fast can the cores of a node stream from memory?",
    "messages/pingpong": "what does a message between two processes cost?",
    "npb/ep": "how fast is work that needs no communication at all?",
}


def make_headers() -> dict[str, Header]:
    """Headers as in the sources of the programs."""
    sections = {
        "Method": "Arrays of n doubles per rank, first touched by the thread that later works on "
        "them: copy c(i) = a(i), scale b(i) = s c(i), add c(i) = a(i) + b(i), triad a(i) = b(i) + "
        "s c(i).",
        "Counts": "bytes = 24 n (two loads, one store; write-allocate traffic is not counted), "
        "flops = 2 n.",
        "Comparable": "In part: with STREAM, whose best trial is a little more than a median.",
        "Verified": "Every element equals the same scalar recurrence to the last bit.",
        "Source": "J. D. McCalpin, Memory Bandwidth and Machine Balance in Current High "
        "Performance Computers, IEEE TCCA Newsletter, December 1995.",
    }
    return {name: Header(question=text, sections=sections) for name, text in _QUESTIONS.items()}


def make_toolchains() -> tuple[Toolchain, ...]:
    """Two toolchains as they are found on a laptop."""
    found: tuple[tuple[Flavour, str], ...] = (("openmpi", "5.0.11"), ("mpich", "5.0.2"))
    return tuple(
        Toolchain(
            name=f"gnu-12+{flavour}-{version}",
            compilers=some_compilers("/usr/bin/g++", "GNU 12.2.0"),
            mpi=Mpi(
                flavour=flavour, version=version, cxx=Path("/opt/mpicxx"), mpiexec=Path("/opt/run")
            ),
            environment={"OMP_PROC_BIND": "close"},
        )
        for flavour, version in found
    )


def make_step(number: int, benchmark: Benchmark, case: str, ranks: int, threads: int) -> Step:
    """A step of the plan."""
    return a_step(
        id=f"S{number:04d}",
        benchmark=benchmark.name,
        case=case,
        launch=1 + number % 3,
        options={"budget": 0.5, "max-bytes": 1 << 28},
        ranks=ranks,
        threads=threads,
        per_node=ranks,
        toolchain="gnu-12+openmpi-5.0.11",
        seconds=4.0 + number % 5,
        memory_bytes=1 << 28,
    )


def _run_line(step: Step, started: float) -> RunLine:
    """Its ranks but the first are on a host with a hostile name."""
    facts = ClockFacts(name="tsc", resolution_seconds=8e-9, overhead_seconds=9e-9, monotonic=True)
    clock = Clock(
        name="monotonic",
        resolution_seconds=1e-9,
        overhead_seconds=2.2e-8,
        monotonic=True,
        others=(facts,),
    )
    return RunLine(
        type="run",
        schema=1,
        benchmark=step.benchmark,
        options=step.options,
        ranks=step.ranks,
        threads=step.threads,
        placement=tuple(
            Placement(rank=i, host=HOSTILE if i else "hall-01", pid=100 + i, cpus=(i, i + 4, i + 5))
            for i in range(step.ranks)
        ),
        compiler="GNU 12.2.0",
        flags="-O3 -march=native -fno-tree-loop-distribute-patterns",
        mpi_library="Open MPI v5.0.11, package: Open MPI",
        mpi_standard="3.1",
        clock=clock,
        started=started,
    )


def _end_line(n_ranks: int) -> EndLine:
    ranks = range(n_ranks)
    quiet = Disturbance(
        involuntary_switches=2,
        steal_seconds=0.0,
        other_cpu_seconds=0.01,
        window_seconds=4.0,
        sentinel_before=1.0,
        sentinel_after=1.01,
    )
    return EndLine(
        type="end",
        passed=True,
        checks=4,
        failed=0,
        elapsed_seconds=4.0,
        user_seconds=tuple(3.9 + 0.01 * i for i in ranks),
        system_seconds=tuple(0.05 for _ in ranks),
        peak_memory_bytes=tuple(200 << 20 for _ in ranks),
        involuntary_switches=tuple(2 for _ in ranks),
        disturbance=quiet,
    )


def make_outcome(step: Step, started: float) -> Outcome:
    """How a step ends that goes well."""
    return Outcome(
        step=step.id,
        state="completed",
        exit=Exit(step=step.id, started=started, ended=started + 4.2, code=0, timed_out=False),
        run=_run_line(step, started),
        end=_end_line(step.ranks),
        notes=(NoteLine(type="note", name="instruction_width_bytes", value=64),),
    )


_FAILED = CheckLine(
    type="check", name="largest relative deviation", value=0.25, tolerance=1e-14, passed=False,
    region="divide", point=Point({"n": 16}),
)  # fmt: skip
# What goes wrong, by the number of the step.
_TROUBLES: Mapping[int, dict[str, object]] = {
    3: {"state": "failed", "reason": "a verification failed", "checks": (_FAILED,)},
    8: {
        "state": "failed",
        "reason": "no end line",
        "last_output": f"Segmentation fault\n{HOSTILE}",
    },
    12: {
        "state": "timed_out",
        "reason": "killed after 60 s",
        "last_output": "still waiting",
        "end": None,
    },
    17: {
        "state": "lost",
        "reason": "started and never reported its end",
        "exit": None,
        "end": None,
    },
    23: {
        "state": "refused",
        "reason": "needs a network between its ranks",
        "last_output": "heorot: cannot run here",
        "end": None,
    },
}


def make_plan_and_outcomes() -> tuple[Plan, tuple[Outcome, ...]]:
    """Thirty steps: most complete, others fail, hang, get lost, refuse to run or never start."""
    layouts = {"messages/pingpong": (2, 1), "npb/ep": (2, 1)}
    steps = [
        make_step(i + 1, benchmark, "case", *layouts.get(benchmark.name, (1, 2)))
        for i, benchmark in enumerate(BENCHMARKS * 6)
    ]
    outcomes = [make_outcome(step, 1.79e9 + 5.0 * i) for i, step in enumerate(steps[:-1])]
    outcomes.append(Outcome(step=steps[-1].id, state="lost", reason="never started"))
    for i, change in _TROUBLES.items():
        outcomes[i] = outcomes[i].model_copy(update=change)
    plan = a_plan(
        steps,
        seed=20261120,
        budget_seconds=1800.0,
        skipped=(
            SkippedCase(
                setup=Setup("npb/ep", "D_all_cores", "gnu-12+openmpi-5.0.11"),
                reason="would take 22 min, which the budget does not have",
            ),
            SkippedCase(
                setup=Setup("messages/pingpong", "two_nodes", "gnu-12+mpich-5.0.2"),
                reason="needs two nodes, there is one",
            ),
        ),
    )  # fmt: skip
    return plan, tuple(outcomes)


def make_evaluation(n_lengths: int = 40) -> Evaluation:
    """The whole synthetic run.

    Args:
        n_lengths: lengths of every vector sweep; 160 makes ten thousand results.
    """
    plan, outcomes = make_plan_and_outcomes()
    spoilt = plan.steps[2]
    repeat = spoilt.model_copy(update={"id": "S0031", "attempt": 2})
    return Evaluation(
        facts=run_facts(
            name="first",
            python_version="3.11.7",
            request=Request(
                profile="standard",
                command=("./heorot", "evaluate", "--profile", "standard", "--out", "runs/first"),
            ),
            plan_digest="0123456789ab",
            source_digest="ba9876543210",
            toolchains=make_toolchains(),
            ended=1.79e9 + math.pi * 400,
            setup_seconds=31.0,
        ),
        machine=Machine(
            hostname="hall-01",
            nodes=(
                Node(
                    names=("hall-01",),
                    processor=Processor(isa="x86_64", model="Xeon Processor @ 2.60GHz"),
                ),
            ),
        ),
        plan=plan,
        steps=(*plan.steps, repeat),
        outcomes=(*outcomes, make_outcome(repeat, 1.79e9 + 700.0)),
        account=Account(submitted=31, completed=25, failed=2, timed_out=1, lost=2, refused=1),
        disturbed={spoilt.id: "other processes used 12 % of the processors"},
        analysis=make_analysis(make_results(n_lengths)),
        families=FAMILIES,
        benchmarks=BENCHMARKS,
        headers=make_headers(),
    )
