"""The comparison of a run with another, metric by metric and group by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, get_args

from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.studies.courses import Course, Letter
from heorot.model.base import Record
from heorot.model.catalogue.metrics import Better
from heorot.model.run.identity import Key, Measured

ComparisonVerdict = Literal["better", "worse", "indistinguishable"]
# If the interval of a side is unknown, only a ratio is given, without a test.
MetricVerdict = Literal["better", "worse", "indistinguishable", "untested"]
Why = Literal["only in A", "only in B", "not the same work", "not told apart", "several cases"]
WHYS: tuple[Why, ...] = get_args(Why)
# Too long for a list in a sentence.
_LONG = ("sources", "flags")


class ComparedMetric(Measured, Record):
    """One number measured in both runs.

    Attributes:
        key: of the quantity, in the first run.
        other: key in the second run, where case and stack may have other names.
        unit: SI unit of the medians and intervals.
        a_median: centre in the first run.
        a_low: lower end of its 95 % interval; None if that is unknown.
        a_high: upper end; likewise.
        a_n: samples of the first run.
        a_launches: launches of the first run that they are from.
        b_median: centre in the second run.
        b_low: lower end of its 95 % interval; None if that is unknown.
        b_high: upper end; likewise.
        b_n: samples of the second run.
        b_launches: launches of the second run that they are from.
        ratio: oriented so that more than 1 means that the second run is better.
        ratio_low: lower end of its 95 % interval; None if that of a side is unknown.
        ratio_high: upper end; likewise.
        p_value: of the null hypothesis of no change, adjusted for the number of metrics; None
            without a test.
        effect_size: Cliff's delta over all samples, -1 to 1, positive if the second run is better;
            descriptive only. None without samples of both.
        verdict: of the second run.
        lacks: missing evidence, if the interval excludes 1 and yet it is indistinguishable, or if
            nothing was tested.
        disturbed: the sides that have perturbed samples only.
        crowded: the sides whose ranks or threads had to share cores.
        differs: differences between the two apart from the machine, such as `compiler`, or `layout`
            for rows paired by cores.
    """

    key: Key
    other: Key
    metric: str
    unit: str
    better: Better
    a_median: float
    a_low: float | None
    a_high: float | None
    a_n: int = 0
    a_launches: int = 0
    b_median: float
    b_low: float | None
    b_high: float | None
    b_n: int = 0
    b_launches: int = 0
    ratio: float
    ratio_low: float | None
    ratio_high: float | None
    p_value: float | None
    effect_size: float | None
    verdict: MetricVerdict
    lacks: str = ""
    disturbed: tuple[Letter, ...] = ()
    crowded: tuple[Letter, ...] = ()
    differs: tuple[str, ...] = ()

    @property
    def ends(self) -> tuple[float, float] | None:
        """The interval of the ratio; None if it is unknown."""
        if self.ratio_low is None or self.ratio_high is None:
            return None
        return self.ratio_low, self.ratio_high

    @property
    def cases(self) -> str:
        """The catalogue's names of both cases, as `first / second` if they differ."""
        return _both(self.case, self.other.setup.case)

    @property
    def stacks(self) -> str:
        """The same of toolchain and network."""
        return _both(str(self.stack) or "unknown", str(self.other.setup.stack) or "unknown")

    @property
    def layouts(self) -> str:
        """The same of the layouts."""
        return _both(self.setup.layout, self.other.setup.layout)

    @property
    def judgement(self) -> str:
        """The verdict, with its missing evidence and problems of a side's samples."""
        marks = (("perturbed", self.disturbed), ("oversubscribed", self.crowded))
        said = [f"{' and '.join(sides)} {mark}" for mark, sides in marks if sides]
        return _mark(self.verdict, [self.lacks, *said])


def _both(a: str, b: str) -> str:
    return a if a == b else f"{a} / {b}"


# From this share of perturbed metrics on, a program has no verdict.
_MOST_DISTURBED = 0.5


