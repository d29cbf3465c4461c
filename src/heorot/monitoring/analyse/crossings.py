"""Figures of other monitors, compared with those of the samplers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from heorot.monitoring.model import (
    Accounted,
    Crossing,
    Exported,
    JobUse,
    Monitoring,
    NodeLoad,
    binned,
)

# Processes that begin and end between two samples are missed by any sampler.
_ALLOWED_SHARE = 0.10
_ALLOWED_CPU_SECONDS = 2.0
_ALLOWED_CPUS = 0.1
_ALLOWED_BYTES_PER_SECOND = 1e5
_COLUMNS = ("busy", "received", "sent")


def cross_accounts(
    uses: Sequence[JobUse], accounts: Mapping[str, Accounted], source: str
) -> list[Crossing]:
    """CPU time of jobs according to the samplers and to a batch system.

    A batch system that gathers none reports none, or zero for everything.

    Args:
        accounts: of the batch system, by label of the job.
    """
    accounted = {use.job: accounts[use.job].cpu_seconds for use in uses if use.job in accounts}
    if not any(accounted.values()):
        return []
    return [
        _crossing(
            f"processor time of {use.job}",
            use.cpu_seconds,
            seconds,
            source,
            "s",
            _ALLOWED_CPU_SECONDS,
        )
        for use in uses
        if (seconds := accounted.get(use.job)) is not None
    ]


def cross_exporter(
    monitoring: Monitoring, pages: Mapping[str, tuple[Exported, Exported]], source: str
) -> list[Crossing]:
    """Busy CPUs and traffic of nodes between two pages of an exporter.

    Args:
        pages: pages of the exporter of each node, an earlier and a later one.
    """
    found = []
    for node in monitoring.nodes:
        if node.name not in pages:
            continue
        before, after = pages[node.name]
        if before.time is None or after.time is None or after.time <= before.time:
            continue
        seconds = after.time - before.time
        busy = (after.cpu_seconds - before.cpu_seconds) / seconds
        traffic = (after.received + after.sent - before.received - before.sent) / seconds
        ours = {name: _mean(node, name, before.time, after.time) for name in _COLUMNS}
        if not node.contained and not np.isnan(ours["busy"]):  # else it reports the whole computer
            found.append(
                _crossing(
                    f"busy CPUs of {node.name}", ours["busy"], busy, source, "", _ALLOWED_CPUS
                )
            )
        passed = ours["received"] + ours["sent"]
        if not np.isnan(passed):
            what = f"traffic of {node.name}"
            found.append(_crossing(what, passed, traffic, source, "B/s", _ALLOWED_BYTES_PER_SECOND))
    return found


def _mean(node: NodeLoad, column: str, begin: float, end: float) -> float:
    """The mean of a column over an interval; NaN if unknown."""
    edges = np.array([begin, end])
    (mean,) = binned(node.times, node.seconds, getattr(node, column), edges)
    return float(np.maximum(0.0, mean))


def _crossing(
    what: str, ours: float, theirs: float, source: str, unit: str, allowed: float
) -> Crossing:
    close = abs(ours - theirs) <= max(allowed, _ALLOWED_SHARE * max(ours, theirs))
    return Crossing(
        what=what, ours=ours, theirs=max(0.0, theirs), source=source, unit=unit, agrees=close
    )
