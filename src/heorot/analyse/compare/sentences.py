"""The verdict on several systems: sentences whose numbers are also in the tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from heorot.analyse.templates import systems as templates
from heorot.analyse.templates.quantities import of_ends
from heorot.analyse.templates.template import Template
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.comparison import ComparedGroup, ComparedMetric, Comparison
from heorot.model.analysis.result import Sentence
from heorot.model.analysis.studies.systems import Advantage, CoreCount, Fact, lead_of, letter_of
from heorot.model.catalogue.benchmark import Benchmark

_BUILT = ("sources", "compiler", "flags", "MPI", "BLAS")
_MOST_GAPS = 2
# With more further systems than these, sentences name bounds rather than single programs.
_MOST_SYSTEMS = 3
_MOST_PROGRAMS = 4
# Programs or systems in an enumeration, of which the first has its factor.
_MOST_NAMED = 2


def make_system_sentences(
    comparisons: Sequence[Comparison],
    advantages: Sequence[Advantage],
    facts: Sequence[Fact],
    benchmarks: Mapping[str, Benchmark],
    *,
    builds_known: bool,
) -> tuple[Sentence, ...]:
    """Sentences: which system is faster, where the gap widens, possible causes, what is open.

    Args:
        comparisons: of each further system with the first.
        benchmarks: programs by name.
        builds_known: whether the build of every program is on record in every run.
    """
    return (
        *(_by_programs if len(comparisons) > _MOST_SYSTEMS else _by_systems)(comparisons),
        *_gaps(advantages, benchmarks),
        _causes(facts),
        _of_builds(comparisons, builds_known=builds_known),
        *_open(comparisons, advantages),
    )


def _by_systems(comparisons: Sequence[Comparison]) -> list[Sentence]:
    return [_of_system(one, number) for number, one in enumerate(comparisons, start=1)]


def _by_programs(comparisons: Sequence[Comparison]) -> list[Sentence]:
    """Systems ahead of and behind the first: at each bound, then at single programs."""
    found: dict[str, list[tuple[str, ComparedGroup]]] = {}
    for number, one in enumerate(comparisons, start=1):
        programs = (group for group in one.groups if "/" in group.name)
        for group in (*one.bounds, *programs):
            if group.verdict != "indistinguishable" and not group.is_spoilt:
                found.setdefault(group.name, []).append((letter_of(number), group))
    order = sorted(found, key=lambda name: ("/" in name, -_furthest(found[name])))
    chosen = [_at(name, found[name]) for name in order[:_MOST_PROGRAMS]]
    n = sum("/" in group.name for group in comparisons[0].groups)
    return chosen or [templates.ALIKE(n=n, name="All others", base=letter_of(0))]


def _furthest(groups: Sequence[tuple[str, ComparedGroup]]) -> float:
    return max(abs(math.log(group.geometric_mean_ratio)) for _, group in groups)


def _at(program: str, groups: Sequence[tuple[str, ComparedGroup]]) -> Sentence:
    """Systems ahead and behind at one program, the largest differences first."""
    ordered = sorted(groups, key=lambda each: -_furthest([each]))
    faster, slower = (
        _enumerate(
            [(letter, group) for letter, group in ordered if group.verdict == verdict],
            lambda letter, group: templates.SYSTEM.claim(
                name=letter, gain=_gain(group), layouts=_layouts(group)
            ),
        )
        for verdict in ("better", "worse")
    )
    named = _name(program)
    if faster:
        return templates.AT(program=named, base=letter_of(0), faster=faster, slower=slower)
    return templates.AT_WORST(program=named, base=letter_of(0), slower=slower)


def _enumerate(
    found: Sequence[tuple[str, ComparedGroup]], claim: Callable[[str, ComparedGroup], Claim]
) -> list[Claim]:
    """The first with its factor, the second by its name; whether there are more."""
    named = [claim(*found[0])] if found else []
    others = ["others"] if len(found) > _MOST_NAMED else []
    names = (*(name for name, _ in found[1:_MOST_NAMED]), *others)
    return [*named, *(templates.NAME.claim(name=name) for name in names)]


def _name(group: str) -> str:
    """A program by its name; a bound as `compute-bound programs`."""
    return group if "/" in group else f"{group} programs"


def _layouts(group: ComparedGroup) -> str:
    part = "in part " if group.n_by_cores < group.n else ""
    return f"{part}in other layouts" if group.n_by_cores else ""


def _of_system(comparison: Comparison, number: int) -> Sentence:
    """Where a system is faster and slower than the first; bounds before programs."""
    name, base = letter_of(number), letter_of(0)
    if not comparison.groups:
        return templates.NOTHING(name=name, base=base)
    programs = [group for group in comparison.groups if "/" in group.name]
    chosen = [group for group in (*comparison.bounds, *programs) if not group.is_spoilt]
    if not chosen:
        return templates.SPOILT(name=name, base=base)
    faster, slower = (_named(chosen, verdict) for verdict in ("better", "worse"))
    if faster:
        return templates.FASTER(name=name, base=base, faster=faster, slower=slower)
    if slower:
        return templates.SLOWER(name=name, base=base, slower=slower)
    return templates.ALIKE(n=len(programs), name=name, base=base)


def _named(groups: Sequence[ComparedGroup], verdict: str) -> list[Claim]:
    """Bounds first, then the largest difference first."""
    found = [group for group in groups if group.verdict == verdict]
    found.sort(key=lambda group: ("/" in group.name, -abs(math.log(group.geometric_mean_ratio))))
    return _enumerate(
        [(_name(group.name), group) for group in found],
        lambda name, group: templates.PROGRAM.claim(
            program=name, gain=_gain(group), layouts=_layouts(group)
        ),
    )


def _gain(group: ComparedGroup) -> Quantity:
    """The factor between the faster and the slower side."""
    mean, low, high = group.geometric_mean_ratio, group.low, group.high
    ends = (mean, low, high) if mean >= 1.0 else (1.0 / mean, 1.0 / high, 1.0 / low)
    return of_ends(ends, None)


def _gaps(advantages: Sequence[Advantage], benchmarks: Mapping[str, Benchmark]) -> list[Sentence]:
    """The gaps that change most with the core count."""
    clear = [each for each in advantages if each.trend in {"grows", "turns"}]
    clear.sort(key=lambda each: -abs(math.log(each.counts[-1].ratio / each.counts[0].ratio)))
    return [_gap(each, benchmarks) for each in clear[:_MOST_GAPS]]


def _gap(one: Advantage, benchmarks: Mapping[str, Benchmark]) -> Sentence:
    few, many = one.counts[0], one.counts[-1]
    benchmark = benchmarks.get(one.benchmark)
    size = benchmark.size if benchmark else None
    where = f" {size.word(one.point)}" if size and size.coordinate in one.point else ""
    common: dict[str, Any] = {
        "problem": f"{one.benchmark}{where}",
        "few_cores": few.cores,
        "many_cores": many.cores,
        "many": _lead(many, many),
    }
    letters = (letter_of(0), letter_of(one.other))
    ahead, behind = letters[many.ratio >= 1.0], letters[many.ratio < 1.0]
    if one.trend == "turns":
        return templates.TURNS(first=behind, second=ahead, few=_lead(few, few), **common)
    if few.verdict == "indistinguishable":
        return templates.OPENS(leader=ahead, other=behind, **common)
    return templates.GROWS(leader=ahead, other=behind, few=_lead(few, many), **common)


def _lead(one: CoreCount, leading: CoreCount) -> Quantity:
    """The advantage of the leading system there, as a share."""
    low, high = one.low or one.ratio, one.high or one.ratio
    lead, least, most = map(lead_of, (one.ratio, low, high))
    ends = (lead, least, most) if leading.ratio >= 1.0 else (-lead, -most, -least)
    return of_ends(ends, None, "%")


def _causes(facts: Sequence[Fact]) -> Sentence:
    differing = list(dict.fromkeys(_whole(fact) for fact in facts if fact.differs and fact.touches))
    unknown = list(dict.fromkeys(_whole(fact) for fact in facts if fact.is_unknown))
    if differing:
        return templates.CAUSES(facts=differing, n=len(differing), unknown=unknown)
    return templates.NO_CAUSES(unknown=unknown)


def _whole(fact: Fact) -> str:
    """The subject of a fact, without its part."""
    return fact.what.partition(":")[0]


def _of_builds(comparisons: Sequence[Comparison], *, builds_known: bool) -> Sentence:
    """Whether the programs of all systems were built alike: a condition of every conclusion."""
    differing = {one.what for comparison in comparisons for one in comparison.differences}
    if differing:
        return templates.OTHER_BUILDS(what=[what for what in _BUILT if what in differing])
    if not builds_known:
        return templates.UNKNOWN_BUILDS()
    return templates.EQUAL_BUILDS(what=[*_BUILT])


def _open(comparisons: Sequence[Comparison], advantages: Sequence[Advantage]) -> Iterator[Sentence]:
    """The cases that allow no conclusion, if any."""
    metrics = [metric for one in comparisons for metric in one.metrics]
    n_same = sum(metric.verdict == "indistinguishable" for metric in metrics)
    parts = []
    if n_same:
        parts.append(templates.INDISTINGUISHABLE.claim(n=n_same, compared=len(metrics)))
    undecided = [
        f"{group.name} of {letter_of(number)}"
        for number, one in enumerate(comparisons, start=1)
        for group in one.groups
        if group.lacks and "/" in group.name and not group.is_spoilt
    ]
    spoilt = [
        f"{group.name} of {letter_of(number)}"
        for number, one in enumerate(comparisons, start=1)
        for group in one.groups
        if group.is_spoilt and "/" in group.name
    ]
    if spoilt:
        parts.append(templates.LEFT_OPEN.claim(programs=spoilt))
    if undecided:
        parts.append(templates.TOO_FEW.claim(programs=undecided))
    marks: tuple[tuple[Template, Callable[[ComparedMetric], bool]], ...] = (
        (templates.UNTESTED, lambda metric: metric.verdict == "untested"),
        (templates.DISTURBED, lambda metric: bool(metric.disturbed)),
        (templates.CROWDED, lambda metric: bool(metric.crowded)),
        (templates.BY_CORES, lambda metric: "layout" in metric.differs),
    )
    for template, is_such in marks:
        n = sum(map(is_such, metrics))
        if n:
            parts.append(template.claim(n=n))
    n_unclear = sum(each.trend == "unclear" for each in advantages)
    if n_unclear:
        parts.append(templates.UNCLEAR.claim(n=n_unclear))
    if parts:
        yield templates.OPEN(open=parts)
