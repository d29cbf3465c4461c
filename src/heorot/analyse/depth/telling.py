"""What the study of a node in depth says, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from heorot.analyse.depth.causes import word_cause
from heorot.analyse.depth.roofs import first_stack
from heorot.analyse.rows import is_for_trying, word_point
from heorot.analyse.wording import listed
from heorot.model.analysis.breakdown import Attribution, Middle
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.depth import DEPTH, Depth
from heorot.model.analysis.depth.roofs import Place, Wall
from heorot.model.analysis.depth.shares import Contention, Promise
from heorot.model.analysis.extremes import Ends, overlap
from heorot.model.analysis.result import Sentence
from heorot.model.resource import ONE_CORE
from heorot.units import format_binary, format_interval, format_quantity, plural

# Who reaches so much of a bound has it as the cause of its speed; who reaches less, in part.
_REACHED, _PARTLY = 0.8, 0.6
# From here on it is all of it.
_ALL = 0.995
# A rate is that of single loads if it is no more than so many times theirs.
_AS_SLOW_AS_WAITING = 2.0
_FEW = 3
_Told = TypeVar("_Told", Place, Promise, Contention)
# Smaller losses are no penalty.
_WORTH_SAYING = 0.05


def attribute(context: Context, depth: Depth) -> list[Attribution]:
    """For every program what limits the place that stands for it, on one core, and on most.

    They are told of the programs alone: the verdict has the sentence about all of them. Of several
    toolchains the first one is spoken of, here and in all sentences.

    Args:
        context: the run.
        depth: what was found.
    """
    places = [place for place in _of_first(context, depth.places) if place.headline]
    most: dict[str, int] = {}
    for place in places:
        most[place.benchmark] = max(place.cores, most.get(place.benchmark, 1))
    return [
        Attribution(
            benchmark=place.benchmark,
            text=f"{_name(context, place)}{_on(place)} {word_place(place, depth)}.",
            evidence=(place.row,),
            lost=0.0,
        )
        for place in places
        if place.cores in {1, most[place.benchmark]}
    ]


def tell(context: Context, depth: Depth) -> list[Sentence]:
    """The memory wall, what limits programs, what kernels promise, what company costs.

    Args:
        context: the run.
        depth: what was found.
    """
    launches = {row.id: row.n_launches for row in context.rows if row.derived}
    found = (
        _wall(depth, launches),
        *_limits(context, depth),
        _promises(context, _of_first(context, depth.promises), launches),
        _company(context, _of_first(context, depth.contentions), launches),
    )
    return [one.model_copy(update={"family": DEPTH}) for one in found if one is not None]


def word_place(place: Place, depth: Depth) -> str:
    """Such as `runs at 6.0 % of the peak, because its 96 MiB come from memory at 92 % of ...`.

    Args:
        place: of a program.
        depth: what was found.
    """
    # What passes its bound has none: no more is known of it than its share of the peak.
    reached = place.share
    of_peak = f"runs at {_share(place.of_peak, place)} of the peak"
    each = f"{format_quantity(place.intensity)} flop for each byte"
    if reached is None:
        return of_peak
    if place.by_units:
        return f"{of_peak}{_by_units(reached, each)}"
    whose = "what it works on comes"
    if place.working_set_bytes is not None:
        whose = f"the {format_binary(place.working_set_bytes)} it goes over come"
    if place.level:
        whose += f" from {place.home}"
    share = "all" if reached >= _ALL else _share(place.of_bound, place)
    if reached >= _PARTLY:
        giving = "both" if place.beside else place.level or "any level"
        because = "because" if reached >= _REACHED else "partly because"
        return f"{of_peak}, {because} {whose} at {share} of what {giving} can give: it does {each}"
    text = f"{of_peak}; {whose}, and {share} of what that allows with {each} is reached"
    return f"{text}: {_neither(place, depth)}"


def _share(share: Middle, place: Place) -> str:
    """A share of a bound, with the interval that the launches of the rate have."""
    return format_interval(share.median, share.low, share.high, "%", launches=place.n_launches)


def _by_units(reached: float, each: str) -> str:
    """How far the units are the limit, by the share of them that is reached."""
    if reached >= _REACHED:
        return f": it does {each}, so that the units alone limit it"
    if reached >= _PARTLY:
        return f": it does {each}, so that no bandwidth limits it, and the units do in part"
    return (
        f", though with {each} no bandwidth limits it: its operations wait for each other, or are "
        "not those that the units do best"
    )


def _neither(place: Place, depth: Depth) -> str:
    """What may limit a program that reaches neither of its bounds."""
    roofs = depth.roofs_of(place.of, place.stack)
    if roofs is not None and roofs.waiting is not None and place.level == roofs.waiting.level:
        alone = place.rate.median / (place.intensity * roofs.waiting.rate)
        if alone <= _AS_SLOW_AS_WAITING:
            return (
                f"this is no more than {_AS_SLOW_AS_WAITING:.0f} times what dependent loads give, "
                "so that it waits rather than streams"
            )
    return "neither units nor bandwidth limit it, but what its operations wait for"


def _interval(middle: Middle, key: str, launches: Mapping[str, int], unit: str = "") -> str:
    """A value with its interval, and of how many launches that is, by the key of its row."""
    return format_interval(middle.median, middle.low, middle.high, unit, launches=launches.get(key))


def _wall(depth: Depth, launches: Mapping[str, int]) -> Sentence | None:
    """What must be computed for each byte, on one core and on all."""
    if not depth.walls:
        return None
    stack = depth.walls[0].stack
    several = max(wall.of for wall in depth.walls)
    parts, evidence = [], []
    for of in dict.fromkeys((ONE_CORE, several)):
        walls = [w for w in depth.walls if (w.of, w.stack) == (of, stack)]
        if walls:
            words = [_word_wall(wall, launches) for wall in walls]
            parts.append(f"of {'one core' if of == ONE_CORE else f'{of.n} cores'} {listed(words)}")
            evidence += [wall.row for wall in walls]
    far = next(wall for wall in depth.walls if wall.row == evidence[-1])
    text = (
        f"Machine balance: {'; '.join(parts)}, "
        f"{_interval(far.flops_per_double, far.row, launches, 'flop')} per double"
    )
    return Sentence(text=f"{text}.", evidence=tuple(evidence), weight=0.7)


def _word_wall(wall: Wall, launches: Mapping[str, int]) -> str:
    balance = _interval(wall.flops_per_byte, wall.row, launches, "flop/B")
    return f"{balance} from {wall.level}"


def _limits(context: Context, depth: Depth) -> Iterator[Sentence]:
    """How many programs are limited by what, on one core; and the clearest case of it."""
    own = _of_first(context, depth.places)
    places = [place for place in own if place.headline and place.cores == 1]
    places = [one for one in places if not is_for_trying(context, one.benchmark, one.point)]
    shares = {place.row: place.share for place in places if place.share is not None}
    if not shares:
        return
    near = [place for place in places if shares.get(place.row, 0.0) >= _PARTLY]
    fed = [place for place in near if not place.by_units]
    computing = [place for place in near if place.by_units]
    rest = [place for place in places if shares.get(place.row, 1.0) < _PARTLY]
    if fed:
        clearest = min(
            fed,
            key=lambda one: (shares[one.row] < _REACHED, one.share_of_peak, -shares[one.row]),
        )
        text = f"On one core {_name(context, clearest)} {word_place(clearest, depth)}"
        yield Sentence(text=f"{text}.", evidence=(clearest.row,), weight=0.6)
    limit = format_quantity(_PARTLY, "%", 2)
    words = [
        f"{len(some)} reach{'es' * (len(some) == 1)} {what} ({_names(context, some)})"
        for some, what in (
            (fed, f"{limit} or more of the bandwidth roof"),
            (computing, f"{limit} or more of the peak"),
            (rest, "neither"),
        )
        if some
    ]
    text = f"Of {plural(len(shares), 'problem')} on one core {listed(words)}"
    evidence = tuple(place.row for place in (*fed, *computing, *rest))
    yield Sentence(text=f"{text}.", evidence=evidence, weight=0.3)


def _promises(
    context: Context, promises: Sequence[Promise], launches: Mapping[str, int]
) -> Sentence | None:
    """How many times as fast as the kernels it is made of each program is, by its largest problem.

    Nothing of it where the interval reaches both more and less than once.
    """
    largest: dict[str, Promise] = {}
    for one in promises:
        rival = largest.get(one.benchmark)
        if rival is None or _extent(one) >= _extent(rival):
            largest[one.benchmark] = one
    told = [one for one in largest.values() if not one.times.low <= 1.0 <= one.times.high]
    if not told:
        return None
    told.sort(key=lambda one: -one.times.median)
    words = [
        f"{_name(context, one)} runs {_interval(one.times, one.row, launches)} times as fast "
        f"({' and '.join(part.kernel for part in one.parts)})"
        for one in told
    ]
    text = f"Beside unblocked kernels that do the same work, {listed(words)}"
    evidence = tuple(one.row for one in told)
    return Sentence(text=f"{text}.", evidence=evidence, weight=0.5)


def _extent(promise: Promise) -> float:
    size = promise.point.get("working_set_bytes", 0)
    return 0.0 if isinstance(size, str) else float(size)


def _company(
    context: Context, contentions: Sequence[Contention], launches: Mapping[str, int]
) -> Sentence | None:
    """What it costs a program that as many cores of its node are busy as were ever measured.

    It begins with the largest loss of all. What may be chance is no loss.
    """
    copies = max((one.copies for one in contentions), default=0)
    worst: dict[str, Contention] = {}
    for one in contentions:
        rival = worst.get(one.benchmark)
        if is_for_trying(context, one.benchmark, one.point):
            continue
        if one.copies == copies and (rival is None or one.lost.median > rival.lost.median):
            worst[one.benchmark] = one
    losing = [one for one in worst.values() if one.is_loss and one.lost.median >= _WORTH_SAYING]
    if not losing:
        return None
    ordered = sorted(worst.values(), key=lambda one: -one.lost.median)
    first = max(losing, key=lambda one: one.lost.median)
    loss = _interval(first.lost, first.row, launches, "%")
    busy = copies == context.machine.node.limits.n_usable_cores
    when = f"all {copies} cores busy" if busy else f"{copies} copies at once"
    text = f"With {when}, {'a core' if busy else 'each'} loses up to {loss} of its speed"
    middle = ordered[len(ordered) // 2]
    if len(ordered) > 1:
        no_more = _interval(middle.lost, middle.row, launches, "%")
        text += f", and half of {len(ordered)} programs "
        text += f"no more than {no_more}" if middle.is_loss else "nothing beyond chance"
    alike = [overlap(_ends(first), _ends(one)) for one in worst.values()]
    text += f"; {'most' if sum(alike) == 1 else 'as much as anywhere'} in {_name(context, first)}"
    text += f": {word_cause(first)}"
    evidence = tuple(dict.fromkeys((first.row, middle.row)))
    return Sentence(text=f"{text}.", evidence=evidence, weight=0.65)


def _ends(one: Contention) -> Ends:
    return one.lost.low, one.lost.high


def _of_first(context: Context, every: Sequence[_Told]) -> list[_Told]:
    """Those of the first toolchain: sentences do not mix several."""
    first = first_stack(context)
    return [one for one in every if one.stack == first]


def _name(context: Context, one: Place | Promise | Contention) -> str:
    """A program, its region if that has another name, its problem if it has a name or a size."""
    name = context.spoken(one.benchmark)
    benchmark = context.benchmarks.get(one.benchmark)
    size = benchmark.size if benchmark else None
    region = "" if one.benchmark.endswith(f"/{one.region}") else f" ({one.region})"
    if size is not None and size.coordinate in one.point:
        point = {size.coordinate: one.point[size.coordinate]}
        return f"{name}{region}{word_point(context, one.benchmark, point)}"
    named = [value for value in one.point.values() if isinstance(value, str)]
    return f"{name}{region}{''.join(f' {word}' for word in named)}"


def _names(context: Context, places: Sequence[Place]) -> str:
    names = list(dict.fromkeys(_name(context, place) for place in places))
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more


def _on(place: Place) -> str:
    if place.copies:
        return f", {place.copies} copies at once,"
    return "" if place.cores == 1 else f" on {place.cores} cores"
