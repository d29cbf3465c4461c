"""Pairs the rows of two runs that are the same measurement, whatever the names of their cases.

Two rows are paired if program, region, coordinates, metric and layout agree, and the options that
define the problem. Options of the harness set only the effort and are ignored. Of a program's own
options, words and flags choose the work, so they must agree, unless a coordinate of that name holds
the value of each row. Numeric options set a size or a count, which coordinates and counts hold as
well; the largest size of a sweep follows from the machine and differs between any two. So rows
whose numeric options agree are paired first, then the others.

Where layouts differ, the remaining rows may be paired by cores: equal ranks and threads on other
nodes first, then equal core counts, however they are used. Both layouts of such a pair are
reported. Where each node was measured separately, the median node is compared with a run on other
nodes.

Paired rows must have done the same work, by their counts.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, product

from heorot.analyse.compare.builds import Difference
from heorot.analyse.compare.side import Row
from heorot.model.analysis.comparison import Uncompared, Why
from heorot.model.analysis.studies.nodes import NODE
from heorot.model.point import Options
from heorot.model.run.identity import Part

# Options of every program; the flag `star` is a layout rather than an option.
HARNESS_OPTIONS = {
    "record",
    "samples-min",
    "samples-max",
    "start",
    "precision",
    "budget",
    "sample-seconds",
    "clock",
    "pages",
    "corrupt",
    "star",
    "handicap",
}
# Parts of a layout that must agree: all first, then ranks and threads, then their product alone.
_LAYOUTS: tuple[tuple[Part, ...], ...] = (
    ("nodes", "ranks", "per_node", "threads"),
    ("ranks", "threads"),
    (),
)
# Counts are printed exactly, but may be sums over ranks in another order of addition.
_ROUNDING = 1e-9


@dataclass
class Pairing:
    """The pairing of two runs.

    Attributes:
        pairs: rows of the first and of the second run, in the order of the first.
    """

    pairs: list[tuple[Row, Row]] = field(default_factory=list)
    uncompared: list[Uncompared] = field(default_factory=list)


def pair_rows(a: Sequence[Row], b: Sequence[Row], *, by_cores: bool = False) -> Pairing:
    """Pair the rows of two runs.

    Args:
        a: rows of the first run.
        b: rows of the second run.
        by_cores: whether rows without a partner of their layout may be paired with rows on equal
            core counts, and rows of one node with those of another.
    """
    # A single toolchain on each side is compared whatever its name.
    named = any(len({row.first.stack for row in rows}) > 1 for rows in (a, b))
    pairing = Pairing()
    layouts = _LAYOUTS if by_cores else _LAYOUTS[:1]
    for layout, numbers in product(layouts, (True, False)):
        first, second = (_by_key(rows, layout, named=named, numbers=numbers) for rows in (a, b))
        common = [key for key in first if key in second]
        for key in common:
            _meet(pairing, first.pop(key), second.pop(key))
        a, b = (list(chain.from_iterable(left.values())) for left in (first, second))
    if by_cores:
        a, b = _meet_nodes(pairing, a, b, named=named)
    pairing.uncompared += [_leave(row, "only in A") for row in a]
    pairing.uncompared += [_leave(row, "only in B") for row in b]
    return pairing


def _meet_nodes(
    pairing: Pairing, a: Sequence[Row], b: Sequence[Row], *, named: bool
) -> tuple[list[Row], list[Row]]:
    """Pair the median node of each side; returns the rows without a partner."""
    first, second = (
        _by_key(rows, _LAYOUTS[0], named=named, numbers=False, any_node=True) for rows in (a, b)
    )
    for key in [key for key in first if key in second]:
        chosen = []
        for rows in (first.pop(key), second.pop(key)):
            ordered = sorted(rows, key=lambda row: row.summary.median)
            middle = ordered.pop((len(ordered) - 1) // 2)
            chosen.append(middle)
            where = f"{middle.first.point.get(NODE, 'the whole')} is compared, the middle one"
            pairing.uncompared += [_leave(row, "several cases", where) for row in ordered]
        if _is_same_work(*chosen):
            pairing.pairs.append((chosen[0], chosen[1]))
        else:
            pairing.uncompared.append(_leave(chosen[0], "not the same work"))
    left_a, left_b = (list(chain.from_iterable(left.values())) for left in (first, second))
    return left_a, left_b


def differing_counts(a: Row, b: Row) -> list[Difference]:
    """The counts per body that both rows have and that differ by more than rounding."""
    mine, others = a.first.counts, b.first.counts
    return [
        (name, f"{mine[name]:.6g}", f"{others[name]:.6g}")
        for name in mine
        if name in others and not math.isclose(mine[name], others[name], rel_tol=_ROUNDING)
    ]


def _by_key(
    rows: Iterable[Row],
    layout: Sequence[Part],
    *,
    named: bool,
    numbers: bool,
    any_node: bool = False,
) -> dict[Hashable, list[Row]]:
    keyed: dict[Hashable, list[Row]] = {}
    for row in rows:
        key = _key(row, layout, named=named, numbers=numbers)
        if any_node:
            point = row.first.point.without(NODE)
            key = (row.first.key.only("benchmark", "region", *layout).but(point=point), key[1:])
        keyed.setdefault(key, []).append(row)
    return keyed


def _key(row: Row, layout: Sequence[Part], *, named: bool, numbers: bool) -> tuple[Hashable, ...]:
    """The key that must agree; `named` adds the toolchain, `numbers` the numeric options."""
    one = row.first
    options = Options(
        {
            name: value
            for name, value in one.options.without(*HARNESS_OPTIONS, *one.point).items()
            if numbers or isinstance(value, bool | str)
        }
    )
    key = one.key.only("benchmark", "region", "point", *layout)
    stack = one.stack if named else None
    return key, one.cores, row.metric.name, one.is_star, options, stack


def _meet(pairing: Pairing, a: Sequence[Row], b: Sequence[Row]) -> None:
    """Compare the best sampled row of each side, if both did the same work."""
    first, second = (max(rows, key=_evidence) for rows in (a, b))
    for rows, chosen in ((a, first), (b, second)):
        pairing.uncompared += [
            _leave(row, "several cases", _preferred(chosen, row))
            for row in rows
            if row is not chosen
        ]
    if _is_same_work(first, second):
        pairing.pairs.append((first, second))
    else:
        differing = ", ".join(f"{name} {x} / {y}" for name, x, y in differing_counts(first, second))
        pairing.uncompared.append(_leave(first, "not the same work", f"{differing} per body"))


def _evidence(row: Row) -> tuple[int, int, int, str]:
    """Sorts by launches, then samples, then fewer nodes; the name makes the choice unique."""
    series = row.group.series
    n_samples = sum(one.seconds.size for one in series)
    return len(series), n_samples, -row.first.nodes, row.first.case


def _preferred(chosen: Row, row: Row) -> str:
    """Why another row of the same run is compared."""
    one, other = chosen.first, row.first.setup
    layout = f", {one.setup.layout}," if one.setup.layout != other.layout else ""
    return f"{one.case}{layout} is compared, which has as many launches and samples or more"


def _is_same_work(a: Row, b: Row) -> bool:
    """Whether the count of the metric agrees, or all counts if the metric is a plain time.

    A better algorithm may do the same work with fewer operations of another kind. A region without
    coordinates has no size: its body is as long as suits the machine, such as a multiply-add in
    every lane of its registers, and its rate or time per operation can still be compared.
    """
    names = {name for name, _, _ in differing_counts(a, b)}
    if not a.metric.count:
        return not names
    return a.metric.count not in names or not a.first.point


def _leave(row: Row, why: Why, detail: str = "") -> Uncompared:
    return Uncompared(
        why=why,
        key=row.first.key,
        metric=row.metric.name,
        detail=detail,
    )
