"""Groups cases into experiments: the smallest set of cases that answers a question.

A case of the score card answers how fast its program is; so does the first case of a program
without any other experiment. A case that belongs to no comparison is a detail.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, get_args

from heorot.model.catalogue.benchmark import PRIORITIES
from heorot.model.run.experiment import Question
from heorot.plan.candidate import Candidate

# Over nodes, so many "speed" experiments precede one experiment of each other question; inside one
# node there are few other questions, and all "speed" experiments come first. If the user sets the
# ranks per node, "spread" takes as many in turn.
_SEVERAL_IN_TURN = 3


@dataclass(frozen=True)
class Group:
    """An experiment, its cases given by their indices among the candidates.

    Attributes:
        question: the question that it answers.
        least: cases that are required for an answer.
        further: cases that refine the answer.
    """

    question: Question
    least: tuple[int, ...]
    further: tuple[int, ...] = ()


class _Cases:
    """Cases of one program that solve the same problem with the same toolchain, one per layout."""

    def __init__(self, candidates: Sequence[Candidate], places: Sequence[int]) -> None:
        layouts: dict[tuple[Any, ...], int] = {}
        for place in sorted(places, key=lambda place: _priority(candidates[place])):
            one, case = candidates[place], candidates[place].case
            star = one.setup.is_star
            layouts.setdefault((case.nodes, case.ranks, case.threads, star, one.network), place)
        self.of = candidates
        self.alone = [p for (*_, star, _), p in sorted(layouts.items()) if not star]
        self.copies = [p for (*_, star, _), p in sorted(layouts.items()) if star]

    def cores(self, place: int) -> int:
        """Cores that a case takes."""
        return self.of[place].setup.cores

    def in_node(self) -> list[int]:
        """Cases of one node by number of cores; at equal cores those with more ranks first."""
        found = [place for place in self.alone if self.of[place].case.nodes == 1]
        return sorted(found, key=lambda place: (self.cores(place), self.of[place].case.threads))


def experiments_of(candidates: Sequence[Candidate], *, filled: bool = False) -> list[Group]:
    """All experiments that the cases make, in order of priority.

    The questions take turns, and within a question the programs, the most instructive first;
    details come last.

    Args:
        candidates: cases that may run.
        filled: whether the user sets the number of ranks per node.
    """
    groups = list(_compared(candidates))
    used = set(chain.from_iterable((*group.least, *group.further) for group in groups))
    links = list(_links(candidates))
    shown = {one.benchmark.name for one in candidates if one.case.priority == PRIORITIES[0]}
    shown |= {candidates[place].benchmark.name for place in used}
    used.update(group.least[0] for group in links)
    groups += links
    for place, one in enumerate(candidates):
        if one.case.each_node:
            groups.append(Group("equals", (place,)))
        elif one.case.priority == PRIORITIES[0] or one.benchmark.name not in shown:
            shown.add(one.benchmark.name)
            groups.append(Group("speed", (place,)))
        elif place not in used:
            groups.append(Group("details", (place,)))
    over_nodes = any(one.case.nodes > 1 for one in candidates)
    speeds = _SEVERAL_IN_TURN if over_nodes else len(groups)
    spreads = _SEVERAL_IN_TURN if filled else 1
    return _in_turns(candidates, groups, {"speed": speeds, "links": len(groups), "spread": spreads})


def _links(candidates: Sequence[Candidate]) -> Iterator[Group]:
    """Experiments on the links of all nodes at once, per network, with the fewest ranks."""
    most = max((one.case.nodes for one in candidates), default=1)
    fewest: dict[tuple[str, str, str], int] = {}
    for place, one in enumerate(candidates):
        if "links" in one.benchmark.suits and one.case.nodes == most > 1:
            over = (one.benchmark.name, one.toolchain.name, one.network)
            known = fewest.setdefault(over, place)
            if one.case.ranks < candidates[known].case.ranks:
                fewest[over] = place
    yield from (Group("links", (place,)) for place in fewest.values())


def _compared(candidates: Sequence[Candidate]) -> Iterator[Group]:
    problems: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    elsewhere: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    otherwise: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for place, one in enumerate(candidates):
        case, setup = one.case, one.setup
        if case.each_node or case.kind:
            continue
        asked = case.problem(one.benchmark.problem)
        problems[setup.benchmark, setup.toolchain, asked].append(place)
        elsewhere[setup.benchmark, setup.case, setup.toolchain].append(place)
        otherwise[setup.benchmark, setup.case, setup.network].append(place)
    for places in problems.values():
        cases = _Cases(candidates, places)
        yield from _within_a_node(cases)
        yield from _over_nodes(cases)
    yield from (Group("networks", tuple(places)) for places in elsewhere.values() if places[1:])
    for places in otherwise.values():
        if places[1:] and candidates[places[0]].case.priority == PRIORITIES[0]:
            yield Group("toolchains", tuple(places))


def _within_a_node(cases: _Cases) -> Iterator[Group]:
    own = cases.in_node()
    if not own:
        return
    one, most = own[0], cases.cores(own[-1])
    whole = [place for place in own if cases.cores(place) == most]
    between = [place for place in own if cases.cores(one) < cases.cores(place) < most]
    if cases.cores(one) < most:
        yield Group("cores", (one, whole[0]), tuple(between))
    if whole[1:]:
        yield Group("layouts", (whole[0], whole[-1]), tuple(whole[1:-1]))
    copies = sorted(cases.copies, key=lambda place: -cases.of[place].case.ranks)
    if copies and cases.cores(one) == 1:
        yield Group("copies", (one, copies[0]), tuple(copies[1:]))


def _over_nodes(cases: _Cases) -> Iterator[Group]:
    """More nodes with equal ranks per node, and equal ranks on more nodes, per network."""
    networks = sorted({cases.of[p].network for p in cases.alone if cases.of[p].case.nodes > 1})
    for network in networks:
        own = [place for place in cases.alone if cases.of[place].network in ("", network)]
        yield from _growing("nodes", cases, own, lambda case: (case.per_node, case.threads))
        yield from _growing("spread", cases, own, lambda case: (case.ranks, case.threads))


def _growing(
    question: Question, cases: _Cases, places: Sequence[int], alike: Callable[[Any], Any]
) -> Iterator[Group]:
    """Cases that differ only in their number of nodes; series that begin on one node come first."""
    found: dict[Any, list[int]] = defaultdict(list)
    for place in places:
        found[alike(cases.of[place].case)].append(place)
    fullest = [
        sorted(same, key=lambda place: cases.of[place].case.nodes)
        for _, same in sorted(found.items(), reverse=True)
    ]
    for ordered in sorted(fullest, key=lambda ordered: cases.of[ordered[0]].case.nodes):
        if cases.of[ordered[0]].case.nodes < cases.of[ordered[-1]].case.nodes:
            yield Group(question, (ordered[0], ordered[-1]), tuple(ordered[1:-1]))


def _in_turns(
    candidates: Sequence[Candidate], groups: Sequence[Group], in_turn: Mapping[Question, int]
) -> list[Group]:
    queues: dict[Question, list[Group]] = {}
    for question in get_args(Question):
        own = [group for group in groups if group.question == question]
        queues[question] = [own[place] for place in _by_worth(candidates, own)]
    ordered: list[Group] = []
    details = queues.pop("details")
    while any(queues.values()):
        for question, queue in queues.items():
            n = in_turn.get(question, 1)
            ordered += queue[:n]
            del queue[:n]
    return [*ordered, *details]


def _by_worth(candidates: Sequence[Candidate], groups: Sequence[Group]) -> list[int]:
    """Indices of the experiments of a question, the most instructive first.

    Programs and families take turns, so that a lack of time affects all of them alike.
    """
    turns: Counter[str] = Counter()
    keys: list[tuple[int, ...]] = []
    importance = [max(_priority(candidates[place]) for place in group.least) for group in groups]
    for number in sorted(range(len(groups)), key=lambda number: (importance[number], number)):
        benchmark = candidates[groups[number].least[0]].benchmark
        keys.append(
            (
                turns[benchmark.name],
                groups[number].question not in benchmark.suits,
                importance[number],
                turns[benchmark.family],
                number,
            )
        )
        turns.update((benchmark.name, benchmark.family))
    return [key[-1] for key in sorted(keys)]


def _priority(candidate: Candidate) -> int:
    return PRIORITIES.index(candidate.case.priority)
