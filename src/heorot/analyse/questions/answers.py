"""Answers the questions of a plan: the part of each experiment that ran, and its numbers.

Of every program the experiment with the layout common to most programs counts, then the largest
one; the others are in the tables of the program. Of several toolchains, which are compared
elsewhere, the one with most experiments counts, of equals the first.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from heorot.analyse.explain.copies import METRIC
from heorot.analyse.explain.reach import Reach
from heorot.analyse.explain.spread.divisions import Divisions
from heorot.analyse.explain.spread.pairs import find_pairs
from heorot.analyse.questions.claims import TIMES, make_claims, make_growth_claims
from heorot.analyse.questions.gaps import find_gaps
from heorot.analyse.questions.growing import grown
from heorot.analyse.questions.lines import (
    Layout,
    Line,
    copy_line,
    faster_line,
    growing_line,
    longer_line,
    size_changes,
    spread_line,
)
from heorot.analyse.questions.numbers import Numbers
from heorot.analyse.questions.reasons import Reasons
from heorot.analyse.templates.quantities import is_difference, size
from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.placement import NETWORK_LOSS
from heorot.model.analysis.studies.answers import Answer, SizeChanges
from heorot.model.run.experiment import ASKED, Experiment, Question
from heorot.model.run.identity import Setup

# With fewer sizes the tables of a program suffice.
_LEAST_SIZES = 3
_SPEEDUPS: frozenset[Question] = frozenset({"cores", "nodes"})
_BY_MESSAGES: frozenset[Question] = frozenset({"spread", "networks"})
_BY_SIZE: frozenset[Question] = frozenset({"cores", "nodes", "spread", "networks"})


def answer_questions(
    context: Context, experiments: Sequence[Experiment], breakdowns: Sequence[Breakdown]
) -> tuple[Answer, ...]:
    """The answers of a run, in the order of the questions; none for a plan without experiments."""
    asked = {
        question: [one for one in experiments if one.question == question] for question in ASKED
    }
    run = _Run(context, tuple(breakdowns))
    return tuple(run.answer(question, own) for question, own in asked.items() if own)


@dataclass(frozen=True)
class _Run:
    """A run to be analysed.

    Attributes:
        context: all its rows, derived ones too.
    """

    context: Context
    breakdowns: tuple[Breakdown, ...]

    @cached_property
    def numbers(self) -> Numbers:
        """The measured numbers, by setup."""
        return Numbers(self.context)

    @cached_property
    def divisions(self) -> Divisions:
        """Breakdowns of bodies' times."""
        return Divisions(self.breakdowns)

    @cached_property
    def reasons(self) -> Reasons:
        """Reasons for the scaling of programs, and for gains or losses on less full nodes."""
        reach = Reach(self.context.steps, self.context.machine)
        return Reasons(self.context, self.divisions, reach)

    def answer(self, question: Question, experiments: Sequence[Experiment]) -> Answer:
        """The answer to a question.

        Args:
            experiments: those of the question, at least one.
        """
        gaps = find_gaps(self.context, experiments)
        chains = Counter(one.setups[0].toolchain for one in experiments)
        ((first, _),) = chains.most_common(1)  # of equals the first one
        own = [one for one in experiments if one.setups[0].toolchain == first]
        lines = _order(question, _choose(self._lines(question, own)))
        growing = sorted(
            _choose(self._growing(question, own)), key=lambda line: line.answer.value.median
        )
        return Answer(
            question=question,
            n_answered=len(experiments) - len(gaps),
            sentences=(
                *make_claims(question, self.context, lines),
                *make_growth_claims(question, self.context, growing),
            ),
            lines=tuple(line.answer for line in lines),
            growing=tuple(line.answer for line in growing),
            sizes=tuple(self._sizes(question, own)),
            gaps=gaps,
        )

    def _lines(self, question: Question, experiments: Sequence[Experiment]) -> Iterator[Line]:
        """A line of each experiment with numbers."""
        if question == "copies":
            losses = [row for row in self.context.rows if row.metric == METRIC and row.ranked]
            for one in experiments:
                found = [row for row in losses if row.setup == one.setups[-1]]
                if found:
                    yield copy_line(self.context, max(found, key=lambda row: row.median))
            return
        for one, setup, base in self._pairs(question, experiments):
            if question in _SPEEDUPS and any(grown(self.context, self.numbers, one)):
                continue
            both = self.numbers.main(setup, base)
            if self._is_mixed(question, setup):
                continue
            if both and question in _SPEEDUPS:
                yield faster_line(self.context, self.numbers, one, both, self.reasons)
            elif both and question in TIMES:
                divisions = self.divisions if question in _BY_MESSAGES else None
                line = longer_line(self.context, both, divisions)
                is_spread = question == "spread"
                yield spread_line(self.numbers, one, line, self.reasons) if is_spread else line

    def _is_mixed(self, question: Question, setup: Setup) -> bool:
        """Whether a node's core types work together: no efficiency is defined for that."""
        return question == "cores" and setup.cores > self.context.machine.node.n_alike

    def _growing(self, question: Question, experiments: Sequence[Experiment]) -> Iterator[Line]:
        """A line of each experiment whose problem grows with the cores."""
        for one in experiments if question in _SPEEDUPS else ():
            found = [*grown(self.context, self.numbers, one)]
            whole = found and found[-1].row.setup == one.setups[-1]
            if whole and not self._is_mixed(question, one.setups[-1]):
                yield growing_line(self.context, found)

    def _sizes(
        self, question: Question, experiments: Sequence[Experiment]
    ) -> Iterator[SizeChanges]:
        """The ratio of message times in two places, by size."""
        if question not in _BY_SIZE:
            return
        for _, setup, base in self._pairs(question, experiments):
            for region, both in self.numbers.sizes(setup, base).items():
                if len(both) >= _LEAST_SIZES:
                    yield size_changes(region[0], both)

    def _pairs(
        self, question: Question, experiments: Sequence[Experiment]
    ) -> Iterator[tuple[Experiment, Setup, Setup]]:
        """The compared setups: the last with the first, each network with one."""
        fastest = self._fastest(experiments) if question == "networks" else ""
        for one in experiments:
            base = next((each for each in one.setups if each.network == fastest), one.setups[0])
            if question != "networks":
                yield one, one.setups[-1], one.setups[0]
            elif base.network == fastest:
                yield from ((one, each, base) for each in one.setups if each != base)

    def _fastest(self, experiments: Iterable[Experiment]) -> str:
        """The baseline of the networks: the one with the least losses of programs."""
        known = (pair for pair in find_pairs(self.context) if pair.metric == NETWORK_LOSS)
        if (pair := next(known, None)) is not None:
            return pair.base.network
        gains: defaultdict[str, float] = defaultdict(float)
        for one in experiments:
            for setup, base in combinations(one.setups, 2):
                if both := self.numbers.main(setup, base):
                    gains[base.network] += math.log(both.longer[0])
                    gains[setup.network] -= math.log(both.longer[0])
        return max(gains, key=lambda network: gains[network], default="")


