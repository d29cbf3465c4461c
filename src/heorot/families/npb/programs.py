"""The NAS Parallel Benchmarks: metrics, bounds and figures of each."""

from __future__ import annotations

from heorot.families.npb import needs
from heorot.families.npb.cases import USUAL, Ways, cases_of, estimate_by
from heorot.families.npb.nodes import over_nodes_of
from heorot.model.analysis.node_roofline.levels import NOMINAL_SHARE, SHARE_OF_ROOFLINE
from heorot.model.analysis.placement import DENSITY_LOSS, EFFICIENCY, NETWORK_LOSS, NODE_LOSS
from heorot.model.catalogue.benchmark import Benchmark, Size, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.references import BISECTION, LATENCY, RANDOM_RINGS
from heorot.model.catalogue.usual import TIME, below_peak
from heorot.model.run.experiment import Question

# By the benchmark's own definition, as in NASA's Mop/s: the only count of older records.
_OPERATIONS = Metric(
    name="operation_rate", unit="op/s", better="higher", count="operations", formerly="flops"
)
# Performed operations: only they have a share of peak.
_FLOPS = Metric(
    name="flop_rate", unit="flop/s", better="higher", count="flops", requires="operations"
)
# Class F is defined, too, but never planned.
CLASSES = Size(
    coordinate="class",
    order=("S", "W", "A", "B", "C", "D", "E", "F"),
    for_trying=("S", "W"),
)
# For the zones of a multi-zone program, as distributed over ranks.
PREDICTED_BALANCE, MEASURED_BALANCE = "predicted_balance", "measured_balance"
# The classes of the score card: smaller ones are too small, larger ones run in long profiles only.
_HEADLINE_CLASS = "A"
# Bars show two core counts better than a curve.
_LEAST_CORE_COUNTS = 3

# The time of the same cores in another placement.
_PLACEMENTS = (
    ("Time on more nodes over time on the fewest, for as many ranks", NODE_LOSS),
    ("Time with several ranks on a node over time with one, for as many ranks", DENSITY_LOSS),
    ("Time over another network over time over the fastest", NETWORK_LOSS),
)


def _figures(title: str, rate: str) -> tuple[Figure, ...]:
    """Figures of a program, wherever it ran."""
    return (
        Figure.bars(f"{title} by layout", rate, ("layout",)),
        Figure.curve(
            f"{title} over the cores of a node",
            rate,
            "cores",
            "cores",
            kind="inside",
            least_values=_LEAST_CORE_COUNTS,
            series=("class", "way"),
        ),
        Figure(title="Computation, imbalance, communication", kind="shares"),
        Figure(title="Phases of a body", kind="phases"),
        Figure.bars("Rate-mode loss of each copy", "star_degradation", ("layout",)),
    )


def _figures_over_nodes(title: str, rate: str) -> tuple[Figure, ...]:
    """Figures of a program on several nodes."""
    return (
        Figure(
            title=f"{title} over the nodes",
            kind="over_nodes",
            metric=rate,
            least_values=2,
            series=("class",),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Efficiency of full nodes",
            kind="over_nodes",
            metric=EFFICIENCY,
            least_values=2,
            series=("class",),
            log_x=True,
        ),
        *(Figure.bars(text, metric, ("layout",)) for text, metric in _PLACEMENTS),
    )


