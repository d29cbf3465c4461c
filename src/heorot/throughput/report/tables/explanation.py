"""Tables of a real throughput test: contention, final states, projections, response times."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from heorot.report.tables.columns import Field, Fields, lay_out, numbers, plain, text
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.throughput.model.explanation import (
    Account,
    Component,
    Delay,
    Interference,
    Missing,
    PartAccount,
    Responses,
    ThroughputExplanation,
)
from heorot.throughput.model.measures import ThroughputMeasures
from heorot.throughput.report.tables.cells import (
    changes,
    counts,
    duration,
    durations,
    ratios,
    share,
    shares,
    spreads,
    word_state,
)
from heorot.units import NOTHING

_ENDS = ("ok", "failed", "timeout", "lost", "skipped", "absent")
_MOST = {"median": "median", "p95": "p95", "max": "maximum"}
_ALL = "all jobs of the schedule"
_WORDS = {"schedule": "list scheduling", "work": "sum of the work"}


def interference_table(
    rows: Sequence[Interference], identifier: str, caption: str, allowance: Allowance
) -> Table:
    """A row for each program, or for each pair of programs that shared nodes."""
    fields: Fields[Interference] = (
        text("program", lambda one: one.name),
        text("co-located", lambda one: one.co_located)
        if any(one.co_located for one in rows)
        else None,
        numbers("runs: load, dedicated", _runs, "runs under load\truns dedicated"),
        durations("under load, median", lambda one: one.loaded),
        durations("dedicated, median", lambda one: one.alone),
        ratios("ratio", lambda one: one.ratio),
        text("95 % interval", _interval),
        numbers("p", lambda one: _p_value(one.p_value)),
        plain("significant", _judged),
        numbers("largest deviation", _largest),
    )
    return make_table(identifier, caption, *lay_out(rows, fields), allowance)


def _runs(one: Interference) -> Cell:
    n_loaded, n_alone = one.n_loaded, one.n_alone
    return Cell(f"{n_loaded}, {n_alone}", n_loaded, copied=f"{n_loaded}\t{n_alone}")


def _largest(one: Interference) -> Cell:
    """The run with the largest deviation from the dedicated median, with its job."""
    cell = share(one.maximum_deviation)
    return Cell(f"{cell.text} ({one.worst})", cell.number)


def _ended_so(end: str) -> Field[PartAccount]:
    """The number of programs with a final state."""
    return counts(
        word_state(end),
        lambda one: one.ends.get(end, 0),
        lambda one: end != "ok" and one.ends.get(end, 0) > 0,
    )


_STATES: Fields[tuple[str, int]] = (
    plain(
        "final state",
        lambda one: Cell(word_state(one[0]), tone="" if one[0] in {"ok", _ALL} else "bad"),
    ),
    counts("jobs", lambda one: one[1]),
)
_PARTS: Fields[PartAccount] = (
    text("job class", lambda one: one.kind),
    text("program", lambda one: one.part),
    counts("expected", lambda one: one.expected),
    *map(_ended_so, _ENDS),
)
_MISSING: Fields[Missing] = (
    plain("job", lambda one: Cell(one.label, target=f"job-{one.serial}")),
    text("what", lambda one: one.part or "whole job"),
    text("final state", lambda one: word_state(one.state), tone="bad"),
    text("started", lambda one: "yes" if one.started else "no"),
    durations("missing work, core time", lambda one: one.core_seconds),
    text("why", lambda one: one.why),
)


def account_tables(account: Account, allowance: Allowance) -> list[Table]:
    """Final states of jobs and of the programs of composite jobs, and missing work."""
    states = [*account.states.items(), (_ALL, account.scheduled)]
    made = [
        ("fates", "Jobs by final state", *lay_out(states, _STATES)),
        ("parts", "Programs of composite jobs", *lay_out(account.parts, _PARTS)),
        ("missing", "Missing work", *lay_out(account.missing, _MISSING)),
    ]
    return [make_table(*each, allowance) for each in made if each[3]]


def component_table(explanation: ThroughputExplanation, allowance: Allowance) -> Table:
    """Node time by program, and the makespan projected for faster ones."""
    faster = {each.name: each for each in explanation.faster}
    factor = f"{explanation.faster[0].factor:g} x faster" if explanation.faster else "faster"
    fields: Fields[Component] = (
        text("program", lambda one: one.name),
        counts("runs", lambda one: one.n),
        durations("run time, median", lambda one: one.seconds),
        durations("node time", lambda one: one.node_seconds),
        shares("share of node time", lambda one: one.share, bar=True),
        durations(
            f"makespan if {factor}", lambda one: getattr(faster.get(one.name), "makespan", None)
        ),
        changes("change", lambda one: getattr(faster.get(one.name), "change", None)),
        text(
            "projected by",
            lambda one: _WORDS[faster[one.name].by] if one.name in faster else NOTHING,
        ),
    )
    caption = "Node time by program"
    return make_table("components", caption, *lay_out(explanation.components, fields), allowance)


def order_table(
    explanation: ThroughputExplanation, measures: ThroughputMeasures, allowance: Allowance
) -> Table:
    """The same jobs in other orders, with the lower bound and the measured makespan."""
    real = measures.use.makespan
    every = [("lower bound", measures.use.bound)]
    every += [(each.name, each.makespan) for each in explanation.orders] + [("measured", real)]
    fields: Fields[tuple[str, float]] = (
        text("order of list scheduling", lambda one: one[0]),
        durations("makespan", lambda one: one[1]),
        changes("change from measured", lambda one: one[1] / real - 1.0 if real else None),
    )
    laid = lay_out(every if explanation.orders else (), fields)
    return make_table("orders", "The same jobs in other orders", *laid, allowance)


def delay_table(explanation: ThroughputExplanation, allowance: Allowance) -> Table:
    """Durations of the steps of jobs."""
    fields: Fields[Delay] = (
        text("step", lambda one: one.name),
        counts("jobs", lambda one: one.took.n),
        *spreads("", attrgetter("took"), ends=_MOST),
    )
    return make_table("delays", "Steps of a job", *lay_out(explanation.delays, fields), allowance)


def response_table(explanation: ThroughputExplanation, allowance: Allowance) -> Table:
    """Response times of short commands, on the empty system and under load."""
    fields: Fields[Responses] = (
        text("command", lambda one: one.name),
        text("system", lambda one: "under load" if one.loaded else "empty"),
        counts("samples", lambda one: one.n),
        counts("failed", lambda one: one.n_failed, lambda one: one.n_failed > 0),
        *spreads("", attrgetter("times"), ends={"median": "median"}),
        text("95 % interval", _median_interval),
        *spreads("", attrgetter("times"), ends={"p95": "p95", "p99": "p99", "max": "maximum"}),
    )
    caption = "Response times of interactive commands"
    return make_table("responses", caption, *lay_out(explanation.responses, fields), allowance)


def _median_interval(one: Responses) -> str:
    low, high = (duration(getattr(one.times, end, None)).text for end in ("low", "high"))
    return f"{low} to {high}"


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
        slower = each.ratio > 1.0
        return Cell("slower" if slower else "faster", tone="bad" if slower else "good")
    return Cell(f"no: {each.lacks}" if each.lacks else "no", tone="muted")
