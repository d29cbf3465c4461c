"""Tables of what is said about a real day: interference, account, projections, responses."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.throughput.model.measures import DayMeasures
from heorot.throughput.model.story import Account, Component, DayStory, Interference, Responses
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
from heorot.units import NOTHING

_ENDS = ("ok", "failed", "timeout", "lost", "skipped", "absent")
_WORDS = {"schedule": "jobs put together anew", "work": "sum of the work"}


def interference_table(
    rows: Sequence[Interference], identifier: str, caption: str, allowance: Allowance
) -> Table:
    """A row for each program, or for each pair of programs that shared nodes."""
    beside = any(each.beside for each in rows)
    columns = [
        *text_columns("program", *(["beside"] if beside else [])),
        *number_columns("runs alone", "runs under load"),
        *number_columns("alone, median", "under load, median", unit="s"),
        *number_columns("ratio"),
        *text_columns("95 % interval"),
        *number_columns("p"),
        *text_columns("beyond chance"),
        *number_columns("largest deviation"),
        *text_columns("of"),
    ]
    made = [
        Row(
            (
                Cell(each.name),
                *([Cell(each.beside)] if beside else []),
                whole(each.n_alone),
                whole(each.n_loaded),
                duration(each.alone),
                duration(each.loaded),
                ratio(each.ratio),
                Cell(_interval(each)),
                _p_value(each.p_value),
                _judged(each),
                share(each.maximum_deviation),
                Cell(each.worst),
            )
        )
        for each in rows
    ]
    return make_table(identifier, caption, columns, made, allowance)


def account_tables(account: Account, allowance: Allowance) -> list[Table]:
    """How jobs ended, how the programs of composite jobs did, and what is missing."""
    fates = [
        Row((Cell(fate, tone="" if fate == "ok" else "bad"), whole(n)))
        for fate, n in account.fates.items()
    ]
    fates.append(Row((Cell("all jobs of the schedule"), whole(account.scheduled))))
    by_hand = [Row((Cell(label), Cell(what))) for label, what in account.interventions]
    expected = number_columns("expected", *_ENDS)
    work = number_columns("missing work, core time", unit="s")
    whose = [*text_columns("job", "what", "fate", "started"), *work, Column("why")]
    counted = [*text_columns("fate"), *number_columns("jobs")]
    programs = [*text_columns("kind", "program"), *expected]
    made = [
        ("fates", "How jobs ended", counted, fates),
        ("parts", "Programs of composite jobs", programs, _part_rows(account)),
        ("missing", "Work that was not done", whose, _missing_rows(account)),
        ("by-hand", "Interventions by hand", text_columns("job", "what"), by_hand),
    ]
    return [make_table(*each, allowance) for each in made if each[3]]


def _part_rows(account: Account) -> list[Row]:
    rows = []
    for each in account.parts:
        counts = {end: each.ends.get(end, 0) for end in _ENDS}
        cells = (whole(n, "bad" if n and end != "ok" else "") for end, n in counts.items())
        rows.append(Row((Cell(each.kind), Cell(each.part), whole(each.expected), *cells)))
    return rows


def _missing_rows(account: Account) -> list[Row]:
    return [
        Row(
            (
                Cell(each.label, target=f"job-{each.serial}"),
                Cell(each.part or "whole job"),
                Cell(each.fate, tone="bad"),
                Cell("yes" if each.started else "no"),
                duration(each.core_seconds),
                Cell(each.why),
            )
        )
        for each in account.missing
    ]


def component_table(story: DayStory, allowance: Allowance) -> Table:
    """What takes how much of the node time, and what if it were faster."""
    faster = {each.name: each for each in story.faster}
    factor = f"{story.faster[0].factor:g} x faster" if story.faster else "faster"
    columns = [
        *text_columns("program"),
        *number_columns("runs"),
        *number_columns("run time, median", "node time", unit="s"),
        *number_columns("share of node time"),
        *number_columns(f"day if {factor}", unit="s"),
        *number_columns("change"),
        *text_columns("projected by"),
    ]

    def row(each: Component) -> Row:
        one = faster.get(each.name)
        return Row(
            (
                Cell(each.name),
                whole(each.n),
                duration(each.seconds),
                duration(each.node_seconds),
                share(each.share, bar=True),
                duration(one.makespan if one else None),
                change(one.change if one else None),
                Cell(_WORDS[one.by] if one else NOTHING),
            )
        )

    rows = [row(each) for each in story.components]
    return make_table("components", "What takes most of the day", columns, rows, allowance)


def order_table(story: DayStory, measures: DayMeasures, allowance: Allowance) -> Table:
    """The same jobs in other orders, with the bound and the real day."""
    real = measures.use.makespan
    every = [("no schedule is shorter", measures.use.bound)]
    every += [(each.name, each.makespan) for each in story.orders] + [("as it was", real)]
    columns = [
        *text_columns("order of list scheduling"),
        *number_columns("makespan", unit="s"),
        *number_columns("against the real day"),
    ]
    rows = [
        Row((Cell(name), duration(t), change(t / real - 1.0 if real else None)))
        for name, t in every
        if story.orders
    ]
    return make_table("orders", "The same jobs in other orders", columns, rows, allowance)


def delay_table(story: DayStory, allowance: Allowance) -> Table:
    """How long the steps of a job's way took."""
    columns = [
        *text_columns("step"),
        *number_columns("jobs"),
        *number_columns("median", "p95", "max", unit="s"),
    ]
    rows = [
        Row((Cell(each.name), whole(each.took.n), *spread(each.took)[1:]))
        for each in story.delays
    ]
    return make_table("delays", "Steps of a job's way", columns, rows, allowance)


def response_table(story: DayStory, allowance: Allowance) -> Table:
    """How fast short commands were answered, on the empty system and beside the load."""
    columns = [
        *text_columns("command", "system"),
        *number_columns("times", "failed"),
        *number_columns("median", unit="s"),
        *text_columns("95 % interval"),
        *number_columns("p95", "p99", "max", unit="s"),
    ]
    rows = [
        Row(
            (
                Cell(each.name),
                Cell("loaded" if each.loaded else "empty"),
                whole(each.n),
                whole(each.n_failed, "bad" if each.n_failed else ""),
                _time(each, "median"),
                Cell(f"{_time(each, 'low').text} to {_time(each, 'high').text}"),
                *(_time(each, name) for name in ("p95", "p99", "maximum")),
            )
        )
        for each in story.responses
    ]
    return make_table("responses", "Response times of short commands", columns, rows, allowance)


def _time(each: Responses, name: str) -> Cell:
    return duration(getattr(each.times, name, None))


def _interval(each: Interference) -> str:
    if each.low is None or each.high is None:
        return "too few runs"
    return f"[{each.low:.2f},\N{NO-BREAK SPACE}{each.high:.2f}]"


def _p_value(value: float | None) -> Cell:
    if value is None:
        return Cell(NOTHING, tone="muted")
    return Cell(f"{value:.2g}" if value >= 1e-4 else "< 0.0001", value)  # noqa: PLR2004 (no more digits)


def _judged(each: Interference) -> Cell:
    if each.p_value is None:
        return Cell(NOTHING, tone="muted")
    if each.significant:
        return Cell(
            "slower" if each.ratio > 1.0 else "faster", tone="bad" if each.ratio > 1 else "good"
        )
    return Cell(f"no: {each.lacks}" if each.lacks else "no", tone="muted")
