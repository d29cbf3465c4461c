"""Working sets of rows and the memory levels that hold them, in the words of labels."""

from __future__ import annotations

from heorot.analyse.memory_bandwidth import working_set
from heorot.analyse.node_roofline.bandwidth_roofs import BandwidthRoofs
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.analyse.templates.explain import OVER
from heorot.analyse.templates.quantities import exactly
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import word_levels
from heorot.model.analysis.result import Result

_SIZE = "working_set_bytes"


def resident_set(context: Context, row: Result) -> tuple[float, str] | None:
    """The working set of a row [B], and the level that holds it, as measured; None if unknown.

    Two levels may each hold a part.

    Args:
        row: of a program that has its working set as a coordinate, or counts it; or a row that is
            one of these under another name.
    """
    levels_of, row = WorkingSetLevels(context), source_of(context, row)
    size = row.point.get(_SIZE)
    whole = working_set(context, row) if size is None or isinstance(size, str) else float(size)
    if whole is None:
        return None
    each = whole / row.cores if size is None else levels_of.working_set(row) or whole
    cores = row.cores // row.nodes
    level = levels_of.level_of(each, cores, row.stack)
    return whole, word_levels(
        *BandwidthRoofs(context).resident_levels(each, cores, row.stack, level)
    )


def source_of(context: Context, row: Result) -> Result:
    """The measured row behind a row named after a level, such as the largest rate there.

    Args:
        row: returned unchanged if it is not derived.
    """
    if not row.derived:
        return row
    place = (row.setup, row.region, row.unit, row.median)
    for one in context.rows:
        same = (one.setup, one.region, one.unit, one.median) == place
        if same and not one.derived and row.point.items() <= one.point.items():
            return one
    return row


def over(context: Context, row: Result) -> Claim | None:
    """Such as `over 124 MiB from memory`; None if unknown."""
    home = resident_set(context, row)
    return None if home is None else OVER.claim(size=exactly(home[0], "B"), home=home[1])
