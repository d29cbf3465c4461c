"""Which nodes cannot be relied on: silent ones, those that hung, clocks that differ."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.templates.quantities import limit
from heorot.model.analysis.result import Finding
from heorot.monitoring.analyse import templates
from heorot.monitoring.analyse.templates import describe, once
from heorot.monitoring.model import Monitoring, NodeLoad
from heorot.units import format_duration, format_quantity

_CLOCK_SECONDS = 0.1
_GAP_INTERVALS = 5.0
_GAP_SECONDS = 5.0


def find_unreliable(monitoring: Monitoring) -> list[Finding]:
    """Findings about nodes that cannot be relied on, or were not looked at."""
    return [
        *_silence(monitoring),
        *_overtaken(monitoring.nodes),
        *_gaps(monitoring.nodes),
        *_clocks(monitoring.nodes),
        *_steps(monitoring.nodes),
        *_complaints(monitoring.complaints),
    ]


def _silence(monitoring: Monitoring) -> list[Finding]:
    silent = [node for node in monitoring.nodes if node.ending == "silent"]
    last = max((float(node.times[-1]) for node in monitoring.nodes), default=0.0)
    rows = [
        (
            node.name,
            f"{format_duration(last - float(node.times[-1]))} before the last sample of all",
        )
        for node in silent
    ]
    found = describe(templates.SILENT, rows, of=len(monitoring.nodes))
    return found + describe(templates.NOT_WATCHED, [*monitoring.unwatched.items()])


def _overtaken(nodes: Sequence[NodeLoad]) -> list[Finding]:
    """Samplers end by themselves after very long, lest one is left behind for ever."""
    ended = [(node.name,) for node in nodes if node.ending == "time"]
    return describe(templates.OVERTAKEN, ended)


def _gaps(nodes: Sequence[NodeLoad]) -> list[Finding]:
    """Intervals that are far longer than was asked for: whoever hangs takes no samples."""
    rows = []
    for node in nodes:
        allowed = max(_GAP_SECONDS, _GAP_INTERVALS * node.interval_seconds)
        gaps = node.seconds[node.seconds > allowed]
        if len(gaps):
            rows.append((node.name, str(len(gaps)), format_duration(float(gaps.max()))))
    return describe(templates.HUNG, rows)


def _clocks(nodes: Sequence[NodeLoad]) -> list[Finding]:
    rows = []
    for node in nodes:
        offset, error = node.offset_seconds, node.offset_error_seconds
        if offset is not None and abs(offset) - error > _CLOCK_SECONDS:
            ahead = "ahead" if offset > 0 else "behind"
            sure = format_quantity(error, "s")
            rows.append((node.name, f"{format_quantity(abs(offset), 's')} {ahead}", f"± {sure}"))
    return describe(templates.CLOCKS, rows, most=limit(_CLOCK_SECONDS, "s"))


def _steps(nodes: Sequence[NodeLoad]) -> list[Finding]:
    steps = [(name, step) for name, node in once(nodes) for _, step in node.clock_steps]
    rows = [
        (name, f"{format_quantity(abs(step), 's')} {'forward' if step > 0 else 'back'}")
        for name, step in steps
    ]
    return describe(templates.CLOCKS_SET, rows)


def _complaints(complaints: Sequence[str]) -> list[Finding]:
    rows = []
    for complaint in complaints:
        where, _, what = complaint.partition(": ")
        rows.append((where, what))
    return describe(templates.UNREADABLE, rows)
