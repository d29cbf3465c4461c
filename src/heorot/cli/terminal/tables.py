"""Prints tables on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from heorot.printable import printable
from heorot.report.wording import word_name, word_point
from heorot.units import format_interval, format_ratio

if TYPE_CHECKING:
    from heorot.model.analysis.comparison import (
        ComparedGroup,
        ComparedMetric,
        Comparison,
        MetricVerdict,
        Uncompared,
        Why,
    )
    from heorot.model.analysis.result import Result
    from heorot.model.point import Point

# Width of a pipe or file: wider than any line.
_WIDE = 1 << 16
COLOURS: dict[MetricVerdict, str] = {
    "better": "green",
    "worse": "red",
    "indistinguishable": "dim",
    "untested": "yellow",
}


def console() -> Console:
    """A console for stdout: as wide as the terminal, or unlimited for a file."""
    return Console() if sys.stdout.isatty() else Console(width=_WIDE, force_terminal=False)


def print_table(table: Table) -> None:
    """Print a table: wrapped to the width of a terminal, else one line per row.

    Args:
        table: its columns may wrap their texts but never cut them off.
    """
    for column in table.columns:
        column.overflow, column.no_wrap = "fold", False
    out = console()
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as captured:
        out.print(table)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


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
    for name in ("median", "95 % interval, or range", "n", "of bound"):
        table.add_column(name, justify="right")
    table.add_column("verified")
    for row in results:
        text = value_text(row.median, row.ci_low, row.ci_high, row.unit, row.n_launches)
        value, _, interval = text.partition(" [")
        share = "" if row.share_of_ceiling is None else f"{100.0 * row.share_of_ceiling:.0f} %"
        table.add_row(
            row.region,
            point_text(row.point),
            row.metric,
            value,
            interval.rstrip("]"),
            str(row.n),
            share,
            ", ".join(filter(None, (_verdict(row), row.caution))),
        )
    print_table(table)


def _verdict(row: Result) -> str:
    """Verdict of the checks: a derived row has none, only the rows behind it."""
    if not row.derived:
        return row.verified
    return "derived" if row.verified == "passed" else f"derived, {row.verified}"


def comparison_table(comparison: Comparison, everything: bool) -> None:
    """Print programs and families, then the metrics that differ (or all)."""
    from heorot.model.analysis.comparison import WHYS

    out = console()
    for line in comparison.disagreements:
        out.print(Text(printable(line), "red"))
    # Names may come from a file of another user.
    out.print(
        Text(
            printable(f"A  {comparison.a_name} ({comparison.systems[0]})")
            + "\n"
            + printable(f"B  {comparison.b_name} ({comparison.systems[1]})")
        )
    )
    for line in comparison.remarks:
        out.print(Text(f"   {printable(line)}"))
    out.print(
        (f"differs: {comparison.differs}\n" if comparison.differs else "")
        + "ratio > 1: B is better\n",
        highlight=False,
    )
    _groups(comparison.groups)
    _metrics(comparison, everything)
    n = len(comparison.metrics)
    n_same = sum(metric.verdict == "indistinguishable" for metric in comparison.metrics)
    tallies = ", ".join(comparison.tally(verdict) for verdict in comparison.verdicts)
    out.print(f"\n{n} metrics: {tallies} ({100.0 * n_same / max(1, n):.1f} %)", highlight=False)
    for why in WHYS:
        _left_out(out, why, comparison.left_out(why))


def _groups(groups: Sequence[ComparedGroup]) -> None:
    if not groups:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("program or family")
    for name in ("geometric mean ratio", "95 % interval", "metrics"):
        table.add_column(name, justify="right")
    table.add_column("B is")
    for group in groups:
        table.add_row(
            group.name,
            format_ratio(group.geometric_mean_ratio),
            f"{format_ratio(group.low)} … {format_ratio(group.high)}",
            str(group.n),
            f"[{COLOURS[group.verdict]}]{group.judgement}[/]",
        )
    print_table(table)


def _left_out(out: Console, why: Why, rows: Sequence[Uncompared]) -> None:
    """Print where rows were not compared, and the details of the first of them."""
    from heorot.model.analysis.comparison import word_places

    if not rows:
        return
    text = f"{why}: {len(rows)} metrics: {word_places(rows)}"
    if rows[0].detail:
        text += f"\n  such as {rows[0].id}: {rows[0].detail}"
    # Brackets and colons of a key are not markup.
    out.print(text, highlight=False, markup=False, emoji=False)


def _metrics(comparison: Comparison, everything: bool) -> None:
    shown = [m for m in comparison.metrics if everything or m.verdict != "indistinguishable"]
    if not shown:
        return
    click.echo("\nmetrics")
    table = Table(box=None, pad_edge=False)
    names = ["benchmark", "case", "region", "point", "metric"]
    toolchains = len({metric.stacks for metric in shown}) > 1
    for name in (*names, *(["toolchain"] if toolchains else [])):
        table.add_column(name)
    for name in ("A", "B", "ratio", "95 % interval", "n (A, B)", "effect", "p"):
        table.add_column(name, justify="right")
    table.add_column("B is")
    marked = any(metric.differs for metric in shown)
    if marked:
        table.add_column("differs")
    for metric in shown:
        table.add_row(
            f"{metric.benchmark} {metric.layouts}",
            metric.cases,
            word_name(metric.region),
            word_point(metric.point),
            word_name(metric.metric),
            *([metric.stacks] if toolchains else []),
            *_numbers(metric),
            # A note of a published value is not markup.
            Text(printable(metric.judgement), COLOURS[metric.verdict]),
            *([", ".join(metric.differs)] if marked else []),
        )
    print_table(table)


def _numbers(metric: ComparedMetric) -> tuple[str, ...]:
    """Both values, their ratio and the numbers of launches."""
    return (
        value_text(metric.a_median, metric.a_low, metric.a_high, metric.unit, metric.a_launches),
        value_text(metric.b_median, metric.b_low, metric.b_high, metric.unit, metric.b_launches),
        format_ratio(metric.ratio),
        "unknown" if metric.ends is None else " … ".join(map(format_ratio, metric.ends)),
        f"{metric.a_n or '?'}, {metric.b_n or '?'}",
        "" if metric.effect_size is None else f"{metric.effect_size:+.2f}",
        "" if metric.p_value is None else f"{metric.p_value:.2g}",
    )


def value_text(
    median: float, low: float | None, high: float | None, unit: str, launches: int
) -> str:
    """A value with its interval, or the range of its launches."""
    text = format_interval(median, low, high, unit, launches=launches or None)
    return f"{text}, interval unknown" if low is None else text
