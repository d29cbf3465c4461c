"""The study of one node in depth, and the rows that it adds to the results."""

from __future__ import annotations

from heorot.analyse.depth.contention import find_contentions
from heorot.analyse.depth.contributions import find_promises
from heorot.analyse.depth.efficiencies import find_efficiencies
from heorot.analyse.depth.levels import Homes
from heorot.analyse.depth.places import find_places
from heorot.analyse.depth.plateaus import find_stretches
from heorot.analyse.depth.roofs import find_roofs, find_walls
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.depth import Depth
from heorot.model.analysis.result import Result


def study_depth(context: Context, copies: str, run: str) -> tuple[Depth, list[Result]]:
    """Roofs, places below them, walls, promises, contention, plateaus, efficiencies, their rows.

    Args:
        context: the run, with all rows of the families and those about copies.
    """
    homes = Homes(context)
    roofs = find_roofs(context)
    found = find_places(context, roofs, homes, run)
    walls = list(find_walls(roofs, context.rows))
    promises = list(find_promises(context, homes))
    stretches = list(find_stretches(context, homes))
    depth = Depth(
        roofs=tuple(roofs),
        places=tuple(found.places),
        n_elsewhere=found.n_elsewhere,
        walls=tuple(wall for wall, _ in walls),
        promises=tuple(promise for promise, _ in promises),
        contentions=tuple(find_contentions(context, copies, homes)),
        stretches=tuple(stretch for stretch, _ in stretches),
        efficiencies=tuple(find_efficiencies(context, roofs)),
    )
    told = [row for _, row in (*walls, *promises, *stretches) if row is not None]
    return depth, [*found.rows, *told]
