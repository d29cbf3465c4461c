"""Sentences on the roofline analysis of a node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from heorot.analyse.node_roofline.causes import word_cause
from heorot.analyse.node_roofline.roofs import first_stack
from heorot.analyse.rows import is_for_trying, word_point
from heorot.analyse.templates import node_roofline as templates
from heorot.analyse.templates.quantities import exactly, limit, of_middle
from heorot.model.analysis.breakdown import Attribution, Middle
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.extremes import Ends, overlap
from heorot.model.analysis.node_roofline.node_roofline import DEPTH, NodeRoofline
from heorot.model.analysis.node_roofline.roofs import MachineBalance, RooflinePoint
from heorot.model.analysis.node_roofline.shares import Contention, KernelPrediction
from heorot.model.analysis.result import Sentence
from heorot.model.catalogue.labels import label_of
from heorot.model.grouping import best_of_each
from heorot.model.resource import ONE_CORE

# At this share of the roofline a kernel is bound by it; at the lower share, partly.
_REACHED, _PARTLY = 0.8, 0.6
# From here on the share is full.
_ALL = 0.995
# A rate is that of dependent loads if it is at most this factor above theirs.
_AS_SLOW_AS_WAITING = 2.0
_Compared = TypeVar("_Compared", RooflinePoint, KernelPrediction, Contention)
# Smaller losses are not reported.
_LEAST_REPORTED = 0.05


def attribute(context: Context, depth: NodeRoofline) -> list[Attribution]:
    """The limit of every program's representative point, on one core, and on the most.

    They appear with each program; the verdict has one sentence about all of them. Of several
    toolchains all sentences are about the first one.
    """
    points = [place for place in _of_first(context, depth.points) if place.headline]
    most: dict[str, int] = {}
    for place in points:
        most[place.benchmark] = max(place.cores, most.get(place.benchmark, 1))
    return [
        templates.LIMITED(
            place.benchmark,
            evidence=[place.row],
            program=_name(context, place),
            copies=place.copies or None,
            cores=place.cores if place.cores > 1 and not place.copies else None,
            place=word_roofline_point(place, depth),
        )
        for place in points
        if place.cores in {1, most[place.benchmark]}
    ]


def make_sentences(context: Context, depth: NodeRoofline) -> list[Sentence]:
    """Machine balance, bounds of programs, predictions by kernels, contention."""
    launches = {row.id: row.n_launches for row in context.rows if row.derived}
    found = (
        _balance_sentence(depth, launches),
        *_limits(context, depth),
        _predictions(context, _of_first(context, depth.predictions), launches),
        _contention(context, _of_first(context, depth.contentions), launches),
    )
    return [one.model_copy(update={"family": DEPTH}) for one in found if one is not None]


def word_roofline_point(place: RooflinePoint, depth: NodeRoofline) -> Claim:
    """Such as `reaches 6.0 % of peak and is bandwidth-bound: 92 % of the roofline at ...`."""
    reached = place.share
    shown: dict[str, Any] = {
        "evidence": [place.row],
        "of_peak": _share(place.of_peak, place),
        "intensity": exactly(place.intensity, "flop/B"),
    }
    # A point above its bound has none: only its share of peak is known.
    if reached is None:
        return templates.OF_PEAK.claim(**shown)
    if place.by_units:
        in_part = templates.BY_UNITS_IN_PART if reached >= _PARTLY else templates.BY_OPERATIONS
        return (templates.BY_UNITS if reached >= _REACHED else in_part).claim(**shown)
    extent, home = place.working_set_bytes, place.resident_in if place.level else None
    whose = templates.UNKNOWN_EXTENT.claim(home=home)
    if extent is not None:
        whose = templates.EXTENT.claim(extent=exactly(extent, "B"), home=home)
    shown |= {
        "whose": whose,
        "of_bound": "all" if reached >= _ALL else _share(place.of_bound, place),
    }
    if reached < _PARTLY:
        return templates.NEITHER.claim(reason=_neither(place, depth), **shown)
    return templates.BANDWIDTH_BOUND.claim(
        partly=reached < _REACHED,
        giving="both" if place.neighbour else place.level or "any level",
        least=limit(_PARTLY),
        **shown,
    )


def _share(share: Middle, place: RooflinePoint) -> Quantity:
    """A share of a bound, with the interval that the launches of the rate have."""
    return of_middle(share, place.n_launches, "%", [place.row])


def _neither(place: RooflinePoint, depth: NodeRoofline) -> Claim:
    """Possible limits of a program that reaches neither of its bounds."""
    roofs = depth.roofs_of(place.of, place.stack)
    if roofs is not None and roofs.waiting is not None and place.level == roofs.waiting.level:
        alone = place.rate.median / (place.intensity * roofs.waiting.rate)
        if alone <= _AS_SLOW_AS_WAITING:
            return templates.WAITS.claim(times=limit(_AS_SLOW_AS_WAITING))
    return templates.OPERATIONS_WAIT.claim()


def _quantity(middle: Middle, key: str, launches: Mapping[str, int], unit: str = "") -> Quantity:
    """A value with its interval and number of launches, by the key of its row."""
    return of_middle(middle, launches.get(key), unit, [key])


def _balance_sentence(depth: NodeRoofline, launches: Mapping[str, int]) -> Sentence | None:
    """Machine balance of one core and of all."""
    if not depth.balances:
        return None
    stack = depth.balances[0].stack
    several = max(balance.of for balance in depth.balances)
    parts, far = [], depth.balances[0]
    for of in dict.fromkeys((ONE_CORE, several)):
        balances = [w for w in depth.balances if (w.of, w.stack) == (of, stack)]
        if balances:
            levels = [_word_balance(balance, launches) for balance in balances]
            parts.append(templates.BALANCE_OF.claim(cores=of.n, levels=levels))
            far = balances[-1]
    per_double = _quantity(far.flops_per_double, far.row, launches, "flop")
    return templates.BALANCE(cores=far.of.n, level=far.level, parts=parts, per_double=per_double)


def _word_balance(balance: MachineBalance, launches: Mapping[str, int]) -> Claim:
    value = _quantity(balance.flops_per_byte, balance.row, launches, "flop/B")
    return templates.BALANCE_FROM.claim(balance=value, level=balance.level)


def _limits(context: Context, depth: NodeRoofline) -> Iterator[Sentence]:
    """The number of programs with each limit, on one core; and the clearest case of each."""
    own = _of_first(context, depth.points)
    points = [place for place in own if place.headline and place.cores == 1]
    points = [one for one in points if not is_for_trying(context, one.benchmark, one.point)]
    shares = {place.row: place.share for place in points if place.share is not None}
    if not shares:
        return
    near = [place for place in points if shares.get(place.row, 0.0) >= _PARTLY]
    fed = [place for place in near if not place.by_units]
    computing = [place for place in near if place.by_units]
    rest = [place for place in points if shares.get(place.row, 1.0) < _PARTLY]
    if fed:
        clearest = min(
            fed,
            key=lambda one: (shares[one.row] < _REACHED, one.share_of_peak, -shares[one.row]),
        )
        yield templates.CLEAREST(
            evidence=[clearest.row],
            program=_name(context, clearest),
            place=word_roofline_point(clearest, depth),
        )
    groups = [
        (templates.OF_NEITHER if units is None else templates.OF_ROOF).claim(
            n=len(some),
            least=limit(_PARTLY, "%"),
            units=units,
            programs=[*dict.fromkeys(_name(context, place) for place in some)],
        )
        for some, units in ((fed, False), (computing, True), (rest, None))
        if some
    ]
    evidence = [place.row for place in (*fed, *computing, *rest)]
    yield templates.LIMITS(evidence=evidence, n=len(shares), groups=groups)


def _predictions(
    context: Context, predictions: Sequence[KernelPrediction], launches: Mapping[str, int]
) -> Sentence | None:
    """Each program's factor over the prediction from its kernels, at its largest problem.

    Ratios whose interval includes 1 are left out.
    """
    largest: dict[str, KernelPrediction] = {}
    for one in predictions:
        rival = largest.get(one.benchmark)
        if rival is None or _extent(one) >= _extent(rival):
            largest[one.benchmark] = one
    shown = [one for one in largest.values() if not one.times.low <= 1.0 <= one.times.high]
    if not shown:
        return None
    shown.sort(key=lambda one: -one.times.median)
    return templates.PREDICTIONS(
        programs=[
            templates.PREDICTION.claim(
                program=_name(context, one),
                times=_quantity(one.times, one.row, launches),
                kernels=[part.kernel for part in one.parts],
            )
            for one in shown
        ]
    )


def _extent(prediction: KernelPrediction) -> float:
    size = prediction.point.get("working_set_bytes", 0)
    return 0.0 if isinstance(size, str) else float(size)


def _contention(
    context: Context, contentions: Sequence[Contention], launches: Mapping[str, int]
) -> Sentence | None:
    """Contention: the loss of a program with the most cores busy.

    The largest loss of all comes first. Insignificant losses are left out.
    """
    copies = max((one.copies for one in contentions), default=0)
    widest = (one for one in contentions if one.copies == copies)
    shown = (one for one in widest if not is_for_trying(context, one.benchmark, one.point))
    worst = best_of_each(shown, lambda one: one.benchmark, lambda one: one.lost.median)
    losing = [one for one in worst.values() if one.is_loss and one.lost.median >= _LEAST_REPORTED]
    if not losing:
        return None
    ordered = sorted(worst.values(), key=lambda one: -one.lost.median)
    first = max(losing, key=lambda one: one.lost.median)
    middle = ordered[len(ordered) // 2]
    no_more = templates.NOTHING.claim()
    if middle.is_loss:
        lost = _quantity(middle.lost, middle.row, launches, "%")
        no_more = templates.NO_MORE.claim(loss=lost)
    alike = [overlap(_ends(first), _ends(one)) for one in worst.values()]
    return templates.CONTENTION(
        evidence=(first.row, middle.row),
        busy=copies == context.machine.node.limits.n_usable_cores,
        copies=copies,
        loss=_quantity(first.lost, first.row, launches, "%"),
        n=len(ordered) if len(ordered) > 1 else None,
        no_more=no_more,
        alike=sum(alike) != 1,
        program=_name(context, first),
        cause=word_cause(first),
    )


def _ends(one: Contention) -> Ends:
    return one.lost.low, one.lost.high


def _of_first(context: Context, every: Sequence[_Compared]) -> list[_Compared]:
    """The rows of the first toolchain: sentences do not mix several."""
    first = first_stack(context)
    return [one for one in every if one.stack == first]


def _name(context: Context, one: RooflinePoint | KernelPrediction | Contention) -> str:
    """A program, its region if that has another name, its problem if it has a name or a size."""
    name = context.display_name(one.benchmark)
    benchmark = context.benchmarks.get(one.benchmark)
    size = benchmark.size if benchmark else None
    region = "" if one.benchmark.endswith(f"/{one.region}") else f" ({label_of(one.region)})"
    if size is not None and size.coordinate in one.point:
        point = {size.coordinate: one.point[size.coordinate]}
        return f"{name}{region}{word_point(context, one.benchmark, point)}"
    named = [value for value in one.point.values() if isinstance(value, str)]
    return f"{name}{region}{''.join(f' {word}' for word in named)}"
