"""Tables of a whole timeline: its metrics, its job classes, several policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

import numpy as np

from heorot.report.tables.columns import Fields, lay_out, text
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.throughput.model.measures import ClassMeasures, ThroughputMeasures
from heorot.throughput.model.quantities import QUANTITIES, Form
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.tables.cells import (
    changes,
    counts,
    duration,
    durations,
    ratio,
    ratios,
    share,
    shares,
    spreads,
    whole,
)

# The cell of a quantity, by its format.
_CELLS: dict[Form, Callable[[float | None], Cell]] = {
    "duration": duration,
    "share": share,
    "ratio": ratio,
    "whole": lambda value: ratio(None) if value is None else whole(round(value)),
}


def cell_of(value: float | None, form: Form) -> Cell:
    """A quantity of a test as a cell."""
    return _CELLS[form](value)


def node_table(timeline: Timeline, measures: ThroughputMeasures, allowance: Allowance) -> Table:
    """Time allocated and time idle while the next job waited, by node."""
    names, makespan = timeline.node_names, measures.use.makespan
    n_jobs = np.bincount(timeline.places, minlength=timeline.n_nodes)
    held, dead, others = measures.held_by_node, measures.dead_by_node, measures.others_by_node
    fields: Fields[int] = (
        text("node", lambda i: names[i] if i < len(names) else str(i)),
        counts("jobs", lambda i: int(n_jobs[i])),
        durations("allocated", lambda i: float(held[i])),
        durations("gaps while the next job waited", lambda i: float(dead[i])),
        shares("utilisation", lambda i: held[i] / makespan if makespan else None, bar=True),
        durations("allocated to other users", lambda i: float(others[i])) if others.size else None,
    )
    laid = lay_out(range(allowance.most_needed(held.size)), fields)
    return make_table("by-node", "By node", *laid, allowance, n_rows=held.size)


def measure_table(
    measured: Mapping[str, ThroughputMeasures], caption: str, identifier: str
) -> Table:
    """A row for each metric and a column for each timeline."""
    columns = [Column("metric"), *(Column(name, numeric=True) for name in measured)]
    rows = [
        Row((Cell(one.name), *(cell_of(one.of(each), one.form) for each in measured.values())))
        for one in QUANTITIES
    ]
    return Table(identifier, caption, tuple(columns), tuple(rows), n_rows=len(rows), prominent=True)


def gap_table(real: ThroughputMeasures, policies: Mapping[str, ThroughputMeasures]) -> Table | None:
    """The measured schedule and simulated ones with the measured run times."""
    if not policies:
        return None
    makespan = real.use.makespan
    fields: Fields[tuple[str, ThroughputMeasures]] = (
        text("schedule", lambda one: one[0]),
        durations("makespan", lambda one: one[1].use.makespan),
        changes(
            "change from measured",
            lambda one: one[1].use.makespan / makespan - 1.0 if makespan else None,
        ),
        durations("mean queue wait", lambda one: getattr(one[1].wait, "mean", None)),
        durations("median queue wait", lambda one: getattr(one[1].wait, "median", None)),
        ratios("mean bounded slowdown", lambda one: getattr(one[1].slowdown, "mean", None)),
        shares("node utilisation", lambda one: one[1].use.utilisation_held),
        shares("idle while jobs waited", lambda one: one[1].use.loss_any),
    )
    columns, rows = lay_out({"measured": real, **policies}.items(), fields)
    caption = "Measured, and simulated with the measured run times"
    return Table("policies", caption, tuple(columns), tuple(rows), n_rows=len(rows))


def class_table(
    classes: Sequence[ClassMeasures], caption: str, identifier: str, allowance: Allowance
) -> Table:
    """A row for each job class."""
    total = sum(each.core_seconds for each in classes)
    fields: Fields[ClassMeasures] = (
        text("class", lambda one: one.name.replace(" ", "\N{NO-BREAK SPACE}")),
        counts("jobs", lambda one: one.n_jobs),
        counts("completed", lambda one: one.n_ok, lambda one: one.n_ok != one.n_jobs),
        *spreads("queue wait", attrgetter("wait")),
        durations("run time, median", lambda one: one.run.median if one.run else None),
        *spreads("slowdown", attrgetter("slowdown"), plain=True, ends={"median": "median"}),
        shares("share of core time", lambda one: one.core_seconds / total if total else None),
    )
    return make_table(identifier, caption, *lay_out(classes, fields), allowance)


def rate_table(measures: ThroughputMeasures, allowance: Allowance) -> Table:
    """Submissions, starts and ends by interval."""
    rates = measures.rates
    fields: Fields[int] = (
        durations("from", lambda i: float(rates.begins[i])),
        counts("submitted", lambda i: int(rates.submitted[i])),
        counts("started", lambda i: int(rates.started[i])),
        counts("ended", lambda i: int(rates.ended[i])),
    )
    caption = f"Jobs by intervals of {duration(rates.width).text}"
    laid = lay_out(range(rates.begins.size), fields)
    return make_table("rates", caption, *laid, allowance, folded=True)
