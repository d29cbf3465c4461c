"""Shows simulated batch systems: a table of policies, and their definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import click
from rich.table import Table

from heorot.cli.terminal.tables import print_table
from heorot.throughput.simulate.setting import Setting
from heorot.throughput.simulations.numbers import FILTER, Row
from heorot.units import NOTHING, format_duration

_COLUMNS = (
    ("mean wait", "wait_mean_seconds"),
    ("median wait", "wait_median_seconds"),
    ("95 % wait", "wait_p95_seconds"),
    ("mean slowdown", "slowdown_mean"),
    ("utilisation", "utilisation"),
    ("makespan", "makespan_seconds"),
    ("overtook", "overtaking_share"),
)


def print_simulations(rows: Sequence[Row], settings: Sequence[Setting]) -> None:
    """Print a table of policies and their definitions; intervals with several seeds.

    Args:
        rows: at least one, each with the same seeds.
        settings: one for each policy.
    """
    n_seeds = len(rows[0].values["started"])
    if n_seeds > 1:
        _print_intervals(rows, n_seeds)
    else:
        _print_table(rows)
    _print_definitions(settings)


def _print_table(rows: Sequence[Row]) -> None:
    """A line for each policy."""
    table = Table(box=None, pad_edge=False)
    table.add_column("policy")
    table.add_column("started", justify="right")
    for title, _ in _COLUMNS:
        table.add_column(title, justify="right")
    for row in rows:
        cells = [_word(row.median(name), name) for _, name in _COLUMNS]
        table.add_row(row.policy.name, f"{row.median('started'):.0f}", *cells)
    print_table(table)


def _print_intervals(rows: Sequence[Row], n_seeds: int) -> None:
    """Quantity by quantity, the policies below each other."""
    table = Table(box=None, pad_edge=False)
    table.add_column("quantity")
    table.add_column("policy")
    for title in ("median", "from", "to"):
        table.add_column(title, justify="right")
    coverage = 0.0
    for title, name in _COLUMNS:
        for i, row in enumerate(rows):
            interval = row.interval(name)
            ends = (interval.low, interval.high) if interval else (math.nan, math.nan)
            coverage = max(coverage, interval.coverage if interval else 0.0)
            cells = [_word(value, name) for value in (row.median(name), *ends)]
            table.add_row("" if i else title, row.policy.name, *cells)
    print_table(table)
    click.echo(
        f"Medians of {n_seeds} seeds with their intervals, {100.0 * coverage:.0f} % confidence."
    )


def _word(value: float, name: str) -> str:
    if math.isnan(value):
        return NOTHING
    if name.endswith("_seconds"):
        return format_duration(value)
    return f"{value:.1f}" if name.startswith("slowdown") else f"{100.0 * value:.1f} %"


def _print_definitions(settings: Sequence[Setting]) -> None:
    """Print the rules of policies, other settings, and which jobs count."""
    for setting in settings:
        click.echo(f"{setting.policy.name}: {setting.rules}.")
    for conditions in dict.fromkeys(setting.conditions for setting in settings):
        click.echo(f"{conditions[0].upper()}{conditions[1:]}.")
    click.echo(FILTER)
