"""Prints tables on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from heorot.model.analysis.comparison import (
    WHYS,
    Comparison,
    ComparisonVerdict,
    Uncompared,
    Why,
    word_places,
)
from heorot.model.analysis.result import Result
from heorot.model.run.records import Point
from heorot.printable import printable
from heorot.units import format_interval, format_quantity, format_ratio

_WIDE = 160
_COLOURS: dict[ComparisonVerdict, str] = {
    "better": "green",
    "worse": "red",
    "indistinguishable": "dim",
}


def console() -> Console:
    """A console for stdout: as wide as the terminal, or wide enough for a file."""
    probe = Console()
    return probe if probe.is_terminal else Console(width=_WIDE)


def print_pairs(rows: Sequence[tuple[str, str]]) -> None:
    """Print names and texts as two columns."""
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        click.echo(f"{name:{width}}  {text}")


def point_text(point: Point) -> str:
    """Coordinates as `n=1024, access=contiguous`."""
    return ", ".join(f"{name}={value}" for name, value in point.items())


def results_table(results: Sequence[Result]) -> None:
    """Print results with their intervals."""
    table = Table(box=None, pad_edge=False)
    for name in ("region", "point", "metric"):
        table.add_column(name)
    for name in ("median", "95 % interval", "n", "of ceiling"):
        table.add_column(name, justify="right")
    table.add_column("verified")
    for row in results:
        low, high = (format_quantity(value, row.unit) for value in (row.ci_low, row.ci_high))
        share = "" if row.share_of_ceiling is None else f"{100.0 * row.share_of_ceiling:.0f} %"
        marks = ", ".join(filter(None, (row.verified, row.caution)))
        table.add_row(
            row.region,
            point_text(row.point),
            row.metric,
            format_quantity(row.median, row.unit),
            f"{low} … {high}",
            str(row.n),
            share,
            marks,
        )
    console().print(table)


def comparison_table(comparison: Comparison, everything: bool) -> None:
    """Print programs and families, then the metrics that differ (or all)."""
    out = console()
    for line in comparison.disagreements:
        out.print(Text(printable(line), "red"))
    out.print(
        f"A  {comparison.a_name} ({comparison.systems[0]})\n"
        f"B  {comparison.b_name} ({comparison.systems[1]})\n"
        + (f"differs: {comparison.differs}\n" if comparison.differs else "")
        + "ratio > 1: B is better\n",
        highlight=False,
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("program or family")
    for name in ("geometric mean ratio", "95 % interval", "metrics"):
        table.add_column(name, justify="right")
    table.add_column("B is")
    for group in comparison.groups:
        table.add_row(
            group.name,
            format_ratio(group.geometric_mean_ratio),
            f"{format_ratio(group.low)} … {format_ratio(group.high)}",
            str(group.n),
            f"[{_COLOURS[group.verdict]}]{group.judgement}[/]",
        )
    out.print(table)
    _metrics(out, comparison, everything)
    n = len(comparison.metrics)
    n_same = sum(metric.verdict == "indistinguishable" for metric in comparison.metrics)
    tallies = ", ".join(comparison.tally(verdict) for verdict in _COLOURS)
    out.print(f"\n{n} metrics: {tallies} ({100.0 * n_same / max(1, n):.1f} %)", highlight=False)
    for why in WHYS:
        _left_out(out, why, comparison.left_out(why))


def _left_out(out: Console, why: Why, rows: Sequence[Uncompared]) -> None:
    """Print where rows were not compared, and the details of the first of them."""
    if not rows:
        return
    text = f"{why}: {len(rows)} metrics: {word_places(rows)}"
    if rows[0].detail:
        text += f"\n  such as {rows[0].key}: {rows[0].detail}"
    # Neither brackets nor colons of a key are meant for the terminal.
    out.print(text, highlight=False, markup=False, emoji=False)


def _metrics(out: Console, comparison: Comparison, everything: bool) -> None:
    shown = [m for m in comparison.metrics if everything or m.verdict != "indistinguishable"]
    if not shown:
        return
    table = Table(box=None, pad_edge=False, title="\nmetrics", title_justify="left")
    for name in ("benchmark", "region", "point", "metric"):
        table.add_column(name)
    for name in ("A", "B", "ratio", "95 % interval", "effect", "p"):
        table.add_column(name, justify="right")
    table.add_column("B is", no_wrap=True)
    marked = any(metric.differs for metric in shown)
    if marked:
        table.add_column("differs")
    for metric in shown:
        table.add_row(
            f"{metric.benchmark} {metric.layout}",
            metric.region,
            point_text(metric.point),
            metric.metric,
            format_interval(metric.a_median, metric.a_low, metric.a_high, metric.unit),
            format_interval(metric.b_median, metric.b_low, metric.b_high, metric.unit),
            format_ratio(metric.ratio),
            f"{format_ratio(metric.ratio_low)} … {format_ratio(metric.ratio_high)}",
            f"{metric.effect_size:+.2f}",
            f"{metric.p_value:.2g}",
            f"[{_COLOURS[metric.verdict]}]{metric.judgement}[/]",
            *([", ".join(metric.differs)] if marked else []),
        )
    out.print(table)
