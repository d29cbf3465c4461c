"""`heorot simulate-batch`: simulates a workload under exactly defined scheduling policies."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heorot.cli import options
from heorot.errors import UsageError
from heorot.throughput.simulate.setting import (
    MOST_RESERVATIONS,
    Policy,
    Reservation,
    Setting,
    parse_estimates,
    parse_policy,
)
from heorot.units import parse_duration

if TYPE_CHECKING:
    from heorot.throughput.simulations.numbers import Simulated
    from heorot.throughput.simulations.sources import Source

_MOST_NODES = 10_000_000
_MOST_CORES = 32_767
_MOST_SEEDS = 1000
_MOST_RESERVATIONS = 1_000_000_000
# For more jobs than this no node numbers are computed, which only the page shows.
_MOST_PLACED = 200_000
_MOST_COMPLAINTS = 5
_HOUR = 3600.0
_EPILOG = """\b
Examples:
  heorot simulate-batch trace.swf --policy fcfs,easy,conservative
  heorot simulate-batch jobs.sacct --nodes 64 --cores 32 --allocation packed
  heorot simulate-batch lublin:10000:0.87 --nodes 128 --seeds 10
  heorot simulate-batch esp --nodes 64 --policy easy --out runs/esp
  heorot simulate-batch poisson:5000:0.8 --nodes 32 --reserve 8:2h-4h
  heorot simulate-batch daily:5000 --nodes 32 --write-swf drawn.swf
\b
Policies: ORDER or ORDER+BACKFILL.
  orders      fcfs, sjf, ljf (by estimate), smallest, largest (by nodes),
              priority, fairshare
  backfill    easy, conservative, firstfit; without: no job overtakes another
  easy, conservative, firstfit alone mean fcfs+easy and so on.
