"""Tables of several systems: a column for each, in the order of their letters."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from heorot.model.analysis.comparison import ComparedGroup, ComparedMetric, MetricVerdict
from heorot.model.analysis.studies.networks import Measured, MeasuredNetwork
from heorot.model.analysis.studies.systems import (
    Advantage,
    Fact,
    SideBySide,
    SystemRow,
    letter_of,
)
from heorot.model.machine.site import SiteNetwork
from heorot.report.systems.words import network_words, problem_words, word_count
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import split_interval, word_name, word_point
from heorot.units import NOTHING, format_ratio

_TONES: dict[MetricVerdict, str] = {
    "better": "good",
    "worse": "bad",
    "indistinguishable": "muted",
    "untested": "warn",
}
_LINE, _TALLY = 24, 17
_NONE = Cell(NOTHING, tone="muted")


def group_table(side: SideBySide, allowance: Allowance) -> Table:
    """Programs, families and bounds: the ratio of every further system to the first."""
    rows = [
        Row((Cell(group.name), Cell(group.bound), *map(_group_cell, group.others)))
        for group in side.groups
    ]
    tallies = (
        Cell("\n".join(line for each in one.verdicts for line in wrap(one.tally(each), _TALLY)))
        for one in side.comparisons
    )
    rows.append(Row((Cell("all metrics"), Cell(""), *tallies)))
    titles = [*map(Column, ("program, family or bound", "bound")), *_numeric(side, 1)]
    caption = "Ratios to A: geometric means with 95 % intervals; more than 1 is better"
    return make_table("groups", caption, titles, rows, allowance, prominent=True)


def metric_table(side: SideBySide, allowance: Allowance) -> Table:
    """Every number of the first system that another has, too."""
    rows = [_metric_row(row) for row in side.rows]

    def largest(most: int) -> list[Row]:
        known = zip(side.rows, rows, strict=True)
        return [shown for _, shown in sorted(known, key=lambda pair: not pair[0].differs)][:most]

    titles = [*map(Column, ("program", "quantity", "where")), *_numeric(side, 0)]
    return make_table(
        "metrics-of-all",
        "All metrics: medians with intervals, and ratios to A",
        titles,
        rows,
        allowance,
        excerpt=largest,
        chosen="those first in which a system differs from A",
    )


def advantage_table(side: SideBySide, allowance: Allowance) -> Table:
    """The advantage over the first system by the number of cores."""
    fields: columns.Fields[Advantage] = (
        columns.text("program", lambda one: one.benchmark),
        columns.text("problem", lambda one: ", ".join([*problem_words(one), one.way])),
        columns.text("system", lambda one: letter_of(one.other)),
        columns.text("leader by number of cores", _word_counts),
        columns.text("trend", _word_trend),
    )
    caption = "Lead on each number of cores, with 95 % interval and launches"
    laid = columns.lay_out(side.advantages, fields)
    return make_table("advantages-by-cores", caption, *laid, allowance)


def fact_table(
    identifier: str, caption: str, facts: Sequence[Fact], side: SideBySide, allowance: Allowance
) -> Table:
    """What systems differ in, or what is unknown of some."""
    rows = [
        Row(
            (
                Cell(fact.what),
                *(Cell(value, tone="" if fact.differs else "muted") for value in fact.values),
                Cell(", ".join(fact.touches) or NOTHING),
            )
        )
        for fact in facts
    ]
    letters = (letter_of(number) for number in range(len(side.systems)))
    titles = [*map(Column, ("fact", *letters, "may touch"))]
    return make_table(identifier, caption, titles, rows, allowance, prominent=True)


def network_table(side: SideBySide, allowance: Allowance) -> Table:
    """The networks of all systems: as sites describe them, and as messages found them."""
    found: list[tuple[str, MeasuredNetwork, SiteNetwork]] = []
    for number, system in enumerate(side.systems):
        sites = {each.name: each for each in system.networks}
        for one in system.measured:
            site = sites.get(one.quoted.name) or SiteNetwork(name=one.quoted.name)
            found.append((letter_of(number), one, site))
    rows = [
        Row(
            (
                Cell(letter),
                Cell(one.quoted.name),
                columns.quantity_cell(site.rate_bits, "bit/s"),
                _found(one.rate, "B/s"),
                columns.quantity_cell(one.share, "%"),
                columns.quantity_cell(site.latency_seconds, "s"),
                _found(one.latency, "s"),
                *map(Cell, network_words(site)[2:]),
            )
        )
        for letter, one, site in found
    ]
    titles = [
        *map(Column, ("system", "network")),
        *(
            Column(name, numeric=True)
            for name in (
                *("quoted rate", "measured rate", "of the quoted"),
                *("quoted latency", "measured latency"),
            )
        ),
        *map(Column, ("use", "topology")),
    ]
    caption = "Networks between nodes: quoted by site files, and measured by messages"
    return make_table("networks-of-all", caption, titles, rows, allowance)


def _found(one: Measured | None, unit: str) -> Cell:
    """A measured value with its interval."""
    if one is None:
        return _NONE
    text = _value(one.median, one.ci_low, one.ci_high, unit, one.n_launches)
    return Cell(text, one.median)


def _numeric(side: SideBySide, first: int) -> list[Column]:
    """A column of numbers for each system from one on."""
    return [Column(letter_of(number), numeric=True) for number in range(first, len(side.systems))]


def _group_cell(group: ComparedGroup | None) -> Cell:
    if group is None:
        return _NONE
    ratio, low, high = map(format_ratio, (group.geometric_mean_ratio, group.low, group.high))
    marked = group.judgement if group.judgement != group.verdict else ""
    text = "\n".join((ratio, f"[{low}, {high}]", *_wrapped(marked)))
    return Cell(text, group.geometric_mean_ratio, _TONES[group.verdict])


def _metric_row(row: SystemRow) -> Row:
    one = row.any
    where = ", ".join(filter(None, (word_point(row.point), row.setup.layout)))
    own = _value(one.a_median, one.a_low, one.a_high, one.unit, one.a_launches)
    cells = (
        Cell(row.benchmark),
        Cell(f"{word_name(row.region)}, {word_name(row.metric)}"),
        Cell(where),
        Cell(own, one.a_median),
        *map(_metric_cell, row.others),
    )
    return Row(cells)


def _metric_cell(metric: ComparedMetric | None) -> Cell:
    if metric is None:
        return _NONE
    value = _value(metric.b_median, metric.b_low, metric.b_high, metric.unit, metric.b_launches)
    ends = f" [{', '.join(map(format_ratio, metric.ends))}]" if metric.ends else ""
    lines = [value, f"{format_ratio(metric.ratio)}{ends}"]
    layout = f"as {metric.other.setup.layout}" if "layout" in metric.differs else ""
    differs = ", ".join(each for each in metric.differs if each != "layout")
    marked = metric.judgement if metric.judgement != metric.verdict else ""
    lines += (line for each in (marked, layout, differs) for line in _wrapped(each))
    return Cell("\n".join(lines), metric.b_median, _TONES[metric.verdict])


def _value(median: float, low: float | None, high: float | None, unit: str, launches: int) -> str:
    value, interval = split_interval(median, low, high, unit, launches or None)
    return f"{value}\n{'interval unknown' if low is None else interval}"


def _wrapped(text: str) -> list[str]:
    """A text in lines that leave room for other columns."""
    return wrap(text, _LINE)


def _word_counts(one: Advantage) -> str:
    return "\n".join(word_count(each, one.other) for each in one.counts)


def _word_trend(one: Advantage) -> str:
    words = {
        "grows": "grows",
        "shrinks": "shrinks",
        "turns": "reverses",
        "unclear": "not significant",
    }
    since = f", first on {one.since} cores" if one.since and one.trend != "unclear" else ""
    return f"{words[one.trend]}{since}"
