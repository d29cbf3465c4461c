"""The first screen of the page of one throughput test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.model.analysis.claims import format_uncertainty
from heorot.model.analysis.result import Finding
from heorot.monitoring.model import MonitoringStudy
from heorot.report.screens.first_screen import (
    FirstScreen,
    Tile,
    heaviest,
    tile_of,
)
from heorot.report.wording import count
from heorot.throughput.model.explanation import Account, Interference
from heorot.throughput.model.measures import ThroughputAnalysis, Use
from heorot.throughput.model.spread import Spread
from heorot.throughput.model.throughput import ThroughputTest
from heorot.throughput.report.tables.cells import format_time, ratio, share, word_state

_ALL = 0.995
_MOST_EFFICIENT = 1.005
"""Efficiency above 1 that clocks may cause."""


def single_screen(
    test: ThroughputTest,
    analysis: ThroughputAnalysis,
    watched: MonitoringStudy | None,
    findings: Sequence[Finding],
    disagreements: Sequence[str],
) -> FirstScreen:
    """The first screen of a test.

    Args:
        findings: in the order of the page.
        disagreements: files of the test that contradict their digests, in lines.
    """
    return FirstScreen(
        tiles=tuple(_tiles(analysis)),
        trust=tuple(_trust(test, analysis, watched, disagreements)),
        troubles=heaviest(findings),
        open=tuple(_open(test, analysis, watched)),
    )


def _tiles(analysis: ThroughputAnalysis) -> Iterator[Tile]:
    measures, account = analysis.measures, analysis.explanation.account
    use, n = measures.use, account.scheduled
    yield Tile(
        "Jobs completed",
        str(account.n_ok),
        f"of {n}",
        share=account.n_ok / n if n else None,
        target="account",
        tone="bad" if account.n_ok < n else "",
    )
    if use.efficiency is not None:
        bound = f"lower bound {format_time(use.bound)}"
        yield tile_of("Makespan", format_time(use.makespan), note=bound, target="whole")
        yield _share_tile("Scheduling efficiency", use.efficiency, "lower bound / makespan")
    yield from _use_tiles(use)
    if measures.wait:
        longest = f"longest {format_time(measures.wait.maximum)}"
        yield _spread_tile("Queue wait, median", measures.wait, note=longest)
    if measures.slowdown:
        yield _spread_tile("Bounded slowdown, median", measures.slowdown, plain=True)
    programs = [one for one in analysis.explanation.interference if "/" not in one.name]
    if programs:
        yield _contention_tile(max(programs, key=lambda one: (one.significant, one.ratio)))


def _use_tiles(use: Use) -> Iterator[Tile]:
    if use.utilisation_held is not None:
        yield _share_tile("Node utilisation", use.utilisation_held, "of the node time")
    if use.utilisation_cores is not None:
        yield _share_tile("Core utilisation", use.utilisation_cores, "of the core time")
    if use.loss_any is not None and use.loss_fitting is not None:
        fitting = f"{share(use.loss_fitting).text} while a job fitted"
        yield _share_tile("Idle while jobs waited", use.loss_any, fitting)


def _share_tile(name: str, value: float, note: str) -> Tile:
    """A share as a tile; one above 1 is marked and has no bar."""
    is_possible = value <= _MOST_EFFICIENT
    return tile_of(
        name,
        share(value).text,
        share=min(1.0, value) if is_possible else None,
        note=note if is_possible else "more than is possible",
        target="whole",
        tone="" if is_possible else "bad",
    )


def _spread_tile(name: str, one: Spread, *, plain: bool = False, note: str = "") -> Tile:
    word = (lambda value: ratio(value).text) if plain else format_time
    return tile_of(
        name,
        word(one.median),
        uncertainty=format_uncertainty(one.median, one.low, one.high),
        interval=f"95 % interval {word(one.low)} to {word(one.high)}, {count(one.n, 'job')}",
        note=note,
        target="waits",
    )


def _contention_tile(one: Interference) -> Tile:
    """The program with the largest run time under load / dedicated."""
    ends = "" if one.low is None else f"95 % interval {one.low:.2f} to {one.high:.2f}"
    return Tile(
        "Run time under load / dedicated",
        ratio(one.ratio).text,
        uncertainty=format_uncertainty(one.ratio, one.low, one.high),
        interval=ends,
        note=one.name if one.significant else f"{one.name}, not significant",
        target="interference",
        tone="warn" if one.significant else "",
    )


def _trust(
    test: ThroughputTest,
    analysis: ThroughputAnalysis,
    watched: MonitoringStudy | None,
    disagreements: Sequence[str],
) -> Iterator[tuple[str, str]]:
    account, use = analysis.explanation.account, analysis.measures.use
    if disagreements:
        yield "files contradict their digests", "bad"
    yield _reconciled(account)
    if account.parts:
        n = sum(bool(each.part) for each in account.missing)
        yield f"{count(n, 'program')} missing in composite jobs", "bad" if n else "muted"
    runs = sorted(len(times) for times in test.alone.values())
    if runs:
        several = f"{runs[0]} to {runs[-1]}" if runs[0] < runs[-1] else str(runs[0])
        yield f"{several} dedicated {'run' if several == '1' else 'runs'} per job class", ""
    if use.others is not None:
        held = f"{share(use.others).text} of the node time" if use.others else "no nodes"
        yield f"other users had {held}", "warn" if use.others else ""
    yield "nodes monitored" if watched else "nodes not monitored", "" if watched else "muted"
    n = len(account.interventions)
    yield count(n, "manual intervention"), "warn" if n else "muted"


def _reconciled(account: Account) -> tuple[str, str]:
    """Numbers of jobs by final state, with the jobs of the schedule as their sum."""
    states = [f"{n} {word_state(state)}" for state, n in account.states.items() if n]
    n = count(account.scheduled, "job")
    return f"{n} = {' + '.join(states)}" if states else n, (
        "good" if account.n_ok == account.scheduled else "bad"
    )


def _open(
    test: ThroughputTest, analysis: ThroughputAnalysis, watched: MonitoringStudy | None
) -> Iterator[str]:
    use, explanation = analysis.measures.use, analysis.explanation
    yield "One test is one sample: the variation between tests is unknown."
    if not test.alone:
        yield "No job ran dedicated: the cost of co-location is unknown."
    elif not explanation.interference:
        yield "No program has both dedicated runs and runs under load."
    if use.others is None:
        yield "Jobs of other users were not watched."
    elif use.watched < _ALL:
        yield f"The queue was polled for other users in {share(use.watched).text} of the time only."
    if watched is None:
        yield "Nodes were not monitored: load, memory and other processes are unknown."
    if not analysis.policy_measures:
        yield "No scheduling policy was simulated on these jobs."
    if not explanation.responses:
        yield "Response times under load were not measured."
    if test.facts.scaled:
        yield "Jobs were scaled to the machine: compare only with tests of the same size."
