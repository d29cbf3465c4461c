"""The record of messages/startup: what it takes to join a job, as ranks grow."""

from __future__ import annotations

from heorot.analyse.rows import derive
from heorot.catalogue.settings import budget_seconds
from heorot.families.messages.layouts import THOROUGH, Layout, inside, over
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

LIBRARY_MEMORY = "library_memory"
_NOTE = "library_bytes_per_rank_largest"
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.1, "standard": 0.5, "full": 1.0}
_RANK_BYTES = 1 << 20
_PARTNER_BYTES = 64


def _estimate(machine: Machine, case: Case) -> Case:
    """Only one region has samples."""
    del machine
    memory = case.ranks * (_RANK_BYTES + _PARTNER_BYTES * case.ranks)
    return case.model_copy(update={"memory_bytes": memory, "seconds": 0.1 + budget_seconds(case)})


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """On all cores; where there is time also on 2, 4, 8... of them, to see it grow."""
    every_core = inside(machine)
    layouts = [every_core]
    if profile in ("standard", "full"):
        powers = [2**i for i in range(1, every_core.ranks.bit_length())]
        layouts = [Layout(f"{n}_ranks", n) for n in powers if n < every_core.ranks] + layouts
    return tuple(_case(machine, profile, layout) for layout in layouts)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return tuple(_case(machine, profile, layout) for layout in over(machine, nodes))


def _case(machine: Machine, profile: Profile, layout: Layout) -> Case:
    case = Case(
        name=layout.name,
        options={"budget": _BUDGET[profile]},
        ranks=layout.ranks,
        nodes=layout.nodes,
        needs_cores=layout.ranks,
        priority="detail",
    )
    return _estimate(machine, case)


def explain_memory(context: Context) -> list[Result]:
    """The memory of a rank that its MPI library takes, the most of any rank and launch.

    Args:
        context: the run.
    """
    steps = {step.id: step for step in context.steps if step.benchmark == STARTUP.name}
    noted: dict[tuple[str, str], list[float]] = {}
    for outcome in context.outcomes:
        step = steps.get(outcome.step)
        for note in outcome.notes if step is not None else ():
            if step is not None and note.name == _NOTE and not isinstance(note.value, str):
                noted.setdefault((step.label, step.case), []).append(float(note.value))
    derived = []
    for row in context.rows.find(STARTUP.name, "init", "time"):
        found = noted.get((row.toolchain, row.case))
        if found:
            values = (max(found), min(found), max(found))
            derived.append(derive([row], LIBRARY_MEMORY, "B", "lower", values, point=row.point))
    return derived


STARTUP = Benchmark(
    name="messages/startup",
    title="the start of a job",
    metrics=(Metric(name="time", unit="s", better="lower"),),
    cases=_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case(ranks=2),
    derived=(LIBRARY_MEMORY,),
    figures=(
        Figure(
            title="Time to join a job, and of the first and later exchanges of all pairs",
            kind="curve",
            metric="time",
            x="cores",
            x_label="ranks",
            least_values=2,
            series=("toolchain", "region"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Memory of a rank that the library takes",
            kind="curve",
            metric=LIBRARY_MEMORY,
            x="cores",
            x_label="ranks",
            least_values=2,
            series=("toolchain",),
            log_x=True,
        ),
    ),
    needs_mpi=True,
)
