"""Explains numbers against their ceilings and refuses those that exceed them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from heorot.analyse.rows import capability
from heorot.model.analysis.context import Context, Uses
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Ceiling, Reference
from heorot.model.resource import Resource
from heorot.model.run.identity import Stack


@dataclass(frozen=True)
class Limit:
    """The ceiling of a row, in the row's unit.

    Attributes:
        value: what the row's share is taken of: what the machine was seen to do.
        most: what the row cannot exceed; None if the ceiling is doubtful, because something else
            disturbed the machine meanwhile or because it is far from its own ceiling: then it
            is too uncertain to call anything impossible.
        is_own: whether the row is itself the ceiling.
    """

    rule: Ceiling
    by: Result
    value: float
    most: float | None
    is_own: bool


@dataclass(frozen=True)
class _Share:
    """So much of a resource, on all nodes together.

    Attributes:
        nodes: on so many nodes.
        between: whether these share it, so that there is one of it.
    """

    uses: Uses
    of: Resource
    n: int
    nodes: int
    between: bool

    @property
    def of_node(self) -> int:
        """Of each node."""
        return self.n // self.nodes

    def is_reported_by(self, row: Result) -> bool:
        """Whether a row tells what it yields: used as much of a node, or one unit."""
        used = self.uses.much(row, self.of)
        if not self.n or not used:
            return False
        if self.between:
            return row.nodes >= self.nodes
        return row.nodes in {1, self.nodes} and used // row.nodes in {1, self.of_node}

    def is_all_of(self, row: Result) -> bool:
        """Whether a row used as much of a node."""
        return self.between or self.uses.much(row, self.of) // row.nodes == self.of_node

    def times(self, row: Result, reference: Reference) -> float:
        """The factor from what a row measured to this share of the resource."""
        return self.n / (1 if reference.of_each else self.uses.much(row, self.of))


class CeilingFinder:
    """Finds the measured ceiling of a row.

    Args:
        context: the run; of the rows, those that are wrong or impossible are no ceilings.
    """

    def __init__(self, context: Context) -> None:
        self._benchmarks = context.benchmarks
        self._rules = {name: one.ceilings for name, one in context.benchmarks.items()}
        self._references, self._uses = context.references, context.uses
        self._measured: dict[str, list[Result]] = {}
        self._alike = context.machine.node.n_alike
        self._found: dict[tuple[Hashable, ...], Limit | None] = {}

    def rule_for(self, row: Result) -> Ceiling | None:
        """The rule of the row's program that names a measured ceiling, if any."""
        for rule in self._rules.get(row.benchmark, ()):
            if rule.by and concerns(rule, row):
                return rule
        return None

    def limit_of(self, row: Result) -> Limit | None:
        """The ceiling of a row; None if there is none or it was not measured."""
        rule = self.rule_for(row)
        least = (
            rule.reach[2] * float(row.point.get(rule.reach[0], 0)) if rule and rule.reach else 0.0
        )
        own = row.id if rule and self.publishes(rule, row) else ""
        share = self._share_of(rule, row) if rule else None
        key = (own, row.benchmark, row.region, row.metric, row.stack, share, row.nodes, least)
        if key not in self._found:
            self._found[key] = self._measure(rule, row, least, share) if rule and share else None
        return self._found[key]

    def publishes(self, rule: Ceiling, row: Result) -> bool:
        """Whether the row's own program is among those that measure the ceiling."""
        published = self._references.publisher(rule.by)
        return published is not None and published[0] == row.benchmark

    def _measure(self, rule: Ceiling, row: Result, least: float, share: _Share) -> Limit | None:
        """The best row that used as much of a node, else the best of one unit, times the others.

        Of a node with several kinds of cores, one core says nothing of more than its kind has.

        Undisturbed rows come before disturbed ones that did no more. What limits a node is the best
        that any toolchain gets from it; between nodes a library and its network have limits of
        their own.
        """
        published = self._references.publisher(rule.by)
        if published is None:
            return None
        reference = published[1]
        # A node by itself uses no network, and its rows name none.
        if rule.by not in self._measured:
            self._measured[rule.by] = self._references.find(rule.by)
        found = [
            candidate
            for candidate in self._measured[rule.by]
            if share.is_reported_by(candidate) and _reaches(candidate, rule, least)
        ]
        if row.nodes > 1:
            stacks = {row.stack, Stack(row.stack.toolchain)}
            found = [c for c in found if c.stack in stacks] or found
        usable = [candidate for candidate in found if not candidate.disturbed] or found
        apart = rule.of.kind == "cores" and share.of_node > self._alike
        if not usable or (apart and not any(map(share.is_all_of, usable))):
            return None
        own = self._moved(rule, row)

        def value(one: Result) -> float:
            times = rule.factor * share.times(one, reference)
            return capability(one) * self._moved(rule, one) / own * times

        # A disturbance slows down: who did more in spite of one is the better ceiling.
        by = max(_best(usable, share, value), _best(found, share, value), key=value)
        # A region that is among its own ceilings cannot vouch for itself.
        witnesses = [c for c in usable if (c.benchmark, c.region) != (row.benchmark, row.region)]
        most = max(map(value, witnesses), default=None)
        if by.disturbed or is_off(by, reference):
            most = None
        return Limit(rule, by, value(by), most, by.id == row.id)

    def _share_of(self, rule: Ceiling, row: Result) -> _Share:
        """How much of the resource that limits a row has to be measured."""
        of, n, nodes = self._uses.which(row, rule.of), rule.of.n, 1
        if n is None:
            n, nodes = self._uses.much(row, of), row.nodes
        return _Share(self._uses, of, n, nodes, self._uses.is_between_nodes(of))

    def _moved(self, rule: Ceiling, row: Result) -> float:
        """What the rule compares of a row, for each of its units."""
        known = self._benchmarks.get(row.benchmark) if rule.carried else None
        return known.moves(row.region).carried if known else 1.0


