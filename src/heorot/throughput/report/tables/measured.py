"""Tables of a whole timeline: its measures, its classes of jobs, policies side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.throughput.model.measures import ClassMeasures, DayMeasures
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

_MEASURES: tuple[tuple[str, Callable[[DayMeasures], Cell]], ...] = (
    ("Jobs that ended well", lambda m: whole(m.n_ok)),
    ("Node time held by others", lambda m: share(m.use.others)),
    ("Node time of nodes that took no jobs", lambda m: share(m.use.out)),
    ("Makespan", lambda m: duration(m.use.makespan)),
    ("No schedule is shorter than", lambda m: duration(m.use.bound)),
    ("Efficiency: bound / makespan", lambda m: share(m.use.efficiency)),
    ("ESP efficiency: work / (machine x makespan)", lambda m: share(m.use.esp_efficiency)),
    ("Node time held by jobs", lambda m: share(m.use.utilisation_held)),
    ("Core time of jobs", lambda m: share(m.use.utilisation_cores)),
    ("Core time that jobs held and did not use", lambda m: share(_unused(m))),
    ("Core time in which programs ran", lambda m: share(m.use.utilisation_busy)),
    ("Idle while any job waited", lambda m: share(m.use.loss_any)),
    ("Idle while a job waited that needed no more", lambda m: share(m.use.loss_fitting)),
    ("Wait, mean", lambda m: duration(m.wait.mean if m.wait else None)),
    ("Wait, median", lambda m: duration(m.wait.median if m.wait else None)),
    ("Wait, 95 % less than", lambda m: duration(m.wait.p95 if m.wait else None)),
    ("Wait, longest", lambda m: duration(m.wait.maximum if m.wait else None)),
    ("Bounded slowdown, mean", lambda m: ratio(m.slowdown.mean if m.slowdown else None)),
    ("Bounded slowdown, median", lambda m: ratio(m.slowdown.median if m.slowdown else None)),
    ("Bounded slowdown, 95 % less than", lambda m: ratio(m.slowdown.p95 if m.slowdown else None)),
    ("Bounded slowdown, largest", lambda m: ratio(m.slowdown.maximum if m.slowdown else None)),
    ("Jobs that overtook an earlier one", lambda m: share(m.overtaking_share)),
    ("Pairs in the other order", lambda m: share(m.inversion_share)),
    ("Longest queue", lambda m: whole(int(max(m.queue.values, default=0.0)))),
    ("Pause between jobs of a node, median", lambda m: duration(m.dead.median if m.dead else None)),
)


def _unused(measures: DayMeasures) -> float | None:
    """Cores of nodes that jobs had to themselves and asked no rank for; None if nodes were shared.

    Requests such as three nodes with two ranks each leave cores idle that nobody else can have.
    """
    use = measures.use
    if use.unit != "node" or use.utilisation_held is None or use.utilisation_cores is None:
        return None
    return max(0.0, use.utilisation_held - use.utilisation_cores)


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
        Row((Cell(name), *(make(each) for each in measured.values()))) for name, make in _MEASURES
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
