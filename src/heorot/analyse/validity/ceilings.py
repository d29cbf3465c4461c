"""Compares numbers with their bounds and refuses those that exceed them."""

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
    """The bound of a row, in the row's unit.

    Attributes:
        value: denominator of the row's share: the best measured value.
        most: the largest plausible value; None if the bound is suspect, because its measurement was
            perturbed or because it is far from its own bound: then it is too uncertain for a
            verdict.
        is_own: whether the row is itself the bound.
    """

    rule: Ceiling
    by: Result
    value: float
    most: float | None
    is_own: bool


@dataclass(frozen=True)
class _Share:
    """An amount of a resource, on all nodes together.

    Attributes:
        nodes: number of nodes.
        between: whether the nodes share one such resource.
    """

    uses: Uses
    of: Resource
    n: int
    nodes: int
    between: bool

    @property
    def of_node(self) -> int:
        """The amount per node."""
        return self.n // self.nodes

    def is_reported_by(self, row: Result) -> bool:
        """Whether a row has a known yield: used that much of a node, or one unit."""
        used = self.uses.much(row, self.of)
        if not self.n or not used:
            return False
        if self.between:
            return row.nodes >= self.nodes
        return row.nodes in {1, self.nodes} and used // row.nodes in {1, self.of_node}

    def is_all_of(self, row: Result) -> bool:
        """Whether a row used that much of a node."""
        return self.between or self.uses.much(row, self.of) // row.nodes == self.of_node

    def times(self, row: Result, reference: Reference) -> float:
        """The factor from what a row measured to this share of the resource."""
        return self.n / (1 if reference.of_each else self.uses.much(row, self.of))


class CeilingFinder:
    """Finds the measured bound of a row.

    Args:
        context: the run; wrong or implausible rows are no bounds.
    """

    def __init__(self, context: Context) -> None:
        self._benchmarks = context.benchmarks
        self._rules = {name: one.ceilings for name, one in context.benchmarks.items()}
        self._references, self._uses = context.references, context.uses
        self._measured: dict[str, list[Result]] = {}
        self._alike = context.machine.node.n_alike
        self._found: dict[tuple[Hashable, ...], Limit | None] = {}

    def rule_for(self, row: Result) -> Ceiling | None:
        """The rule of the row's program that names a measured bound, if any."""
        for rule in self._rules.get(row.benchmark, ()):
            if rule.by and concerns(rule, row):
                return rule
        return None

    def limit_of(self, row: Result) -> Limit | None:
        """The bound of a row; None if there is none or it was not measured."""
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
        """Whether the row's own program is among those that measure the bound."""
        published = self._references.publisher(rule.by)
        return published is not None and published[0] == row.benchmark

    def _measure(self, rule: Ceiling, row: Result, least: float, share: _Share) -> Limit | None:
        """The best row with the same use of a node, else the best of one unit, times the units.

        On a node with several core types, one core does not represent more cores than its type has.

        Unperturbed rows are preferred to perturbed ones that are no faster. The bound of a node is
        the best result of any toolchain; between nodes each library and network has its own bounds.
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

        # Perturbations only slow down: a faster perturbed row is the better bound.
        by = max(_best(usable, share, value), _best(found, share, value), key=value)
        # A region that is among its own bounds does not confirm itself.
        witnesses = [c for c in usable if (c.benchmark, c.region) != (row.benchmark, row.region)]
        most = max(map(value, witnesses), default=None)
        if by.disturbed or is_off(by, reference):
            most = None
        return Limit(rule, by, value(by), most, by.id == row.id)

    def _share_of(self, rule: Ceiling, row: Result) -> _Share:
        """The amount of the limiting resource that has to be measured."""
        of, n, nodes = self._uses.which(row, rule.of), rule.of.n, 1
        if n is None:
            n, nodes = self._uses.much(row, of), row.nodes
        return _Share(self._uses, of, n, nodes, self._uses.is_between_nodes(of))

    def _moved(self, rule: Ceiling, row: Result) -> float:
        """The amount of a row that the rule compares, for each of its units."""
        known = self._benchmarks.get(row.benchmark) if rule.carried else None
        return known.moves(row.region).carried if known else 1.0


def _best(rows: list[Result], share: _Share, value: Callable[[Result], float]) -> Result:
    """The best row with that use of a node, if there is one."""
    return max([one for one in rows if share.is_all_of(one)] or rows, key=value)


def is_off(row: Result, reference: Reference) -> bool:
    """Whether a row that measured a bound is far from its own bound, below or above.

    Its whole interval has to be: a large uncertainty does not show a wrong value.
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
    """Rows that exceed the limit of any machine, with their share of that."""
    refused = []
    for row in context.rows:
        benchmark = context.benchmarks.get(row.benchmark)
        for rule in benchmark.ceilings if benchmark else ():
            if rule.most is not None and concerns(rule, row) and row.ci_low > rule.most:
                update = {"share_of_ceiling": row.median / rule.most, "plausible": False}
                refused.append(row.model_copy(update=update))
    return refused


def apply_ceilings(context: Context, rows: Iterable[Result] | None = None) -> list[Result]:
    """The rows that have a measured bound, with their share of it; the implausible ones marked.

    A row is implausible if even the low end of its interval exceeds the high end of the bound's by
    more than the rule's slack: then the counts, the timer or the bound is wrong, a defect of
    Heorot. A result on several cores may exceed the measurement on that many cores, which is easily
    perturbed, but not the one-core value times their number. Refused rows stay refused. The row
    that is itself the best measurement has no share, as that would be one of itself; nor has a row
    whose limit serves only to refuse implausible values.
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
