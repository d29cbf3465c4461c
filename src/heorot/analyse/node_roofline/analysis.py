"""The roofline analysis of one node, and the rows that it adds to the results."""

from __future__ import annotations

from heorot.analyse.node_roofline.contention import find_contentions
from heorot.analyse.node_roofline.efficiencies import find_efficiencies
from heorot.analyse.node_roofline.kernel_predictions import find_predictions
from heorot.analyse.node_roofline.plateaus import find_level_plateaus
from heorot.analyse.node_roofline.roofline_points import find_points
from heorot.analyse.node_roofline.roofs import find_balances, find_roofs
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.result import Result


def analyse_node(context: Context, copies: str, run: str) -> tuple[NodeRoofline, list[Result]]:
    """Roofs, points, balances, predictions, contention, plateaus, efficiencies, and their rows.

    Args:
        context: the run, with all rows of the families and those about copies.
    """
    levels_of = WorkingSetLevels(context)
    roofs = find_roofs(context)
    found = find_points(context, roofs, levels_of, run)
    balances = list(find_balances(roofs, context.rows))
    predictions = list(find_predictions(context, levels_of))
    level_plateaus = list(find_level_plateaus(context, levels_of))
    depth = NodeRoofline(
        roofs=tuple(roofs),
        points=tuple(found.points),
        n_elsewhere=found.n_elsewhere,
        balances=tuple(balance for balance, _ in balances),
        predictions=tuple(prediction for prediction, _ in predictions),
        contentions=tuple(find_contentions(context, copies, levels_of)),
        level_plateaus=tuple(plateau_row for plateau_row, _ in level_plateaus),
        efficiencies=tuple(find_efficiencies(context, roofs)),
    )
    derived_rows = [row for _, row in (*balances, *predictions, *level_plateaus) if row is not None]
    return depth, [*found.rows, *derived_rows]
