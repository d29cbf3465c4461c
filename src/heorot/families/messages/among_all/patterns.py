"""The record of messages/patterns: what the ways in which programs communicate reach."""

from __future__ import annotations

from heorot.analyse.rows import best, rename
from heorot.analyse.trust.line_rates import find_links
from heorot.catalogue.settings import budget_seconds, number, word
from heorot.catalogue.sizes import pace
from heorot.families.messages.layouts import THOROUGH, Layout, inside, over
from heorot.families.messages.sizes import message_sizes
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

_NAME = "messages/patterns"
_PORT = "port_bandwidth"
PEAK = "peak_port_bandwidth"
_SIZE_DEFAULTS = {"min-bytes": 64 << 10, "max-bytes": 1 << 20}
_STRIDE = 8
_N_PATTERNS = 17
# One of each sort, where there is no time for all.
_FEW = "pingpong,broadcast,transposition,bisection_regular_both,neighbours_2d_both"
_PATTERNS: dict[Profile, str] = {"smoke": _FEW, "quick": _FEW}
_SIZES: dict[Profile, str] = {
    "smoke": "65536",
    "quick": "8,1048576",
    "standard": "8,1024,16384,131072,1048576",
    "full": "8,128,2048,16384,65536,262144,1048576,4194304",
}
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.1, "standard": 0.1, "full": 0.3}
_USED_OF_BUDGET = 0.7
# In messages of a rank: six neighbours, to and from.
_BUFFERS_OF_A_RANK = 12
# So often a pattern moves its messages if one transfer takes longer than the budget: verified
# twice, warmed up, sampled twice.
_FEWEST_TRANSFERS = 5
# Making, wiping, filling and comparing twice; a reduction is compared with all ranks [B/s].
_VERIFIED_RATE = 0.4e9
# What a line between nodes carries if it is a slow one [B/s].
_SLOW_LINE = 100e6


def explain(context: Context) -> list[Result]:
    """The largest rate of the busiest rank over all sizes, for each pattern, toolchain and case.

    Between nodes with a rank on each it has a share of the line; where several ranks share a line,
    nobody knows how much of their traffic takes it.

    Args:
        context: the run.
    """
    groups: dict[tuple[str, str, str], list[Result]] = {}
    for row in context.rows:
        if (row.benchmark, row.metric) == (_NAME, _PORT) and row.ranked:
            groups.setdefault((row.toolchain, row.case, row.region), []).append(row)
    rates = [link.bytes_per_second for link in find_links(context.machine)]
    tops = [top for rows in groups.values() if (top := best(rows))]
    return [rename(top, PEAK, {}, _share_of_line(top, rates)) for top in tops]


def _share_of_line(row: Result, rates: list[float]) -> float | None:
    """Of one line; of all of them together if it is faster than one."""
    if row.nodes == 1 or row.ranks != row.nodes or len(set(rates)) != 1:
        return None
    return row.median / (rates[0] if row.median <= rates[0] else sum(rates))


def _estimate(machine: Machine, case: Case) -> Case:
    """Budgets, and what the longest transfers take where they are longer than those."""
    case_with_sizes = case.model_copy(update={"options": {**_SIZE_DEFAULTS, **case.options}})
    sizes = message_sizes(case_with_sizes)
    patterns = word(case, "patterns", "all")
    n_patterns = _N_PATTERNS if patterns == "all" else len(patterns.split(","))
    largest = max(sizes, default=0)
    stride = number(case, "stride", _STRIDE)
    buffers = largest * (_BUFFERS_OF_A_RANK * case.ranks + 4 * stride + case.ranks)
    seconds = len(sizes) * n_patterns * _USED_OF_BUDGET * budget_seconds(case)
    seconds += n_patterns * sum(sizes) * case.ranks / _VERIFIED_RATE
    moved = sum(sizes) * n_patterns * _FEWEST_TRANSFERS
    if case.nodes == 1:
        # Each byte is read and written, twice if the library copies it through shared memory.
        seconds += 4 * moved * case.ranks / pace(machine).bandwidth(case.ranks)
    else:
        seconds += moved * case.per_node / _SLOW_LINE
    return case.model_copy(update={"memory_bytes": int(buffers), "seconds": seconds})


def _patterns_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    return (_case(machine, profile, inside(machine)),)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return tuple(_case(machine, profile, layout) for layout in over(machine, nodes))


def _case(machine: Machine, profile: Profile, layout: Layout) -> Case:
    case = Case(
        name=layout.name,
        options={
            "patterns": _PATTERNS.get(profile, "all"),
            "sizes": _SIZES[profile],
            "budget": _BUDGET[profile],
        },
        ranks=layout.ranks,
        nodes=layout.nodes,
        needs_cores=layout.ranks,
        priority="detail",
    )
    return _estimate(machine, case)


PATTERNS = Benchmark(
    name=_NAME,
    title="patterns of communication",
    metrics=(
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),
        Metric(name=_PORT, unit="B/s", better="higher", count="port_bytes"),
        Metric(name="time", unit="s", better="lower"),
    ),
    cases=_patterns_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "8,1000"}, ranks=3),
    derived=(PEAK,),
    figures=(
        Figure(
            title="Largest rate through the busiest rank, by pattern",
            kind="bars",
            metric=PEAK,
            series=("layout", "toolchain"),
        ),
        Figure(
            title="Rate through the busiest rank over the message size",
            kind="curve",
            metric=_PORT,
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
