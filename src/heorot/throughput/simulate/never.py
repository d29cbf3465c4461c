"""Why jobs never start in a simulation: a line for each reason."""

from __future__ import annotations

import numpy as np

from heorot.throughput.model.timeline import Timeline
from heorot.units import plural


def never_started(timeline: Timeline) -> tuple[str, ...]:
    """Why jobs of a simulation never start, and how many, a line for each reason.

    Args:
        timeline: as `simulate` makes it.
    """
    fates = np.array(timeline.fate_names)[timeline.fates]
    left_out, refused = fates == "cancelled", fates == "rejected"
    large = refused & (timeline.nodes > timeline.n_nodes)
    orphans = refused & ~large & np.isnan(timeline.eligible)
    there = plural(timeline.n_nodes, "node")
    reasons = {
        "no number of processors is known": left_out & (timeline.nodes <= 0),
        "no run time is known": left_out & (timeline.nodes > 0),
        f"larger than the machine of {there} x {timeline.cores_per_node}": large,
        "waits for a job that never starts": orphans,
        "no room on the machine": refused & ~large & ~orphans,
    }
    counts = {reason: int(np.count_nonzero(which)) for reason, which in reasons.items()}
    return tuple(
        f"{plural(n, 'job')} never {'starts' if n == 1 else 'start'}: {reason}"
        for reason, n in counts.items()
        if n
    )
