"""Tables of a whole timeline: its measures, its classes of jobs, policies side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.throughput.model.measures import ClassMeasures, DayMeasures
from heorot.throughput.model.quantities import QUANTITIES, Form
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.tables.day_cells import (
    change,
    duration,
    number_columns,
    ratio,
    share,
    spread,
    text_columns,
    whole,
)

# How each number of a test is shown.
_CELLS: dict[Form, Callable[[float | None], Cell]] = {
    "duration": duration,
    "share": share,
    "ratio": ratio,
    "whole": lambda value: ratio(None) if value is None else whole(round(value)),
}


def cell_of(value: float | None, form: Form) -> Cell:
    """A number of a test as a cell."""
    return _CELLS[form](value)


def node_table(timeline: Timeline, measures: DayMeasures, allowance: Allowance) -> Table:
    """For how long each node had jobs, ours and others', and paused while the next one waited."""
    makespan = measures.use.makespan
    columns = [
        *text_columns("node"),
        *number_columns("jobs"),
        *number_columns("held", "pauses while the next job waited", unit="s"),
        *number_columns("held, share"),
        *(number_columns("held by others", unit="s") if measures.others_by_node.size else ()),
    ]
    n_jobs = np.bincount(timeline.places, minlength=timeline.n_nodes)
    rows = []
    for i in range(allowance.most_needed(measures.held_by_node.size)):
        name = timeline.node_names[i] if i < len(timeline.node_names) else str(i)
        held, dead = float(measures.held_by_node[i]), float(measures.dead_by_node[i])
        part = share(held / makespan if makespan else None, bar=True)
        others = [duration(float(x)) for x in measures.others_by_node[i : i + 1]]
        cells = (Cell(name), whole(int(n_jobs[i])), duration(held), duration(dead), part, *others)
        rows.append(Row(cells))
    n = measures.held_by_node.size
    return make_table("by-node", "By node", columns, rows, allowance, n_rows=n)


def measure_table(measured: Mapping[str, DayMeasures], caption: str, identifier: str) -> Table:
    """A row for each measure and a column for each timeline.

    Args:
        measured: by name of the timeline.
    """
    columns = [*text_columns("measure"), *(Column(name, numeric=True) for name in measured)]
    rows = [
        Row((Cell(one.name), *(cell_of(one.of(each), one.form) for each in measured.values())))
        for one in QUANTITIES
    ]
    return Table(identifier, caption, tuple(columns), tuple(rows), n_rows=len(rows), prominent=True)


def gap_table(real: DayMeasures, policies: Mapping[str, DayMeasures]) -> Table | None:
    """How far the real day is from simulated ones, with the measured run times."""
    if not policies:
        return None
    columns = [
        *text_columns("schedule"),
        *number_columns("makespan", unit="s"),
        *number_columns("against the real day"),
        *number_columns("mean wait", "median wait", unit="s"),
        *number_columns("mean bounded slowdown", "held", "idle while one waited"),
    ]
    rows = [
        Row(
            (
                Cell(name),
                duration(each.use.makespan),
                change(each.use.makespan / real.use.makespan - 1.0 if real.use.makespan else None),
                duration(each.wait.mean if each.wait else None),
                duration(each.wait.median if each.wait else None),
                ratio(each.slowdown.mean if each.slowdown else None),
                share(each.use.utilisation_held),
                share(each.use.loss_any),
            )
        )
        for name, each in {"as it was": real, **policies}.items()
    ]
    return Table(
        "policies",
        "The real day and simulations of its jobs with their measured run times",
        tuple(columns),
        tuple(rows),
        n_rows=len(rows),
    )


def class_table(
    classes: Sequence[ClassMeasures], caption: str, identifier: str, allowance: Allowance
) -> Table:
    """A row for each class of jobs."""
    heads = ("mean", "median", "p95", "max")
    columns = [
        *text_columns("jobs"),
        *number_columns("number", "ended well"),
        *number_columns(*(f"wait {head}" for head in heads), unit="s"),
        *number_columns("run median", unit="s"),
        *number_columns(*(f"slowdown {head}" for head in heads)),
        *number_columns("share of core time"),
    ]
    total = sum(each.core_seconds for each in classes)
    rows = [
        Row(
            (
                Cell(each.name.replace(" ", "\N{NO-BREAK SPACE}")),
                whole(each.n_jobs),
                whole(each.n_ok, "" if each.n_ok == each.n_jobs else "bad"),
                *spread(each.wait),
                duration(each.run.median if each.run else None),
                *spread(each.slowdown, plain=True),
                share(each.core_seconds / total if total else None),
            )
        )
        for each in classes
    ]
    return make_table(identifier, caption, columns, rows, allowance)


def rate_table(measures: DayMeasures, allowance: Allowance) -> Table:
    """Submissions, starts and ends by interval."""
    rates = measures.rates
    columns = [
        *number_columns("from", unit="s"),
        *number_columns("submitted", "started", "ended"),
    ]
    counted = zip(rates.begins, rates.submitted, rates.started, rates.ended, strict=True)
    rows = [
        Row((duration(float(begin)), *(whole(int(x)) for x in counts)))
        for begin, *counts in counted
    ]
    caption = f"Jobs by intervals of {duration(rates.width).text}"
    return make_table("rates", caption, columns, rows, allowance, folded=True)