def _choose(lines: Iterable[Line]) -> list[Line]:
    """For each program and network the line with the most common layout, then the largest."""
    found = list(lines)
    common = Counter(layout for _, layout in {(one.answer.benchmark, one.layout) for one in found})
    chosen: dict[tuple[str, str], Line] = {}
    for one in found:
        place = one.answer.benchmark, one.answer.network
        rival = chosen.get(place)
        if rival is None or _standing(one, common) > _standing(rival, common):
            chosen[place] = one
    return list(chosen.values())


def _standing(line: Line, common: Counter[Layout]) -> tuple[float, ...]:
    return common[line.layout], line.row.cores, *line.size


def _order(question: Question, lines: Iterable[Line]) -> list[Line]:
    """Largest loss or change first; insignificant ones last."""

    def gravity(line: Line) -> tuple[bool, float]:
        answer = line.answer
        if question == "spread":
            return False, -size(answer.value)
        if question in _SPEEDUPS:
            known = answer.efficiency
            return known is None, known.median if known else -answer.value.median
        return not _is_known(question, answer.value), -answer.value.median

    return sorted(lines, key=gravity)


def _is_known(question: Question, value: Quantity) -> bool:
    """Whether a loss, or a ratio, is significant."""
    low, high = value.low or 0.0, value.high or 0.0
    return low > 0.0 if question == "copies" else is_difference(low, high)
