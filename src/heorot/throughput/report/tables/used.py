"""Tables of what jobs used of their nodes, as the samplers there saw it."""

from __future__ import annotations

from heorot.monitoring.model import BusyCpus, MonitoringStudy
from heorot.report.tables.table import Allowance, Cell, Row, Table, make_table
from heorot.throughput.report.tables.day_cells import duration, number_columns, text_columns, whole
from heorot.units import NOTHING, format_binary, format_quantity

_DIGITS = 3


def use_tables(watched: MonitoringStudy, allowance: Allowance) -> list[Table]:
    """Busy CPUs of the day, what each job used, and how that agrees with other watchers.

    Args:
        allowance: how many rows may still be packed; is reduced.
    """
    busy = [_busy_row(watched.busy)] if watched.busy else []
    columns = [
        *number_columns("CPUs", "busy, mean", "busy, least", "busy, most"),
        *number_columns("known for", unit="s"),
        *number_columns("CPUs of the samplers"),
    ]
    made = [make_table("busy-cpus", "CPUs that worked", columns, busy, allowance)] if busy else []
    return [*made, _job_table(watched, allowance), _crossing_table(watched, allowance)]


def _busy_row(busy: BusyCpus) -> Row:
    shown = (Cell(f"{x:.2f}", x) for x in (busy.mean, busy.least, busy.most))
    return Row(
        (
            whole(busy.cpus),
            *shown,
            duration(busy.seconds),
            Cell(format_quantity(busy.sampler, digits=2), busy.sampler),
        )
    )


def _job_table(watched: MonitoringStudy, allowance: Allowance) -> Table:
    columns = [
        *text_columns("job"),
        *number_columns("CPU time", unit="s"),
        *number_columns("busy CPUs"),
        *number_columns("peak memory", "of one node", unit="B"),
        *number_columns("processes"),
        *number_columns("read", "written", "network alone", "network beside others", unit="B"),
    ]
    rows = [
        Row(
            (
                Cell(each.job),
                duration(each.cpu_seconds),
                Cell(f"{each.busy:.2f}", each.busy),
                _size(each.peak_memory_bytes),
                _size(each.peak_node_bytes),
                whole(each.processes),
                *map(_size, (each.read_bytes, each.written_bytes, each.network_bytes)),
                _size(each.shared_network_bytes),
            )
        )
        for each in watched.jobs[: allowance.most_needed(len(watched.jobs))]
    ]
    n = len(watched.jobs)
    return make_table("used", "What each job used", columns, rows, allowance, n_rows=n)


def _crossing_table(watched: MonitoringStudy, allowance: Allowance) -> Table:
    columns = [
        *text_columns("what", "other watcher"),
        *number_columns("samplers", "other", "other / samplers"),
        *text_columns("agree"),
    ]
    rows = [
        Row(
            (
                Cell(each.what),
                Cell(each.source),
                Cell(format_quantity(each.ours, each.unit), each.ours),
                Cell(format_quantity(each.theirs, each.unit), each.theirs),
                Cell(f"{each.theirs / each.ours:.3f}" if each.ours else NOTHING),
                Cell("yes" if each.agrees else "no", tone="" if each.agrees else "bad"),
            )
        )
        for each in watched.crossings
    ]
    return make_table("watchers", "Against other watchers", columns, rows, allowance)


def _size(n_bytes: float | None) -> Cell:
    if n_bytes is None:
        return Cell(NOTHING, tone="muted")
    return Cell(format_binary(n_bytes, _DIGITS), n_bytes)
