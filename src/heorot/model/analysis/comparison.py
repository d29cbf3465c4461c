"""What a comparison of a run with another says, metric by metric and group by group."""

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
# Where the interval of a side is unknown, there is a ratio and nothing to test.
MetricVerdict = Literal["better", "worse", "indistinguishable", "untested"]
Why = Literal["only in A", "only in B", "not the same work", "not told apart", "several cases"]
WHYS: tuple[Why, ...] = get_args(Why)
# Too long to be told in passing.
_LONG = ("sources", "flags")


class ComparedMetric(Measured, Record):
    """One number measured in both runs.

    Attributes:
        key: what was measured, in the first run.
        other: the same in the second run, where case and stack may have other names.
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
        p_value: of the hypothesis that nothing changed, adjusted for the number of metrics; None if
            nothing was tested.
        effect_size: Cliff's delta over all samples, -1 to 1, positive if the second run is better;
            it describes and decides nothing. None without samples of both.
        verdict: of the second run.
        lacks: what the verdict lacks, if the interval excludes 1 and yet it is indistinguishable,
            or if nothing was tested.
        disturbed: the sides that have disturbed samples only.
        crowded: the sides whose ranks or threads had to share cores.
        differs: what else differs between the two than the machine, such as `compiler`, or
            `layout` where they met by cores.
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
        """The verdict, never without what it lacks and what is wrong with a side's samples."""
        marks = (("disturbed", self.disturbed), ("oversubscribed", self.crowded))
        said = [f"{' and '.join(sides)} {mark}" for mark, sides in marks if sides]
        return _mark(self.verdict, [self.lacks, *said])


def _both(a: str, b: str) -> str:
    return a if a == b else f"{a} / {b}"


# From this part of its metrics on, what is disturbed decides a program.
_MOST_DISTURBED = 0.5


class ComparedGroup(Record):
    """All metrics of a program or a family together.

    Attributes:
        name: a benchmark or a family.
        geometric_mean_ratio: over its metrics; more than 1 means that the second run is better.
        low: lower end of its 95 % interval.
        verdict: of the second run.
        lacks: what the verdict lacks, if the interval excludes 1 and yet it is indistinguishable.
        n_disturbed: how many of them have disturbed samples only on either side.
        n_by_cores: how many of them met by cores, as their layouts differ.
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
        """Whether so many of its metrics are disturbed that nothing is concluded from it."""
        return self.n_disturbed >= max(1.0, _MOST_DISTURBED * self.n)

    @property
    def judgement(self) -> str:
        """The verdict, never without what it lacks and how many of its metrics are disturbed."""
        marks = (("disturbed", self.n_disturbed), ("in other layouts", self.n_by_cores))
        said = [f"{number} of {self.n} {mark}" for mark, number in marks if number]
        return _mark(self.verdict, [self.lacks, *said])


def _mark(verdict: str, marks: Sequence[str]) -> str:
    marked = "; ".join(filter(None, marks))
    return f"{verdict} ({marked})" if marked else verdict


class Difference(Record):
    """Something else than the machine that differs between the two runs.

    Attributes:
        what: such as `compiler`.
        a: what it is in the first run.
        b: what it is in the second run.
        n: number of metrics it concerns.
    """

    what: str
    a: str
    b: str
    n: int


class Uncompared(Measured, Record):
    """A row that was not compared.

    Attributes:
        why: it has no partner, or one that did other work, or several as it says too little, or
            another case of the same run has more samples of the same.
        detail: what the other work is, what it does not say, or which case is compared instead.
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
        disturbances: how much of the first and of the second was disturbed.
        bounds: programs by what bounds them, such as `memory-bound`.
        courses: quantities over the values of a coordinate, with where the better side changes.
        remarks: what else is to be known of a side, such as who published it, in lines.
        disagreements: which files of the runs contradict their digests or each other, in lines.
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
        """What differs at a glance: `compiler (GNU 12.2 / GNU 13.1), flags`; empty if nothing."""
        values: dict[str, list[str]] = {}
        for one in self.differences:
            values.setdefault(one.what, []).append(f"{one.a} / {one.b}")
        return ", ".join(
            what if what in _LONG else f"{what} ({'; '.join(both)})"
            for what, both in values.items()
        )

    @property
    def verdicts(self) -> tuple[MetricVerdict, ...]:
        """Those that metrics may have: `untested` only where one has it."""
        tested: tuple[MetricVerdict, ...] = get_args(ComparisonVerdict)
        some = any(metric.verdict == "untested" for metric in self.metrics)
        return (*tested, "untested") if some else tested

    def tally(self, verdict: MetricVerdict) -> str:
        """Number of metrics of a verdict, with those of them that are disturbed."""
        found = [metric for metric in self.metrics if metric.verdict == verdict]
        n_disturbed = sum(bool(metric.disturbed) for metric in found)
        return f"{len(found)} {verdict}" + (f" ({n_disturbed} disturbed)" if n_disturbed else "")

    def left_out(self, why: Why) -> tuple[Uncompared, ...]:
        """What was not compared for one reason."""
        return tuple(row for row in self.uncompared if row.why == why)
