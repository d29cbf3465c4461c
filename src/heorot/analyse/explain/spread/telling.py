"""What is said of programs over several nodes: what spreading costs, and what full nodes do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from heorot.analyse.explain.spread import pairs as placed
from heorot.analyse.explain.spread.divisions import Change, Divisions
from heorot.analyse.explain.spread.pairs import Pair
from heorot.analyse.rows import problem, size_of
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import of_ends, ratio
from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.placement import (
    DENSITY_LOSS,
    NETWORK_LOSS,
    NODE_LOSS,
    SPEEDUP,
    THREADS,
)
from heorot.model.analysis.result import Result, Sentence

# So much of a core's speed is worth a place in the verdict.
_WORTH_SAYING = 0.05
# How much less the other networks weigh than the fastest.
_OTHERS = 0.6
# Less efficient than this needs a reason, more than this is more than the nodes explain.
_EFFICIENT, _SUPERLINEAR = 0.90, 1.03


def sentences(context: Context, breakdowns: Sequence[Breakdown]) -> list[Sentence]:
    """How sensitive programs are to how they are placed, the most sensitive first."""
    pairs, divisions = placed.find_pairs(context), Divisions(breakdowns)
    tellers: tuple[tuple[str, Callable[[Context, list[Pair], Divisions], Sentence]], ...] = (
        (NODE_LOSS, _spread),
        (DENSITY_LOSS, _density),
        (THREADS, _threads),
        (NETWORK_LOSS, _networks),
    )
    groups: dict[tuple[str, str, str, str], list[Pair]] = {}
    for family in dict.fromkeys(_family(pair) for pair in pairs):
        for metric, _ in tellers:
            for pair in pairs:
                if (_family(pair), pair.metric) == (family, metric):
                    place = (family, metric, pair.network, pair.against)
                    groups.setdefault(place, []).append(pair)
    others = {pair.network for pair in pairs if pair.metric == NETWORK_LOSS}
    told = []
    for (family, metric, network, against), members in groups.items():
        sentence = dict(tellers)[metric](context, _widest(context, members), divisions)
        # What is told of the fastest network need not be heard again of each other one.
        share = _OTHERS if network in others and not against else 1.0
        update = {"family": family, "weight": share * sentence.weight}
        told.append(sentence.model_copy(update=update))
    return told


def attribute(context: Context, breakdowns: Sequence[Breakdown]) -> list[Attribution]:
    """What every program loses or gains on several nodes, with the reasons its phases give."""
    divisions = Divisions(breakdowns)
    groups: dict[tuple[str, ...], list[Pair]] = {}
    for pair in placed.find_pairs(context):
        if pair.metric in {NODE_LOSS, SPEEDUP}:
            place = (pair.row.benchmark, pair.row.region, pair.network, pair.metric)
            groups.setdefault(place, []).append(pair)
    found = []
    for (*_, metric), members in groups.items():
        if metric == SPEEDUP:
            found.append(_scaling(context, members, divisions))
        else:
            found += _losses(context, members, divisions)
    return found


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


def _spread(context: Context, pairs: list[Pair], _: Divisions) -> Sentence:
    return templates.SPREAD(**_placed(context, pairs))


def _density(context: Context, pairs: list[Pair], divisions: Divisions) -> Sentence:
    worst = next((pair for pair in pairs if pair.is_slower), None)
    lost = None
    if worst is not None:
        launches = min(worst.row.n_launches, worst.base.n_launches)
        centre, low, high = (1.0 - 1.0 / end for end in worst.ratio)
        lost = of_ends((centre, low, high), launches, "%")
    found = [(divisions.between(pair.base, pair.row), pair) for pair in pairs]
    changes = [(change, pair) for change, pair in found if change is not None and change.longer(0)]
    most, pair = max(changes, key=lambda each: each[0].times(0), default=(None, pairs[0]))
    told = _placed(context, pairs)
    slows = most is not None and most.times(0)[1] > 1.0 + _WORTH_SAYING
    if most is not None and slows:
        told["evidence"] = (*told["evidence"], *most.rows)
    return templates.DENSITY(
        weight=0.85 if lost is not None and lost.median > _WORTH_SAYING else None,
        lost=lost,
        computing=most.longer(0) if most is not None and slows else None,
        computing_in=context.spoken(pair.row.benchmark),
        **told,
    )


def _threads(context: Context, pairs: list[Pair], _: Divisions) -> Sentence:
    return templates.BY_THREADS(**_placed(context, pairs))


def _networks(context: Context, pairs: list[Pair], _: Divisions) -> Sentence:
    return templates.NETWORKS(against=pairs[0].against, **_placed(context, pairs))


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


def _losses(context: Context, pairs: Sequence[Pair], divisions: Divisions) -> list[Attribution]:
    """The largest problem on most ranks, if it is slower; and the largest that gains by nodes."""
    main = max(pairs, key=lambda pair: (_size(context, pair.row), pair.row.cores, pair.row.nodes))
    gaining = [pair for pair in pairs if pair.is_faster]
    told = [main] if main.is_slower else []
    told += sorted(gaining, key=lambda pair: (-_size(context, pair.row), pair.ratio[0]))[:1]
    return [_loss(context, pair, divisions) for pair in told]


def _loss(context: Context, pair: Pair, divisions: Divisions) -> Attribution:
    row, base = pair.row, pair.base
    change = divisions.between(base, row)
    reason = None if change is None else change.grown() if pair.is_slower else change.shrunk()
    return templates.NODE_LOSS(
        row.benchmark,
        lost=max(0.0, 1.0 - 1.0 / pair.ratio[0]),
        evidence=(row.id, base.id, *(change.rows if change and reason else ())),
        problem=problem(context, row),
        row=row,
        base=base,
        ratio=_times(pair),
        network=pair.network,
        reason=reason,
    )


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
