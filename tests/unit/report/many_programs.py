"""Builds the run of an invented cluster: sixty programs in nine families on 64 nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np

from heorot.analyse.rows import best_on_most_cores
from heorot.analyse.templates.template import SentenceTemplate
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Sentence
from heorot.model.catalogue.benchmark import Benchmark, Header, Size, tiny_case
from heorot.model.catalogue.family import Family, FamilyAnalysis
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric, Reference
from heorot.model.evaluation import Evaluation
from heorot.model.machine.machine import Cache, Limits, Machine, Memory, Node, Processor
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.ranks import Phase
from heorot.model.run.records import CheckLine, RunLine
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_run_line, a_series, a_step
from tests.unit.analyse.evaluations import an_evaluation

N_PROGRAMS = 60
N_NODES = 64
CORES_OF_A_NODE = 128
TITLES = (
    "Cores", "Memory", "Messages", "Algorithms", "NAS Parallel Benchmarks", "Skeletons",
    "Applications", "Storage", "Throughput",
)  # fmt: skip
NODE_COUNTS = (1, 2, 4, 8, 16, 32, 64)
N_LAUNCHES = 3
N_SAMPLES = 12
SIZES = ("S", "W", "A")

_RATE = "{program} runs at {rate} on {cores} cores."
_SENTENCE = SentenceTemplate("any/rate", _RATE, brief=_RATE)
_OVERVIEW = Figure(
    title="Rate over the cores",
    kind="multiples",
    metric="rate",
    x="cores",
    x_label="cores",
    series=("class",),
    log_x=True,
    log_y=True,
)


def make_family(number: int, n_programs: int) -> Family:
    """An invented family; all programs of all but the first are compared with that one's."""
    name = f"family{number}"
    benchmarks = tuple(_benchmark(name, number, i) for i in range(n_programs))

    def sentences(context: Context) -> list[Sentence]:
        found = []
        for i, one in enumerate(benchmarks):
            row = best_on_most_cores(context.rows.find(one.name, "body", "rate"))
            if row is not None:
                weight = 1.0 / (i + 1)
                found.append(
                    _SENTENCE(weight=weight, program=one.display_name, rate=row, cores=row.cores)
                )
        return found

    return Family(
        name=name,
        title=TITLES[number],
        about=f"what {TITLES[number].lower()} are about",
        benchmarks=benchmarks,
        analysis=lambda: FamilyAnalysis(sentences=(sentences,)),
        overview=_OVERVIEW if number % 2 else None,
    )


def _benchmark(family: str, number: int, i: int) -> Benchmark:
    first = (number, i) == (0, 0)
    return Benchmark(
        name=f"{family}/program{i}",
        title=f"program {i} of {family}",
        metrics=(Metric(name="rate", unit="flop/s", better="higher", count="flops"),),
        cases=lambda *_: (tiny_case(),),
        tiny=tiny_case(),
        size=Size(coordinate="class", order=SIZES),
        publishes=(Reference(name="peak", metric="rate", regions=("body",)),) if first else (),
        ceilings=()
        if first
        else (Ceiling(metric="rate", by="peak", factor=8.0, reason="nothing computes faster"),),
        headlines=(
            Headline(label=f"{family} {i}", metric="rate", region="body", point={"class": "A"}),
        ),
        figures=(
            Figure(
                title="Over the cores",
                kind="curve",
                metric="rate",
                x="cores",
                x_label="cores",
                series=("class",),
                log_x=True,
                log_y=True,
            ),
            Figure(title="By layout", kind="bars", metric="rate", series=("layout",)),
            Figure(title="Computing, waiting, communicating", kind="shares"),
        ),
    )


