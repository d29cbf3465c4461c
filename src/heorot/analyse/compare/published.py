"""Compares a run with the published values of a machine, which have no samples.

A published value is paired with the row that agrees with every published key. Keys that were not
published stay open, unless rows of several layouts or points would match. Only a ratio is given, as
the interval of a published value is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heorot.document.records import Sort, read_file
from heorot.document.tree import find_line
from heorot.errors import FileError
from heorot.model.analysis.comparison import (
    ComparedMetric,
    Comparison,
    Uncompared,
    Why,
)
from heorot.model.analysis.published import Publication, PublishedQuantity
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.courses import Letter
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.run.identity import Key

_SORT = Sort(
    Publication,
    FileError,
    "quantities",
    1 << 22,
    "docs/published-machines.md explains every key",
)
_SUFFIXES = frozenset({".yaml", ".yml", ".json"})


def is_published_file(path: Path) -> bool:
    """Whether a path names a file of a published machine rather than the directory of a run."""
    return path.suffix in _SUFFIXES and not path.is_dir()


def read_published(file: Path, benchmarks: Iterable[Benchmark]) -> Publication:
    """Read the file of a published machine; JSON is YAML, too.

    Args:
        benchmarks: the programs that it may be about.

    Raises:
        FileError: the file cannot be read, or has an unknown key, an invalid value or a name that
            no program measures.
    """
    machine, tree = read_file(file, _SORT)
    known = {benchmark.name: benchmark for benchmark in benchmarks}
    for number, quantity in enumerate(machine.quantities):
        for name, message in _wrong(quantity, known.get(quantity.benchmark)):
            line = find_line(tree, ("quantities", number, name))
            raise FileError(message, file=file, line=line, hint=_SORT.hint)
    return machine


def _wrong(quantity: PublishedQuantity, benchmark: Benchmark | None) -> Iterable[tuple[str, str]]:
    """An invalid key, with the reason."""
    if benchmark is None:
        yield "benchmark", f"there is no program {quantity.benchmark}"
        return
    metric = benchmark.metric(quantity.metric)
    if metric is None and quantity.metric not in benchmark.derived:
        every = [*(each.name for each in benchmark.metrics), *benchmark.derived]
        have = ", ".join(every)
        yield "metric", f"{benchmark.name} has no metric {quantity.metric}, it has: {have}"
    elif metric is not None and metric.unit != quantity.unit:
        yield "unit", f"{quantity.metric} of {benchmark.name} is in {metric.unit}"


@dataclass(frozen=True)
class RunRows:
    """A run as rows.

    Attributes:
        name: of the run.
        system: its machine.
        rows: all results.
    """

    name: str
    system: str
    rows: Sequence[Result]


def compare_published(run: RunRows, machine: Publication, place: Letter) -> Comparison:
    """Compare a run with a published machine.

    Args:
        place: the side of the published machine.
    """
    other: Letter = "B" if place == "A" else "A"
    metrics: list[ComparedMetric] = []
    uncompared: list[Uncompared] = []
    met: set[str] = set()
    sound = [row for row in run.rows if row.ranked and row.median > 0.0]
    for quantity in machine.quantities:
        rows = [row for row in sound if quantity.meets(row) and row.unit == quantity.unit]
        met |= {row.id for row in rows}
        chosen, left = _choose(quantity, rows)
        uncompared += left
        metrics += [_compared(row, quantity, place) for row in chosen]
        if not rows:
            uncompared.append(_leave(_only(place), quantity.key, quantity.metric))
    lacking = (row for row in sound if row.id not in met)
    uncompared += [_leave(_only(other), row.key, row.metric) for row in lacking]
    names, systems = (run.name, machine.name), (run.system, "published")
    turn = -1 if place == "A" else 1
    (a_name, b_name), (a_system, b_system) = names[::turn], systems[::turn]
    return Comparison(
        a_name=a_name,
        b_name=b_name,
        systems=(a_system, b_system),
        groups=(),
        metrics=tuple(metrics),
        uncompared=tuple(uncompared),
        remarks=tuple(f"{place}: {line}" for line in _remarks(machine)),
    )


def _choose(
    quantity: PublishedQuantity, rows: Sequence[Result]
) -> tuple[list[Result], list[Uncompared]]:
    """The best sampled row of each stack, and the rows left out; several setups give none.

    Where the best value over some coordinates was published, it is the best row.
    """
    if unsaid := list(quantity.unsaid(list(rows))):
        detail = f"it does not name {', '.join(unsaid)}, and the run has several"
        return [], [_leave("not told apart", quantity.key, quantity.metric, detail)]
    over = bool(quantity.best_over)
    best = {
        stack: max((row for row in rows if row.stack == stack), key=_best if over else _evidence)
        for stack in dict.fromkeys(row.stack for row in rows)
    }
    chosen = list(best.values())
    left = [
        _leave("several cases", row.key, row.metric, f"{best[row.stack].case} is compared")
        for row in rows
        if row is not best[row.stack] and not over
    ]
    return chosen, left


def _best(row: Result) -> tuple[float, str]:
    """Sorts by value; the name makes the choice unique."""
    return (row.median if row.better == "higher" else -row.median), row.case


def _evidence(row: Result) -> tuple[int, int, str]:
    """Sorts by launches, then samples; the name makes the choice unique."""
    return row.n_launches, row.n, row.case


def _compared(row: Result, quantity: PublishedQuantity, place: Letter) -> ComparedMetric:
    own: Letter = "B" if place == "A" else "A"
    keys = (row.key, quantity.key) if own == "A" else (quantity.key, row.key)
    mine, theirs = own.lower(), place.lower()
    values: dict[str, Any] = {
        f"{mine}_median": row.median,
        f"{mine}_low": row.ci_low,
        f"{mine}_high": row.ci_high,
        f"{mine}_n": row.n,
        f"{mine}_launches": row.n_launches,
        f"{theirs}_median": quantity.value,
        f"{theirs}_low": None,
        f"{theirs}_high": None,
    }
    is_published_above = (place == "B") == (row.better == "higher")
    published, measured = quantity.value, row.median
    return ComparedMetric(
        key=keys[0],
        other=keys[1],
        metric=row.metric,
        unit=row.unit,
        better=row.better,
        ratio=published / measured if is_published_above else measured / published,
        ratio_low=None,
        ratio_high=None,
        p_value=None,
        effect_size=None,
        verdict="untested",
        lacks="; ".join(filter(None, (f"interval of {place} unknown", quantity.note))),
        disturbed=(own,) if row.disturbed else (),
        **values,
    )


def _remarks(machine: Publication) -> list[str]:
    """The known facts of a published machine, and the missing ones."""
    cores = "unknown" if machine.cores is None else str(machine.cores)
    return [f"cores {cores}; date {machine.date or 'unknown'}; source {machine.source}"]


def _only(place: Letter) -> Why:
    return "only in A" if place == "A" else "only in B"


def _leave(why: Why, key: Key, metric: str, detail: str = "") -> Uncompared:
    return Uncompared(why=why, key=key, metric=metric, detail=detail)
