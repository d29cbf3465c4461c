"""The stages that the rows of a run pass, in one list, with the reason for the position of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from heorot.analyse.explain import copies, processor_time, scaling
from heorot.analyse.explain.counters import explain_power, explain_traffic
from heorot.analyse.explain.phases import break_down, share_rows
from heorot.analyse.explain.ranks.stragglers import Straggler, find_stragglers
from heorot.analyse.explain.spread import pairs
from heorot.analyse.node_roofline.analysis import analyse_node
from heorot.analyse.questions import growing
from heorot.analyse.validity.ceilings import apply_ceilings, refuse_impossible
from heorot.analyse.validity.line_rates import apply_line_rates, inside_nodes
from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.result import Result
from heorot.model.catalogue.family import Family
from heorot.model.run.experiment import Experiment


@dataclass(frozen=True)
class Explained:
    """A run whose rows are judged and explained by the stages so far.

    Attributes:
        context: the run, with its rows so far.
        families: of the programs, publishers of references first.
        experiments: the questions of the plan.
        lagging: ranks and hosts that are repeatedly the slowest.
    """

    context: Context
    families: Sequence[Family]
    run: str
    experiments: Sequence[Experiment] = ()
    depth: NodeRoofline = field(default_factory=NodeRoofline)
    breakdowns: tuple[Breakdown, ...] = ()
    lagging: tuple[Straggler, ...] = ()

    def replacing(self, rows: Iterable[Result]) -> Explained:
        """With these rows in place of those of the same names."""
        return replace(self, context=self.context.replacing(rows))

    def adding(self, rows: Iterable[Result]) -> Explained:
        """With these rows after all others."""
        return replace(self, context=self.context.adding(rows))


class Stage(NamedTuple):
    """A change of the rows.

    Attributes:
        apply: the change.
        why_here: reason for its position in the list.
    """

    apply: Callable[[Explained], Explained]
    why_here: str


def explain(
    context: Context,
    families: Sequence[Family],
    run: str,
    experiments: Sequence[Experiment] = (),
) -> Explained:
    """Judge the measured rows and add derived rows, stage by stage.

    Args:
        context: the run, its rows those of the samples.
        families: of the programs, publishers of references first.
        experiments: the questions of the plan, which define the comparisons.
    """
    explained = Explained(context, families, run, experiments)
    for stage in STAGES:
        explained = stage.apply(explained)
    return explained


def judge_by_families(context: Context, families: Sequence[Family]) -> Context:
    """The run with the rows that families judge, each after those before it."""
    for family in families:
        context = context.replacing(
            row for judge in family.analysis().judge for row in judge(context)
        )
    return context


def _explained_by_families(on: Explained) -> Explained:
    for family in on.families:
        context = on.context
        on = on.adding(row for law in family.analysis().explain for row in law(context))
    return on


def _of_one_node(on: Explained) -> Explained:
    depth, rows = analyse_node(on.context, copies.METRIC, on.run)
    return replace(on.adding(rows), depth=depth)


def _divided(on: Explained) -> Explained:
    divided = list(break_down(on.context.groups))
    system = on.context.machine.system
    rows = [row for group, _ in divided for row in share_rows(group, run=on.run, system=system)]
    return replace(on.adding(rows), breakdowns=tuple(breakdown for _, breakdown in divided))


def _lagging(on: Explained) -> Explained:
    lagging = tuple(find_stragglers(on.context, on.run))
    return replace(on.adding(row for one in lagging for row in one.rows), lagging=lagging)


STAGES: tuple[Stage, ...] = (
    Stage(
        lambda on: on.replacing(refuse_impossible(on.context)),
        "what no machine does must be no bound of others",
    ),
    Stage(
        lambda on: replace(on, context=judge_by_families(on.context, on.families)),
        "what only a family can refuse must be no bound of others either",
    ),
    Stage(
        lambda on: on.replacing(apply_ceilings(on.context, inside_nodes(on.context))),
        "all rows that may be bounds have been judged",
    ),
    Stage(
        lambda on: on.replacing(apply_line_rates(on.context)),
        "between nodes the line is the bound, whatever a core could do",
    ),
    Stage(_explained_by_families, "families derive from rows that stand, with their shares"),
    Stage(
        lambda on: on.adding(copies.explain(on.context)),
        "copies are compared by rates, derived ones included",
    ),
    Stage(
        lambda on: on.adding(explain_traffic(on.context, on.run)),
        "the roofline analysis uses measured memory traffic",
    ),
    Stage(_of_one_node, "it needs the losses of copies and the traffic"),
    Stage(
        lambda on: on.adding(scaling.explain(on.context)),
        "what follows compares rates, and nothing before it uses these ratios",
    ),
    Stage(lambda on: on.adding(pairs.explain(on.context)), "as scaling"),
    Stage(lambda on: on.adding(growing.explain(on.context, on.experiments)), "as scaling"),
    Stage(_divided, "as scaling: shares of the time of bodies"),
    Stage(
        lambda on: on.adding(processor_time.explain(on.context, on.run)),
        "rows of whole launches stand behind those of regions",
    ),
    Stage(
        lambda on: on.adding(explain_power(on.context, on.run)),
        "flops per joule need the rates; their rows stand last of a program's",
    ),
    Stage(_lagging, "stragglers are reported only among valid rows"),
)
"""All stages, in their order."""