def make_families() -> tuple[Family, ...]:
    """Nine families with sixty programs in all."""
    n_families = len(TITLES)
    counts = [N_PROGRAMS // n_families + (i < N_PROGRAMS % n_families) for i in range(n_families)]
    return tuple(make_family(i, n) for i, n in enumerate(counts))


def make_cluster() -> Machine:
    """Sixty nodes of one kind and four with more memory."""

    def node(first: int, n_nodes: int, gibibytes: int) -> Node:
        return Node(
            names=tuple(f"node{first + i:03d}" for i in range(n_nodes)),
            processor=Processor(
                isa="x86_64", model="EPYC 9554", n_cores=CORES_OF_A_NODE, threads_per_core=1
            ),
            caches=(Cache(level=3, kind="unified", size_bytes=256 << 20),),
            memory=Memory(total_bytes=gibibytes << 30, available_bytes=gibibytes << 30),
            limits=Limits(n_usable_cores=CORES_OF_A_NODE),
        )

    return Machine(hostname="login", nodes=(node(0, 60, 384), node(60, 4, 1536)))


def _phases(rate: float, n_ranks: int) -> tuple[Phase, ...]:
    computing = tuple(rate * (1.0 + 0.01 * (rank % 5)) for rank in range(n_ranks))
    most = max(computing)
    waiting = tuple(1.2 * most - each for each in computing)
    nothing = (0.0,) * n_ranks
    return (
        Phase(
            name="sweep",
            computation_seconds=computing,
            communication_seconds=waiting,
            messages=nothing,
            bytes=nothing,
            collectives=nothing,
        ),
    )


def _launches(
    benchmark: Benchmark, number: int, n_launches: int, node_counts: Sequence[int]
) -> Iterator[tuple[Step, Series]]:
    random = np.random.default_rng(number)
    speed = (1.0 + number % 7) * 1e9
    for launch, nodes, size in product(range(1, n_launches + 1), node_counts, SIZES):
        ranks = 8 * nodes
        flops = 1e9 * 4.0 ** SIZES.index(size)
        seconds = flops / (speed * ranks**0.93)
        step = a_step(
            id=f"S{number:02d}{launch}{nodes:02d}{size}",
            benchmark=benchmark.name,
            case=f"{size}_{nodes}_nodes",
            launch=launch,
            nodes=nodes,
            ranks=ranks,
            per_node=8,
            toolchain="gnu-14+openmpi-5",
        )
        noise = 1.0 + 0.01 * np.abs(random.standard_normal(N_SAMPLES))
        yield (
            step,
            a_series(
                step=step.id,
                benchmark=benchmark.name,
                case=step.case,
                launch=launch,
                toolchain=step.toolchain,
                nodes=nodes,
                ranks=ranks,
                per_node=8,
                region="body",
                point={"class": size},
                counts={"flops": flops},
                repetitions=1,
                seconds=seconds * noise,
                phases=_phases(seconds / 1.25, ranks) if size == "A" else (),
            ),
        )


@cache
def _run_line(n_ranks: int) -> RunLine:
    return a_run_line([(f"node{rank // 8:03d}", (rank % 8,)) for rank in range(n_ranks)])


def _outcome(step: Step) -> Outcome:
    check = CheckLine(type="check", name="residual", value=0.0, tolerance=1e-9, passed=True)
    return Outcome(step=step.id, state="completed", checks=(check,), run=_run_line(step.ranks))


def make_cluster_evaluation(
    n_launches: int = N_LAUNCHES, node_counts: Sequence[int] = NODE_COUNTS
) -> Evaluation:
    """The whole run, analysed; or one of fewer launches on fewer numbers of nodes."""
    families = make_families()
    benchmarks = tuple(one for family in families for one in family.benchmarks)
    launches = [
        each
        for number, one in enumerate(benchmarks)
        for each in _launches(one, number, n_launches, node_counts)
    ]
    steps = tuple(step for step, _ in launches)
    outcomes = tuple(map(_outcome, steps))
    return an_evaluation(
        [series for _, series in launches],
        steps,
        families,
        make_cluster(),
        outcomes,
        headers={
            one.name: Header(
                question=f"how fast is {one.display_name}?", sections={"Method": "Runs."}
            )
            for one in benchmarks
        },
    )
