"""Sentences on programs on full nodes: threads against ranks; the rest answers questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from heorot.analyse.explain.spread import pairs as placed
from heorot.analyse.explain.spread.pairs import Pair
from heorot.analyse.rows import problem, size_of
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import ratio
from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.placement import NETWORK_LOSS, THREADS
from heorot.model.analysis.result import Result, Sentence
from heorot.model.grouping import group_by

# Weight of the other networks relative to the fastest.
_OTHERS = 0.6


def sentences(context: Context) -> list[Sentence]:
    """Time with threads over that with ranks on full nodes, by family and network."""
    pairs = placed.find_pairs(context)
    threaded = (pair for pair in pairs if pair.metric == THREADS)
    groups = group_by(threaded, lambda pair: (_family(pair), pair.network))
    others = {pair.network for pair in pairs if pair.metric == NETWORK_LOSS}
    # Other networks weigh less: the fastest shows most of it.
    return [
        templates.BY_THREADS(
            family=family,
            weight=(_OTHERS if network in others else 1.0) * templates.BY_THREADS.weight,
            **_placed(context, _widest(context, members)),
        )
        for (family, network), members in groups.items()
    ]


def _family(pair: Pair) -> str:
    return pair.row.benchmark.partition("/")[0]


def _widest(context: Context, pairs: Iterable[Pair]) -> list[Pair]:
    """Of equal placements, those with most programs, then the largest; slowest first.

    Every program counts with its largest problem there.
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
    """The programs with their ratios, those without a difference last; and the faster ones.

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
    faster = [context.display_name(pair.row.benchmark) for pair in pairs if pair.is_faster]
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
