"""What is said of programs over several nodes: threads against ranks, and what full nodes do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from heorot.analyse.explain.spread import pairs as placed
from heorot.analyse.explain.spread.divisions import Change, Divisions
from heorot.analyse.explain.spread.pairs import Pair
from heorot.analyse.rows import problem, size_of
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import ratio
from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.placement import NETWORK_LOSS, SPEEDUP, THREADS
from heorot.model.analysis.result import Result, Sentence

# How much less the other networks weigh than the fastest.
_OTHERS = 0.6
# Less efficient than this needs a reason, more than this is more than the nodes explain.
_EFFICIENT, _SUPERLINEAR = 0.90, 1.03


def sentences(context: Context) -> list[Sentence]:
    """What threads take against ranks on full nodes; all else of placement answers questions."""
    pairs = placed.find_pairs(context)
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        if pair.metric == THREADS:
            groups.setdefault((_family(pair), pair.network), []).append(pair)
    others = {pair.network for pair in pairs if pair.metric == NETWORK_LOSS}
    # What is told of the fastest network need not be heard again of each other one.
    return [
        templates.BY_THREADS(
            family=family,
            weight=(_OTHERS if network in others else 1.0) * templates.BY_THREADS.weight,
            **_placed(context, _widest(context, members)),
        )
        for (family, network), members in groups.items()
    ]


def attribute(context: Context, breakdowns: Sequence[Breakdown]) -> list[Attribution]:
    """What every program gains on more full nodes, with the reasons that its phases give."""
    divisions = Divisions(breakdowns)
    groups: dict[tuple[str, ...], list[Pair]] = {}
    for pair in placed.find_pairs(context):
        if pair.metric == SPEEDUP:
            place = (pair.row.benchmark, pair.row.region, pair.network)
            groups.setdefault(place, []).append(pair)
    return [_scaling(context, members, divisions) for members in groups.values()]


def _family(pair: Pair) -> str:
    return pair.row.benchmark.partition("/")[0]


def _widest(context: Context, pairs: Iterable[Pair]) -> list[Pair]:
    """Of equal placements those that most programs ran in, then the largest; slowest first.

    Every program has its largest problem there.
    """
    alike: dict[tuple[int, ...], dict[tuple[str, str], Pair]] = {}
    for pair in pairs:
        row, base = pair.row, pair.base
        programs = alike.setdefault((row.cores, row.nodes, row.threads, base.nodes), {})
        rival = programs.get((row.benchmark, row.region))
        if rival is None or _size(context, row) > _size(context, rival.row):
            programs[row.benchmark, row.region] = pair
    chosen = max(alike, key=lambda place: (len(alike[place]), place))
    return sorted(alike[chosen].values(), key=lambda pair: -pair.ratio[0])


def _size(context: Context, row: Result) -> float:
    return size_of(context, row).rank(row.point)


def _placed(context: Context, pairs: Sequence[Pair]) -> dict[str, Any]:
    """The programs with their ratios, those without a difference last; and which are faster.

    Such as `CG class W 3.10 [3.04, 3.16] times as long, FT class W 2.20 [2.16, 2.24]`.
    """
    apart = [pair for pair in pairs if pair.is_slower or pair.is_faster]
    programs = [
        templates.LONGER.claim(
            problem=problem(context, pair.row), ratio=_times(pair), unit=pair is apart[0]
        )
        for pair in apart
    ]
    if same := [pair for pair in pairs if pair not in apart]:
        launches = min(row.n_launches for pair in same for row in (pair.row, pair.base))
        problems = [problem(context, pair.row) for pair in same]
        programs.append(templates.AS_LONG.claim(problems=problems, launches=launches))
    faster = [context.spoken(pair.row.benchmark) for pair in pairs if pair.is_faster]
    faster = [*dict.fromkeys(faster)]
    return {
        "evidence": tuple(row.id for pair in pairs for row in (pair.row, pair.base)),
        "row": pairs[0].row,
        "base": pairs[0].base,
        "network": pairs[0].network,
        "programs": programs,
        "faster": faster,
        "n_faster": len(faster),
    }


def _times(pair: Pair) -> Quantity | None:
    """Time of the row over that of the base."""
    return ratio(pair.base, pair.row)


def _scaling(context: Context, pairs: Sequence[Pair], divisions: Divisions) -> Attribution:
    """The largest problem on the most full nodes, by its better way."""
    main = max(pairs, key=lambda pair: (_size(context, pair.row), pair.row.nodes, pair.row.median))
    row, base = main.row, main.base
    gained, low, high = placed.speedup(main)
    n = row.nodes / base.nodes
    each, serial = row.ranks // row.nodes, row.threads == 1
    curve = [
        pair.row
        for pair in pairs
        if (pair.row.stack, pair.row.point, pair.row.threads) == (row.stack, row.point, row.threads)
    ]
    fastest = max((*curve, base), key=lambda one: one.median)
    fewer = fastest.nodes < row.nodes and fastest.ci_low > row.ci_high
    change = divisions.between(base, row)
    reason = _reason(n, (low, high), change)
    return templates.NODE_SCALING(
        row.benchmark,
        lost=1.0 - gained / n if high < n else 0.0,
        evidence=(row.id, base.id, *(change.rows if change and reason else ())),
        problem=problem(context, row),
        gained=ratio(row, base),
        row=row,
        base=base,
        layout=templates.ON_EACH.claim(
            network=main.network,
            ranks=each if serial else None,
            each=each,
            threads=None if serial else row.threads,
        ),
        efficiency=ratio(row, base, divisor=n, unit="%"),
        fastest=fastest.nodes if fewer else None,
        reason=reason,
    )


def _reason(n: float, ends: tuple[float, float], change: Change | None) -> Claim | None:
    """Why so many times the nodes bring less than that, or more, beyond the interval."""
    low, high = ends
    if high / n < _EFFICIENT:
        return change.grown(n) if change else None
    if low <= _SUPERLINEAR * n:
        return None
    if change and change.times(0, n)[2] < 1.0 / _SUPERLINEAR:
        return templates.LESS_THAN_ITS_SHARE.claim(ratio=change.longer(0, n))
    return templates.UNEXPLAINED_GAIN.claim()
