"""Unreliable nodes: silent ones, those that hung, clocks that differ."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.templates.quantities import limit
from heorot.model.analysis.result import Finding
from heorot.monitoring.analyse import templates
from heorot.monitoring.analyse.templates import Row, describe, once, rows_of
from heorot.monitoring.model import Monitoring, NodeLoad
from heorot.units import format_duration, format_quantity

_CLOCK_SECONDS = 0.1
_GAP_INTERVALS = 5.0
_GAP_SECONDS = 5.0


def find_unreliable(monitoring: Monitoring) -> list[Finding]:
    """Findings about nodes that are unreliable, or were not monitored."""
    nodes = [(node.name, node) for node in monitoring.nodes]
    return [
        *_silence(monitoring),
        *describe(templates.OVERTAKEN, rows_of(nodes, _overtaken)),
        *describe(templates.HUNG, rows_of(nodes, _gaps)),
        *describe(templates.CLOCKS, rows_of(nodes, _clock), most=limit(_CLOCK_SECONDS, "s")),
        *_steps(monitoring.nodes),
        *_complaints(monitoring.complaints),
    ]


def _silence(monitoring: Monitoring) -> list[Finding]:
    nodes = monitoring.nodes
    last = max((float(node.times[-1]) for node in nodes), default=0.0)
    ended = [(node.name, last - float(node.times[-1])) for node in nodes if node.ending == "silent"]
    rows = [
        (name, f"{format_duration(before)} before the last sample of all") for name, before in ended
    ]
    found = describe(templates.SILENT, rows, of=len(nodes))
    return found + describe(templates.NOT_WATCHED, [*monitoring.unwatched.items()])


def _overtaken(node: NodeLoad) -> Row | None:
    """Samplers end after a long time limit, so that none is left behind."""
    return () if node.ending == "time" else None


def _gaps(node: NodeLoad) -> Row | None:
    """Intervals far longer than the requested ones: a node that hangs takes no samples."""
    allowed = max(_GAP_SECONDS, _GAP_INTERVALS * node.interval_seconds)
    gaps = node.seconds[node.seconds > allowed]
    return (str(len(gaps)), format_duration(float(gaps.max()))) if len(gaps) else None


def _clock(node: NodeLoad) -> Row | None:
    offset, error = node.offset_seconds, node.offset_error_seconds
    if offset is None or abs(offset) - error <= _CLOCK_SECONDS:
        return None
    ahead = "ahead" if offset > 0 else "behind"
    return f"{format_quantity(abs(offset), 's')} {ahead}", f"± {format_quantity(error, 's')}"


def _steps(nodes: Sequence[NodeLoad]) -> list[Finding]:
    steps = [(name, step) for name, node in once(nodes) for _, step in node.clock_steps]
    rows = [
        (name, f"{format_quantity(abs(step), 's')} {'forward' if step > 0 else 'back'}")
        for name, step in steps
    ]
    return describe(templates.CLOCKS_SET, rows)


def _complaints(complaints: Sequence[str]) -> list[Finding]:
    parts = (complaint.partition(": ") for complaint in complaints)
    return describe(templates.UNREADABLE, [(where, what) for where, _, what in parts])