def _program(
    name: str,
    measures: str,
    need: needs.Needs,
    *,
    quick: str = "W",
    ways: Ways = USUAL,
    metrics: tuple[Metric, ...] = (_OPERATIONS, _FLOPS),
    derived: tuple[str, ...] = (SHARE_OF_ROOFLINE, NOMINAL_SHARE),
    limited: str = "",
    shown: tuple[str, Metric] | None = None,
    suits: tuple[Question, ...] = (),
    communicates_by: str = "",
) -> Benchmark:
    """The record of one program.

    Args:
        name: its last name, which is also its region's name.
        ways: layouts besides the usual ones.
        metrics: the first is the rate by the benchmark's own definition.
        derived: the shares of its flops; performed operations have one if they are flops, too.
        limited: why it does not reach the flop peak.
        shown: its headline, if its work is not flops. Else that is the performed rate, with the
            nominal one.
    """
    title = name.upper().replace("_", "-")
    rate = _OPERATIONS.name if shown else _FLOPS.name
    labels = {f"NPB {title}": rate, f"NPB {title}, nominal operations": _OPERATIONS.name}
    if shown is not None:
        labels = {f"NPB {title}, {shown[0]}": shown[1].name}
    return Benchmark(
        name=f"npb/{name}",
        measures=measures,
        metrics=metrics,
        derived=(*derived, PREDICTED_BALANCE, MEASURED_BALANCE) if ways.zones else derived,
        cases=cases_of(need, quick=quick, ways=ways),
        over_nodes=over_nodes_of(need, quick=quick),
        estimate=estimate_by(need),
        tiny=tiny_case({"class": "S"}, ranks=2),
        title=f"NPB {title}",
        size=CLASSES,
        problem=("class",),
        suits=suits,
        communicates_by=communicates_by,
        ceilings=(below_peak(limited),) if limited else (),
        headlines=tuple(
            Headline(label=label, metric=metric, region=name, point={"class": _HEADLINE_CLASS})
            for label, metric in labels.items()
        ),
        figures=(*_figures(title, rate), *_figures_over_nodes(title, rate)),
    )


EP = _program(
    "ep",
    "embarrassingly parallel: Gaussian random deviates",
    needs.EP,
    metrics=(_OPERATIONS, _FLOPS, TIME),
    derived=(),
    suits=("cores",),
    limited="random numbers are integer work; logarithm and root are dependent chains",
    shown=("time", TIME),
)
IS = _program(
    "is",
    "integer sort: ranking of scattered keys",
    needs.IS,
    metrics=(_OPERATIONS,),
    derived=(),
    shown=("keys ranked", _OPERATIONS),
    communicates_by=BISECTION,
)
CG = _program(
    "cg",
    "conjugate gradient: SpMV with irregular communication",
    needs.CG,
    ways=Ways(copies=True),
    suits=("nodes", "spread", "networks", "copies"),
    communicates_by=RANDOM_RINGS,
    limited="every element of the sparse matrix is loaded with its index and used once",
)
MG = _program(
    "mg",
    "multigrid V-cycles on a 3-D grid",
    needs.MG,
    suits=("cores", "copies"),
    limited="its stencils mostly add, and its grids are read from memory",
)
FT = _program(
    "ft",
    "3-D FFT with all-to-all transposes",
    needs.FT,
    suits=("nodes", "spread", "networks"),
    communicates_by=BISECTION,
    limited="butterflies add more than they multiply; transposition performs no flops",
)
LU = _program(
    "lu",
    "SSOR flow solver, pipelined wavefronts",
    needs.LU,
    suits=("spread", "networks"),
    communicates_by=LATENCY,
    limited="each block of the triangular systems depends on three others",
)
SP = _program(
    "sp",
    "ADI flow solver, scalar pentadiagonal lines",
    needs.SP,
    limited="elimination along a line is a recurrence with few flops per load",
)
BT = _program(
    "bt",
    "ADI flow solver, block-tridiagonal lines",
    needs.BT,
    limited="elimination of 5 x 5 blocks along a line is a recurrence of small products",
)
BT_MZ = _program(
    "bt_mz",
    "BT on zones of unequal size: load balance",
    needs.BT_MZ,
    suits=("layouts",),
    ways=Ways(zones=True),
    limited="as in BT, and zones of unequal size cause imbalance",
)
SP_MZ = _program(
    "sp_mz",
    "SP on zones of equal size",
    needs.SP_MZ,
    ways=Ways(zones=True),
    limited="as in SP, with boundaries exchanged between zones",
)
LU_MZ = _program(
    "lu_mz",
    "LU on 16 zones of equal size",
    needs.LU_MZ,
    ways=Ways(zones=True),
    limited="as in LU, with boundaries exchanged between zones",
)
