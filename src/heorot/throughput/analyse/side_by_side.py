"""Throughput tests compared: each test is one sample of its system.

Jobs of one test share its queue, so a single test has no measure of the variation between tests:
nothing is judged unless both systems were tested twice. A system with other work, missing work or
other users on its nodes is not judged: the ratio would not be a property of the systems.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain

from heorot.analyse.statistics.comparison import Comparison, classify, compare
from heorot.throughput.analyse.claims.compared_tests import make_sentences
from heorot.throughput.model.comparison import (
    Against,
    ComparedQuantity,
    ComparedSystem,
    ComparedTest,
    Differing,
    Part,
    ThroughputComparison,
)
from heorot.throughput.model.kinds import Arrival, JobsFile
from heorot.throughput.model.measures import ThroughputAnalysis
from heorot.throughput.model.quantities import CORRECTED, MAKESPAN, QUANTITIES, Better, Form
from heorot.throughput.model.throughput import ThroughputTest
from heorot.units import plural

LEAST_TESTS = 2
Values = Sequence[Sequence[float | None]]
_MISSING = "missing work"
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:")
_NAMED: dict[Part, Form] = {
    "interference": "ratio",
    "waits": "duration",
    "runs": "duration",
    "responses": "duration",
}
# Smaller shares of other users change a makespan by less than repeated tests differ [1].
_LEAST_OTHERS = 0.01


@dataclass(frozen=True)
class EndedTest:
    """A test that has ended."""

    name: str
    record: ThroughputTest
    analysis: ThroughputAnalysis
    arrivals: tuple[Arrival, ...]
    kinds: JobsFile

    @property
    def work(self) -> str:
        """SHA-256 of its jobs: equal for equal work, independent of the lines of the schedule."""
        lines = [one.model_copy(update={"line": None}).model_dump_json() for one in self.arrivals]
        return sha256("\n".join((*lines, self.kinds.model_dump_json())).encode()).hexdigest()

    def numbers(self, part: Part) -> dict[str, float | None]:
        """Its quantities of programs, job classes and commands, by their names."""
        explained, kinds = self.analysis.explanation, self.analysis.measures.by_kind
        named: dict[Part, dict[str, float | None]] = {
            "interference": {one.name: one.ratio for one in explained.interference},
            "waits": {one.name: one.wait.median for one in kinds if one.wait},
            "runs": {one.name: one.run.median for one in kinds if one.run},
            "responses": {
                one.name: one.times.median if one.times else None
                for one in explained.responses
                if one.loaded
            },
        }
        return named[part]


def compare_tests(systems: Sequence[Sequence[EndedTest]]) -> ThroughputComparison:
    """Compare systems with the first.

    Args:
        systems: repeated tests of each; at least one system with one test.
    """
    same_work = len({test.work for tests in systems for test in tests}) == 1
    explained = tuple(_system(tests, same_work=same_work) for tests in systems)
    compared = ThroughputComparison(
        systems=explained,
        quantities=_judged([*_quantities(systems)], explained),
        differing=tuple(_differing(systems)),
        same_work=same_work,
    )
    return compared.model_copy(update={"sentences": make_sentences(compared)})


def _system(tests: Sequence[EndedTest], *, same_work: bool) -> ComparedSystem:
    facts = tests[0].record.facts
    size = f"{plural(facts.n_nodes, 'node')} x {plural(facts.cores_per_node, 'core')}"
    return ComparedSystem(
        name=tests[0].name,
        system=f"{facts.system}, {size}",
        tests=tuple(
            ComparedTest(
                name=test.name,
                account=test.analysis.explanation.account,
                begun=test.record.facts.begun,
            )
            for test in tests
        ),
        objection=_objection(tests) if same_work else "different work",
    )


def _objection(tests: Sequence[EndedTest]) -> str:
    uses = [test.analysis.measures.use for test in tests]
    if any(max(use.others or 0.0, use.out or 0.0) > _LEAST_OTHERS for use in uses):
        return "nodes down or allocated to other users"
    return _MISSING if any(test.analysis.explanation.account.missing for test in tests) else ""


def _quantities(systems: Sequence[Sequence[EndedTest]]) -> Iterator[ComparedQuantity]:
    """All quantities, not judged yet."""

    def quantity(
        part: Part, name: str, form: Form, better: Better, values: Values
    ) -> ComparedQuantity:
        own = tuple(map(tuple, values))
        return ComparedQuantity(part=part, name=name, form=form, better=better, values=own)

    for one in QUANTITIES:
        values = [[one.of(test.analysis.measures) for test in tests] for tests in systems]
        yield quantity("whole", one.name, one.form, one.better, values)
        corrected = [
            [test.analysis.explanation.account.corrected_makespan for test in tests]
            for tests in systems
        ]
        if one.name == MAKESPAN and any(map(any, corrected)):
            best = [
                [more or value for more, value in zip(*pair, strict=True)]
                for pair in zip(corrected, values, strict=True)
            ]
            yield quantity("whole", CORRECTED, one.form, one.better, best)
    for part, form in _NAMED.items():
        numbers = [[test.numbers(part) for test in tests] for tests in systems]
        for name in dict.fromkeys(chain.from_iterable(chain.from_iterable(numbers))):
            values = [[test.get(name) for test in tests] for tests in numbers]
            yield quantity(part, name, form, "lower", values)


def _judged(
    rows: Sequence[ComparedQuantity], systems: Sequence[ComparedSystem]
) -> tuple[ComparedQuantity, ...]:
    """All rows with verdicts, adjusted for the number of comparisons."""
    places = range(1, len(systems))
    pairs = [(number, place) for number in range(len(rows)) for place in places]
    compared = {pair: one for pair in pairs if (one := _compared(rows[pair[0]], pair[1]))}
    whys = {pair: _unjudged(rows[pair[0]], systems[0], systems[pair[1]]) for pair in compared}
    asked = [pair for pair, why in whys.items() if not why]
    verdicts = classify([compared[pair] for pair in asked]) if asked else []
    found = {pair: Against(ratio=one.ratio, why=whys[pair]) for pair, one in compared.items()}
    for pair, (verdict, lacks) in zip(asked, verdicts, strict=True):
        one = compared[pair]
        found[pair] = Against(
            ratio=one.ratio, low=one.ratio_low, high=one.ratio_high, verdict=verdict, why=lacks
        )
    return tuple(
        row.model_copy(update={"against": (None, *(found.get((i, place)) for place in places))})
        for i, row in enumerate(rows)
    )


def _compared(row: ComparedQuantity, place: int) -> Comparison | None:
    """A system compared with the first; None where a test of either has no positive value."""
    a, b = row.values[0], row.values[place]
    if not row.better or not all((*a, *b)):
        return None
    return compare([[x] for x in a if x], [[x] for x in b if x], better=row.better)


def _unjudged(row: ComparedQuantity, base: ComparedSystem, other: ComparedSystem) -> str:
    """Why a ratio is not judged; empty if it is."""
    for one in (base, other):
        # The corrected makespan includes the missing work.
        if one.objection and (one.objection != _MISSING or row.name != CORRECTED):
            return f"{one.name}: {one.objection}"
    if min(len(base.tests), len(other.tests)) < LEAST_TESTS:
        return "single tests"
    return ""


def _differing(systems: Sequence[Sequence[EndedTest]]) -> Iterator[Differing]:
    """Properties that are not equal in all tests; the work first."""
    facts = [[_word_facts(test) for test in tests] for tests in systems]
    for what in dict.fromkeys(chain.from_iterable(chain.from_iterable(facts))):
        values = [dict.fromkeys(test.get(what, "unknown") for test in tests) for tests in facts]
        if len(set(chain.from_iterable(values))) > 1:
            yield Differing(what=what, values=tuple(" / ".join(one) for one in values))


def _word_facts(test: EndedTest) -> dict[str, str]:
    """Recorded settings of a test and its machine, in words."""
    facts = test.record.facts
    return {
        "number of jobs": str(len(test.arrivals)),
        "jobs and submission times": test.work[:12],
        "schedule": facts.schedule.rsplit("/", 1)[-1],
        "contents of the schedule": facts.schedule_digest[:12] or "unknown",
        "time scale of the schedule": f"x {facts.time_scale:g}",
        "seed": str(facts.seed),
        "batch system": facts.system,
        "nodes": str(facts.n_nodes),
        "cores per node": str(facts.cores_per_node),
        "exclusive nodes": "yes" if facts.exclusive else "no",
        "Heorot": facts.heorot_version,
        **_settings(facts.policy),
    }


def _settings(policy: Mapping[str, str]) -> dict[str, str]:
    """Scheduling policy of a batch system, setting by setting, without times of the clock.

    Args:
        policy: lines such as `SchedulerType = sched/backfill`, by heading.
    """
    found: dict[str, str] = {}
    for heading, text in policy.items():
        for line in text.splitlines():
            name, sign, value = line.partition("=")
            if not _MOMENT.search(line):
                found[name.strip() if sign else f"{heading}: {line.strip()}"] = value.strip()
    return found