class ComparedGroup(Record):
    """All metrics of a program or a family together.

    Attributes:
        name: a benchmark or a family.
        geometric_mean_ratio: over its metrics; more than 1 means that the second run is better.
        low: lower end of its 95 % interval.
        verdict: of the second run.
        lacks: missing evidence, if the interval excludes 1 and yet it is indistinguishable.
        n_disturbed: number of metrics with perturbed samples only on either side.
        n_by_cores: number of metrics paired by cores, as their layouts differ.
    """

    name: str
    geometric_mean_ratio: float
    low: float
    high: float
    verdict: ComparisonVerdict
    lacks: str = ""
    n: int
    n_disturbed: int = 0
    n_by_cores: int = 0

    @property
    def is_spoilt(self) -> bool:
        """Whether too many of its metrics are perturbed for a conclusion."""
        return self.n_disturbed >= max(1.0, _MOST_DISTURBED * self.n)

    @property
    def judgement(self) -> str:
        """The verdict, with its missing evidence and the number of perturbed metrics."""
        marks = (("perturbed", self.n_disturbed), ("in other layouts", self.n_by_cores))
        said = [f"{number} of {self.n} {mark}" for mark, number in marks if number]
        return _mark(self.verdict, [self.lacks, *said])


def _mark(verdict: str, marks: Sequence[str]) -> str:
    marked = "; ".join(filter(None, marks))
    return f"{verdict} ({marked})" if marked else verdict


class Difference(Record):
    """A difference between the two runs apart from the machine.

    Attributes:
        what: such as `compiler`.
        a: its value in the first run.
        b: its value in the second run.
        n: number of metrics it concerns.
    """

    what: str
    a: str
    b: str
    n: int


class Uncompared(Measured, Record):
    """A row that was not compared.

    Attributes:
        why: no partner, a partner that did other work, several partners because keys are missing,
            or another case of the same run with more samples of the same quantity.
        detail: the other work, the missing keys, or the case that is compared instead.
    """

    why: Why
    key: Key
    metric: str
    detail: str = ""

    @property
    def id(self) -> str:
        """Names the row, as `Result.id` does."""
        return self.key.name(self.metric)


def word_places(rows: Sequence[Uncompared]) -> str:
    """Programs and layouts with the number of rows: `npb/ep 1x4x1 (2), 1x1x4 (2)`."""
    places: dict[str, Counter[str]] = {}
    for row in rows:
        places.setdefault(row.benchmark, Counter())[row.setup.layout] += 1
    return "; ".join(
        f"{benchmark} " + ", ".join(f"{layout} ({n})" for layout, n in layouts.items())
        for benchmark, layouts in places.items()
    )


class Comparison(Record):
    """Two runs side by side.

    Attributes:
        a_name: the first run, which the ratios divide by.
        systems: the machines of the first and of the second.
        disturbances: the perturbed parts of the first and of the second run.
        bounds: programs by their bound, such as `memory-bound`.
        courses: quantities over the values of a coordinate, with the crossover.
        remarks: further facts about a side, such as the publisher, in lines.
        disagreements: files of the runs that contradict their digests or each other, in lines.
    """

    a_name: str
    b_name: str
    systems: tuple[str, str]
    disturbances: tuple[Disturbances, Disturbances] = (Disturbances(), Disturbances())
    groups: tuple[ComparedGroup, ...]
    bounds: tuple[ComparedGroup, ...] = ()
    metrics: tuple[ComparedMetric, ...]
    courses: tuple[Course, ...] = ()
    differences: tuple[Difference, ...] = ()
    uncompared: tuple[Uncompared, ...] = ()
    remarks: tuple[str, ...] = ()
    disagreements: tuple[str, ...] = ()

    @property
    def differs(self) -> str:
        """Summary of the differences: `compiler (GNU 12.2 / GNU 13.1), flags`; empty if none."""
        values: dict[str, list[str]] = {}
        for one in self.differences:
            values.setdefault(one.what, []).append(f"{one.a} / {one.b}")
        return ", ".join(
            what if what in _LONG else f"{what} ({'; '.join(both)})"
            for what, both in values.items()
        )

    @property
    def verdicts(self) -> tuple[MetricVerdict, ...]:
        """The possible verdicts of metrics: `untested` only if one has it."""
        tested: tuple[MetricVerdict, ...] = get_args(ComparisonVerdict)
        some = any(metric.verdict == "untested" for metric in self.metrics)
        return (*tested, "untested") if some else tested

    def tally(self, verdict: MetricVerdict) -> str:
        """Number of metrics with a verdict, and how many of them are perturbed."""
        found = [metric for metric in self.metrics if metric.verdict == verdict]
        n_disturbed = sum(bool(metric.disturbed) for metric in found)
        return f"{len(found)} {verdict}" + (f" ({n_disturbed} perturbed)" if n_disturbed else "")

    def left_out(self, why: Why) -> tuple[Uncompared, ...]:
        """Rows that were not compared, for one reason."""
        return tuple(row for row in self.uncompared if row.why == why)