\b
WORKLOAD: an SWF file, output of sacct -P, or a model: lublin:JOBS[:LOAD],
poisson:JOBS[:LOAD], daily:JOBS[:LOAD] (jobs of lublin, other arrivals), esp.
"""


def _pair(text: str) -> tuple[int, float]:
    """NUMBER=VALUE: a number and its value."""
    match = re.fullmatch(r"(\d{1,9})=(-?\d{1,9}(?:\.\d{1,9})?)", text)
    if match is None:
        raise ValueError(f"{text} must be NUMBER=VALUE, such as 3=100")
    return int(match[1]), float(match[2])


def _reservation(text: str) -> Reservation:
    """NODES:BEGIN-END: nodes and times."""
    n_nodes, _, times = text.partition(":")
    begin, _, end = times.partition("-")
    try:
        read = Reservation(parse_duration(begin), parse_duration(end), int(n_nodes))
    except ValueError:
        raise ValueError(f"{text} must be NODES:BEGIN-END, such as 8:1h-2h") from None
    if not 1 <= read.nodes <= _MOST_NODES or not read.begin < read.end <= 1e9:  # noqa: PLR2004
        raise ValueError(f"{text} has no nodes, or ends before it begins")
    return read


_PAIR = options.Read("number=value", _pair)


@click.command(name="simulate-batch", epilog=_EPILOG)
@click.argument("workload")
@click.option(
    "--nodes",
    type=click.IntRange(1, _MOST_NODES),
    help="Nodes of the machine. Default: from the workload file.",
)
@click.option(
    "--cores",
    type=click.IntRange(1, _MOST_CORES),
    help="Cores per node. Default: from the workload file, else 1.",
)
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="P[,P...]",
    help="Scheduling policies; repeatable. Default: fcfs,easy,conservative.",
)
@click.option(
    "--estimates",
    default="exact",
    show_default=True,
    help="Run times the scheduler assumes: exact, limit, factor:F or uniform:F.",
)
@click.option("--kill-at-limit", is_flag=True, help="Kill jobs at their requested time limit.")
@click.option(
    "--allocation",
    type=click.Choice(["exclusive", "packed", "contiguous", "ports"]),
    default="exclusive",
    show_default=True,
    help="Whole nodes; shared nodes; adjacent nodes; shared nodes with network ports.",
)
@click.option(
    "--ports",
    type=click.IntRange(1, _MOST_CORES),
    default=1,
    show_default=True,
    help="Network ports per node, with --allocation ports.",
)
@click.option(
    "--ageing",
    type=options.between(0.0, 1e9),
    default=1.0,
    show_default=True,
    help="Priority gained per hour of waiting.",
)
@click.option(
    "--priority",
    "priorities",
    multiple=True,
    type=_PAIR,
    metavar="QUEUE=P",
    help="Priority of the jobs of a queue; repeatable.",
)
@click.option(
    "--share",
    "shares",
    multiple=True,
    type=_PAIR,
    metavar="USER=S",
    help="Fair share of a user; repeatable. Default: 1.",
)
@click.option(
    "--share-weight",
    type=options.between(0.0, 1e9),
    default=24.0,
    show_default=True,
    help="Priority of a user without any usage.",
)
@click.option(
    "--half-life",
    type=options.DURATION,
    default="7d",
    show_default=True,
    help="Half-life of the usage of users.",
)
@click.option(
    "--reserve",
    "reservations",
    multiple=True,
    type=options.Read("nodes:begin-end", _reservation),
    metavar="N:BEGIN-END",
    help="Reserve N nodes from BEGIN to END: no job runs there; repeatable.",
)
@click.option(
    "--most-reservations",
    type=click.IntRange(0, _MOST_RESERVATIONS),
    default=MOST_RESERVATIONS,
    show_default=True,
    help="Jobs with a reservation in conservative backfilling; 0: all waiting jobs.",
)
@click.option(
    "--seeds",
    "n_seeds",
    type=click.IntRange(1, _MOST_SEEDS),
    default=1,
    show_default=True,
    help="Number of random workloads of a model.",
)
@click.option("--seed", type=options.SEED, default=0, show_default=True, help="First random seed.")
@click.option(
    "--write-swf",
    type=click.Path(path_type=Path),
    help="Write the workload of the first seed as SWF.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Directory for an HTML page and all results."
)
@options.quiet
def command(  # More than 40 lines: one parameter for each option.
    workload: str,
    nodes: int | None,
    cores: int | None,
    policies: tuple[str, ...],
    estimates: str,
    kill_at_limit: bool,
    allocation: str,
    ports: int,
    ageing: float,
    priorities: tuple[tuple[int, float], ...],
    shares: tuple[tuple[int, float], ...],
    share_weight: float,
    half_life: float,
    reservations: tuple[Reservation, ...],
    most_reservations: int,
    n_seeds: int,
    seed: int,
    write_swf: Path | None,
    out: Path | None,
    quiet: bool,
) -> int:
    """Simulate the jobs of WORKLOAD under scheduling policies."""
    from heorot.throughput.simulations import simulation
    from heorot.throughput.simulations.sources import find_source, machine_of, workload_of

    _require(shares, out)
    chosen = _policies(policies)
    known = parse_estimates(estimates)
    source = find_source(workload)
    _complain(source)
    n_nodes, n_cores = machine_of(source, nodes, cores)
    first = workload_of(source, n_nodes, n_cores, seed)
    if write_swf:
        simulation.write_swf(first, write_swf)
    settings = [
        Setting(
            policy,
            n_nodes,
            n_cores,
            "packed" if allocation == "ports" else allocation,  # type: ignore[arg-type]
            ports_per_node=ports if allocation == "ports" else 0,
            estimates=known,
            kill_at_limit=kill_at_limit,
            ageing_per_hour=ageing,
            priorities=dict(priorities),
            share_weight=share_weight,
            half_life_seconds=half_life,
            shares=dict(shares),
            reservations=reservations,
            most_reservations=most_reservations or None,
            places=out is not None and first.jobs.size <= _MOST_PLACED,
        )
        for policy in chosen
    ]
    report = _silent if quiet else _print_progress
    simulated = list(simulation.simulate_all(source, settings, range(seed, seed + n_seeds), report))
    _show(simulated, settings)
    if out:
        title = f"{workload} on {n_nodes} nodes"
        page = simulation.keep(simulated, out, title=title, command=("heorot", *sys.argv[1:]))
        click.echo(f"report: {page}", err=True)
    return 0


def _show(simulated: Sequence[Simulated], settings: Sequence[Setting]) -> None:
    """Print the policies, and the jobs that none of them can start."""
    from heorot.cli.terminal.simulations import print_simulations
    from heorot.throughput.simulate.run import never_started
    from heorot.throughput.simulations.numbers import rows_of

    print_simulations(rows_of(simulated), settings)
    for line in never_started(simulated[0].timeline):
        click.echo(line)


def _require(shares: Sequence[tuple[int, float]], out: Path | None) -> None:
    """Check options before the simulation rather than after it."""
    if any(share <= 0.0 for _, share in shares):
        raise UsageError("a share is not above 0", "such as --share 3=2")
    if out is not None:
        from heorot.throughput.simulations import simulation

        simulation.require_place(out)


def _policies(texts: Sequence[str]) -> list[Policy]:
    """Each once, in their order."""
    from heorot.throughput.simulations.simulation import COMPARED_POLICIES

    names = [name for text in texts for name in text.split(",")] or COMPARED_POLICIES
    policies = [parse_policy(name) for name in names]
    return list({policy.name: policy for policy in policies}.values())


def _complain(source: Source) -> None:
    """Print the first lines of a file that were not understood, and their number."""
    for text in source.complaints[:_MOST_COMPLAINTS]:
        click.echo(text, err=True)
    n_more = len(source.complaints) - _MOST_COMPLAINTS
    if n_more > 0:
        click.echo(f"... and {n_more} more lines of {source.text}", err=True)


def _print_progress(text: str) -> None:
    click.echo(text, err=True)


def _silent(text: str) -> None:
    del text
