"""Prints several systems: a column for each, and their differences."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.table import Table
from rich.text import Text

from heorot.cli.terminal.tables import COLOURS, console, print_table, value_text
from heorot.model.analysis.comparison import (
    WHYS,
    ComparedGroup,
    ComparedMetric,
    MetricVerdict,
    word_places,
)
from heorot.model.analysis.result import Sentence
from heorot.model.analysis.studies.systems import (
    Advantage,
    Fact,
    SideBySide,
    SystemRow,
    letter_of,
)
from heorot.printable import printable
from heorot.report.systems.words import network_words, word_count
from heorot.report.wording import word_name, word_point
from heorot.units import NOTHING, format_ratio


def print_systems(side: SideBySide, everything: bool) -> None:
    """Print the systems, the conclusions, then the tables.

    Args:
        everything: whether rows without a difference are listed, too.
    """
    for number, system in enumerate(side.systems):
        base = ", which the others are compared with" if number == 0 else ""
        click.echo(printable(f"{letter_of(number)}  {system.name} ({system.machine}){base}"))
        for line in system.remarks:
            click.echo(f"   {printable(line)}")
    for line in side.disagreements:
        console().print(Text(printable(line), "red"))
    print_sentences(side.sentences)
    click.echo("ratio > 1: better than A\n")
    letters = [letter_of(number) for number in range(1, len(side.systems))]
    _print_groups(side, letters)
    print_beside(side)
    _print_rows(side, letters, everything)
    _print_uncompared(side)


def print_sentences(sentences: Sequence[Sentence]) -> None:
    """Print the conclusions, a line for each."""
    click.echo()
    for sentence in sentences:
        click.echo(printable(sentence.text))
    click.echo()


def print_beside(side: SideBySide) -> None:
    """Print differences other than results: the gap over cores, machines, builds, networks."""
    if side.advantages:
        _print_advantages(side.advantages)
    _print_facts("differences of the machines", side.facts, len(side.systems))
    _print_facts("differences of the builds", side.builds, len(side.systems))
    _print_networks(side)


def _print_groups(side: SideBySide, letters: Sequence[str]) -> None:
    if not side.groups:
        return
    table = Table(box=None, pad_edge=False)
    for name in ("program, family or bound", "bound", *letters):
        table.add_column(name)
    for row in side.groups:
        table.add_row(row.name, row.bound, *map(_group_text, row.others))
    print_table(table)


def _group_text(group: ComparedGroup | None) -> Text:
    if group is None:
        return Text(NOTHING, "dim")
    ratio, low, high = map(format_ratio, (group.geometric_mean_ratio, group.low, group.high))
    return Text(f"{ratio} [{low}, {high}] {group.judgement}", COLOURS[group.verdict])


def _print_advantages(advantages: Sequence[Advantage]) -> None:
    click.echo("\nadvantage by cores")
    table = Table(box=None, pad_edge=False)
    for name in (
        "program",
        "region",
        "point",
        "way",
        "system",
        "leader by cores",
        "gap",
    ):
        table.add_column(name)
    for one in advantages:
        table.add_row(
            one.benchmark,
            word_name(one.region),
            word_point(one.point),
            one.way,
            letter_of(one.other),
            "; ".join(word_count(each, one.other) for each in one.counts),
            f"{one.trend} from {one.since} cores" if one.since else one.trend,
        )
    print_table(table)


def _print_facts(title: str, facts: Sequence[Fact], n_systems: int) -> None:
    if not facts:
        return
    click.echo(f"\n{title}")
    table = Table(box=None, pad_edge=False)
    for name in ("fact", *map(letter_of, range(n_systems)), "may affect"):
        table.add_column(name)
    for fact in facts:
        values = [Text(printable(value)) for value in fact.values]
        table.add_row(Text(printable(fact.what)), *values, ", ".join(fact.touches) or NOTHING)
    print_table(table)


def _print_networks(side: SideBySide) -> None:
    networks = [
        (letter_of(number), network)
        for number, system in enumerate(side.systems)
        for network in system.networks
    ]
    if not networks:
        return
    click.echo("\nnetworks, according to the site files")
    table = Table(box=None, pad_edge=False)
    for name in ("system", "network", "rate", "latency", "use", "topology"):
        table.add_column(name)
    for letter, network in networks:
        cells = (network.name, *network_words(network))
        table.add_row(letter, *(Text(printable(cell)) for cell in cells))
    print_table(table)


def _print_rows(side: SideBySide, letters: Sequence[str], everything: bool) -> None:
    shown = [row for row in side.rows if everything or row.differs]
    if not shown:
        return
    click.echo("\nmetrics")
    table = Table(box=None, pad_edge=False)
    for name in ("benchmark", "region", "point", "metric", "A", *letters):
        table.add_column(name)
    for row in shown:
        table.add_row(
            f"{row.benchmark} {row.setup.layout}",
            word_name(row.region),
            word_point(row.point),
            word_name(row.metric),
            _base_text(row),
            *map(_metric_text, row.others),
        )
    print_table(table)


def _base_text(row: SystemRow) -> str:
    one = row.any
    return value_text(one.a_median, one.a_low, one.a_high, one.unit, one.a_launches)


def _metric_text(metric: ComparedMetric | None) -> Text:
    if metric is None:
        return Text(NOTHING, "dim")
    value = value_text(metric.b_median, metric.b_low, metric.b_high, metric.unit, metric.b_launches)
    ends = "" if metric.ends is None else f" [{', '.join(map(format_ratio, metric.ends))}]"
    layout = metric.other.setup.layout if "layout" in metric.differs else ""
    differs = [each for each in metric.differs if each != "layout"]
    words = (metric.judgement, f"as {layout}" if layout else "", ", ".join(differs))
    text = f"{value}, ratio {format_ratio(metric.ratio)}{ends}: {'; '.join(filter(None, words))}"
    return Text(printable(text), COLOURS[metric.verdict])


def _print_uncompared(side: SideBySide) -> None:
    """Print the numbers of rows of each pair that were not compared, and their places."""
    click.echo()
    out = console()
    verdicts: tuple[MetricVerdict, ...] = ("better", "worse", "indistinguishable", "untested")
    for number, one in enumerate(side.comparisons, start=1):
        tallies = ", ".join(one.tally(each) for each in verdicts if each in one.verdicts)
        parts = [f"{letter_of(number)}: {len(one.metrics)} metrics: {tallies}"]
        for why in WHYS:
            rows = one.left_out(why)
            if rows:
                words = why.replace("in B", f"in {letter_of(number)}")
                parts.append(f"{words}: {len(rows)} metrics: {word_places(rows)}")
        out.print("\n   ".join(parts), highlight=False, markup=False, emoji=False)