def _best(rows: list[Result], share: _Share, value: Callable[[Result], float]) -> Result:
    """The best of those that used as much of a node, if there are any."""
    return max([one for one in rows if share.is_all_of(one)] or rows, key=value)


def is_off(row: Result, reference: Reference) -> bool:
    """Whether a row that measured a ceiling is far from its own, below or above.

    All of its interval has to be: a wide one says that it is not known, not that it is wrong.
    """
    share, least = row.share_of_ceiling, reference.least_share
    if least <= 0.0 or share is None:
        return False
    low, high = (share * end / row.median for end in (row.ci_low, row.ci_high))
    return high < least or low > 1.0 / least


def _reaches(row: Result, rule: Ceiling, least: float) -> bool:
    return rule.reach is None or float(row.point.get(rule.reach[1], 0)) >= least


def concerns(rule: Ceiling, row: Result) -> bool:
    """Whether a rule limits a row."""
    return rule.metric == row.metric and (not rule.regions or row.region in rule.regions)


def refuse_impossible(context: Context) -> list[Result]:
    """Rows that exceed what no machine does, with their share of that."""
    refused = []
    for row in context.rows:
        benchmark = context.benchmarks.get(row.benchmark)
        for rule in benchmark.ceilings if benchmark else ():
            if rule.most is not None and concerns(rule, row) and row.ci_low > rule.most:
                update = {"share_of_ceiling": row.median / rule.most, "plausible": False}
                refused.append(row.model_copy(update=update))
    return refused


def apply_ceilings(context: Context, rows: Iterable[Result] | None = None) -> list[Result]:
    """The rows that have a measured ceiling, with their share of it; the impossible ones marked.

    A row is implausible if even the low end of its interval lies above the high end of the
    ceiling's by more than the rule's slack: then the counts, the timer or the ceiling is wrong,
    and that is ours to find. Several cores may exceed what several cores were seen to do, as that
    is easily disturbed, but not what one core does times their number. What was refused before
    stays refused. A row that is itself the best measured has no share, as that would be one of
    itself; nor has one whose limit is there only to refuse what is impossible.
    """
    finder = CeilingFinder(context)
    judged = []
    for row in context.rows if rows is None else rows:
        limit = finder.limit_of(row)
        if limit is None or row.plausible is False:
            continue
        share: float | None = row.median / limit.value
        plausible = None
        if limit.most is not None:
            plausible = row.ci_low <= limit.rule.slack * limit.most
        if limit.is_own:
            impossible = limit.most is not None and plausible is False
            share = row.median / limit.most if impossible and limit.most else None
        elif limit.rule.refuses_only and plausible is not False:
            share = None
        update = {
            "share_of_ceiling": share,
            "plausible": plausible,
            "is_ceiling": limit.is_own and share is None,
        }
        judged.append(row.model_copy(update=update))
    return judged
