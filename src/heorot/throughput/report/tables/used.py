"""Tables of the resources that jobs used on their nodes, as monitored."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from heorot.monitoring.model import BusyCpus, Crossing, JobUse, MonitoringStudy
from heorot.report.tables.columns import Field, Fields, lay_out, numbers, plain, text
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.throughput.report.tables.cells import counts, durations
from heorot.units import NOTHING, format_binary, format_quantity

_DIGITS = 3
_T = TypeVar("_T")


def _plain_number(title: str, value: Callable[[_T], float]) -> Field[_T]:
    return numbers(title, lambda one: Cell(f"{value(one):.2f}", value(one)))


def _sizes(title: str, n_bytes: Callable[[_T], float | None]) -> Field[_T]:
    """A column of amounts of memory or data [B]."""

    def cell(one: _T) -> Cell:
        n = n_bytes(one)
        return Cell(NOTHING, tone="muted") if n is None else Cell(format_binary(n, _DIGITS), n)

    return numbers(title, cell, f"{title} [B]")


_BUSY: Fields[BusyCpus] = (
    counts("CPUs", lambda one: one.cpus),
    _plain_number("busy, mean", lambda one: one.mean),
    _plain_number("busy, least", lambda one: one.least),
    _plain_number("busy, most", lambda one: one.most),
    durations("known for", lambda one: one.seconds),
    numbers(
        "CPUs of the samplers",
        lambda one: Cell(format_quantity(one.sampler, digits=2), one.sampler),
    ),
)
_USED: Fields[JobUse] = (
    text("job", lambda one: one.job),
    durations("CPU time", lambda one: one.cpu_seconds),
    _plain_number("busy CPUs", lambda one: one.busy),
    _sizes("peak memory", lambda one: one.peak_memory_bytes),
    _sizes("of one node", lambda one: one.peak_node_bytes),
    counts("processes", lambda one: one.processes),
    _sizes("read", lambda one: one.read_bytes),
    _sizes("written", lambda one: one.written_bytes),
    _sizes("network, exclusive nodes", lambda one: one.network_bytes),
    _sizes("network, shared nodes", lambda one: one.shared_network_bytes),
)
_CROSSED: Fields[Crossing] = (
    text("what", lambda one: one.what),
    text("other source", lambda one: one.source),
    numbers("Heorot", lambda one: Cell(format_quantity(one.ours, one.unit), one.ours)),
    numbers("other", lambda one: Cell(format_quantity(one.theirs, one.unit), one.theirs)),
    numbers(
        "other / Heorot",
        lambda one: Cell(f"{one.theirs / one.ours:.3f}" if one.ours else NOTHING),
    ),
    plain(
        "agree",
        lambda one: Cell("yes" if one.agrees else "no", tone="" if one.agrees else "bad"),
    ),
)


def use_tables(watched: MonitoringStudy, allowance: Allowance) -> list[Table]:
    """Busy CPUs, resources used by each job, and comparison with other monitors."""
    n = len(watched.jobs)
    busy = lay_out([watched.busy] if watched.busy else [], _BUSY)
    used = lay_out(watched.jobs[: allowance.most_needed(n)], _USED)
    crossed = lay_out(watched.crossings, _CROSSED)
    return [
        make_table("busy-cpus", "Busy CPUs", *busy, allowance),
        make_table("used", "Resources used by each job", *used, allowance, n_rows=n),
        make_table("watchers", "Compared with other monitors", *crossed, allowance),
    ]
