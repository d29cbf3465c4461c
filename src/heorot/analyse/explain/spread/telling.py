"""What is said of programs over several nodes: what spreading costs, and what full nodes do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from heorot.analyse.explain.spread import pairs as placed
from heorot.analyse.explain.spread.divisions import Change, Divisions
from heorot.analyse.explain.spread.pairs import Pair
from heorot.analyse.rows import problem, size_of
from heorot.analyse.wording import efficiency, listed, no_difference, ratio, times
from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.analysis.context import Context
from heorot.model.analysis.placement import (
    DENSITY_LOSS,
    NETWORK_LOSS,
    NODE_LOSS,
    SPEEDUP,
    THREADS,
)
from heorot.model.analysis.result import Result, Sentence
from heorot.units import format_interval

# So much of a core's speed is worth a place in the verdict.
_WORTH_SAYING = 0.05
# How much less the other networks weigh than the fastest.
_OTHERS = 0.6
# Less efficient than this needs a reason, more than this is more than the nodes explain.
_EFFICIENT, _SUPERLINEAR = 0.90, 1.03


def sentences(context: Context, breakdowns: Sequence[Breakdown]) -> list[Sentence]:
    """How sensitive the programs of a family are to how they are placed, the most sensitive first.

    Args:
        context: the run.
        breakdowns: where the time of the bodies goes.
    """
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
    """What every program loses or gains on several nodes, with the reasons its phases give.

    Args:
        context: the run.
        breakdowns: where the time of the bodies goes.
    """
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
    row, base = pairs[0].row, pairs[0].base
    text = (
        f"Spread over {row.nodes} nodes{_over(pairs[0])} instead of {_number(base.nodes)}, "
        f"{_ranks(row)} take: {_list(context, pairs, 'times as long')}"
    )
    text += _tail(context, [pair for pair in pairs if pair.is_faster], "faster so")
    return _say(text, pairs, 0.75)


def _density(context: Context, pairs: list[Pair], divisions: Divisions) -> Sentence:
    row = pairs[0].row
    text = (
        f"With {row.per_node} ranks on a node instead of one{_over(pairs[0])}, {_ranks(row)} take: "
        f"{_list(context, pairs, 'times as long')}"
    )
    worst = next((pair for pair in pairs if pair.is_slower), None)
    lost = 1.0 - 1.0 / worst.ratio[0] if worst else 0.0
    if worst is not None:
        launches = min(worst.row.n_launches, worst.base.n_launches)
        centre, low, high = (1.0 - 1.0 / end for end in worst.ratio)
        share = format_interval(centre, low, high, "%", 2, launches=launches)
        text += f"; so a core is worth up to {share} less on the fuller nodes"
    found = [(divisions.between(pair.base, pair.row), pair) for pair in pairs]
    changes = [(change, pair) for change, pair in found if change is not None and change.word(0)]
    sentence = _say(text, pairs, 0.85 if lost > _WORTH_SAYING else 0.5)
    if not changes:
        return sentence
    most, pair = max(changes, key=lambda each: each[0].times(0))
    if most.times(0)[1] <= 1.0 + _WORTH_SAYING:
        return sentence
    more = f"; computing alone takes {most.word(0)} times as long in"
    text += f"{more} {context.spoken(pair.row.benchmark)}."
    return sentence.model_copy(update={"text": text, "evidence": (*sentence.evidence, *most.rows)})


def _threads(context: Context, pairs: list[Pair], _: Divisions) -> Sentence:
    row = pairs[0].row
    text = (
        f"On {row.nodes} nodes{_over(pairs[0])}, one rank of {row.threads} threads on each takes, "
        f"against {row.threads} ranks: {_list(context, pairs, 'times as long')}"
    )
    text += _tail(context, [pair for pair in pairs if pair.is_faster], "faster with threads")
    return _say(text, pairs, 0.45)


def _networks(context: Context, pairs: list[Pair], _: Divisions) -> Sentence:
    pair = pairs[0]
    text = (
        f"Over {pair.network} instead of {pair.against}, {_ranks(pair.row)} on {pair.row.nodes} "
        f"nodes take: {_list(context, pairs, 'times as long')}"
    )
    faster = [pair for pair in pairs if pair.is_faster]
    text += _tail(context, faster, f"faster over {pair.network}")
    return _say(text, pairs, 0.7)


def _say(text: str, pairs: Sequence[Pair], weight: float) -> Sentence:
    evidence = tuple(dict.fromkeys(row.id for pair in pairs for row in (pair.row, pair.base)))
    return Sentence(text=f"{text}.", evidence=evidence, weight=weight)


def _list(context: Context, pairs: Sequence[Pair], unit: str) -> str:
    """Such as `CG class W 3.10 [3.04, 3.16] times as long, FT class W 2.20 [2.16, 2.24]`.

    Those without a difference come last.
    """
    apart = [pair for pair in pairs if pair.is_slower or pair.is_faster]
    words = [f"{problem(context, pair.row)} {_times(pair)}" for pair in apart]
    words[:1] = [f"{word} {unit}" for word in words[:1]]
    if same := [pair for pair in pairs if pair not in apart]:
        launches = min(row.n_launches for pair in same for row in (pair.row, pair.base))
        names = listed([problem(context, pair.row) for pair in same])
        words.append(f"{names} as long ({no_difference(launches)})")
    return ", ".join(words)


def _tail(context: Context, pairs: Sequence[Pair], what: str) -> str:
    names = list(dict.fromkeys(context.spoken(pair.row.benchmark) for pair in pairs))
    if not names:
        return ""
    *most, last = names
    named = f"{', '.join(most)} and {last} are" if most else f"{last} is"
    return f"; {named} {what}"


def _times(pair: Pair) -> str:
    """Time of the row over that of the base."""
    return ratio(pair.base, pair.row)


def _over(pair: Pair) -> str:
    return f" ({pair.network})" if pair.network else ""


def _number(nodes: int) -> str:
    return "one" if nodes == 1 else str(nodes)


def _ranks(row: Result) -> str:
    each = f" of {row.threads} threads" if row.threads > 1 else ""
    return f"{row.ranks} ranks{each}"


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
    how = f"takes {_times(pair)} times as long on {row.nodes} nodes{_over(pair)} as on"
    text = f"{problem(context, row)} with {_ranks(row)} {how} {_number(base.nodes)}"
    reason = "" if change is None else change.grown() if pair.is_slower else change.shrunk()
    return Attribution(
        benchmark=row.benchmark,
        text=f"{text}: {reason}." if reason else f"{text}.",
        evidence=(row.id, base.id, *(change.rows if change and reason else ())),
        lost=max(0.0, 1.0 - 1.0 / pair.ratio[0]),
    )


def _scaling(context: Context, pairs: Sequence[Pair], divisions: Divisions) -> Attribution:
    """The largest problem on the most full nodes, by its better way."""
    main = max(pairs, key=lambda pair: (_size(context, pair.row), pair.row.nodes, pair.row.median))
    row, base = main.row, main.base
    gained, low, high = placed.speedup(main)
    n = row.nodes / base.nodes
    each = row.ranks // row.nodes
    over = f"{main.network}, " if main.network else ""
    layout = f"{each} ranks" if row.threads == 1 else f"{each} x {row.threads} threads"
    where = f"as fast on {row.nodes} full nodes ({over}{layout} on each) "
    where += f"as on {_number(base.nodes)}"
    text = f"{problem(context, row)} runs {times(row, base, where)}, {efficiency(row, base, n)}"
    curve = [
        pair.row
        for pair in pairs
        if (pair.row.stack, pair.row.point, pair.row.threads) == (row.stack, row.point, row.threads)
    ]
    fastest = max((*curve, base), key=lambda one: one.median)
    if fastest.nodes < row.nodes and fastest.ci_low > row.ci_high:
        text += f"; it is fastest on {_number(fastest.nodes)}"
    change = divisions.between(base, row)
    reason = _reason(n, (low, high), change)
    return Attribution(
        benchmark=row.benchmark,
        text=f"{text}: {reason}." if reason else f"{text}.",
        evidence=(row.id, base.id, *(change.rows if change and reason else ())),
        lost=1.0 - gained / n if high < n else 0.0,
    )


def _reason(n: float, ends: tuple[float, float], change: Change | None) -> str:
    """Why so many times the nodes bring less than that, or more, beyond the interval."""
    low, high = ends
    if high / n < _EFFICIENT:
        return change.grown(n) if change else ""
    if low <= _SUPERLINEAR * n:
        return ""
    if change and change.times(0, n)[2] < 1.0 / _SUPERLINEAR:
        return f"computing takes {change.word(0, n)} times as long as its share"
    return "more than the nodes explain"
