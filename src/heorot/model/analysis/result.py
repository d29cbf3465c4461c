"""What the analysis says: results, findings, sentences."""

from __future__ import annotations

from typing import Literal

from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.base import Record
from heorot.model.catalogue.benchmark import Better
from heorot.model.run.records import Point, runs_copies
from heorot.model.run.series import Verified

EXPORT_COLUMNS = [
    "run",
    "system",
    "benchmark",
    "region",
    "point",
    "metric",
    "unit",
    "better",
    "median",
    "ci_low",
    "ci_high",
    "q10",
    "q90",
    "min",
    "max",
    "n",
    "n_launches",
    "verified",
    "plausible",
    "disturbed",
    "share_of_ceiling",
    "nodes",
    "ranks",
    "threads",
    "per_node",
    "toolchain",
    "options",
    "case",
]


class Result(Record):
    """One number with its interval: a row of results.parquet and of every export.

    Attributes:
        run: name of the run.
        system: name of the machine.
        benchmark: the program.
        case: the catalogue's case.
        region: the region.
        point: coordinates.
        metric: name of the metric.
        unit: SI unit.
        better: direction.
        median: centre.
        ci_low: lower end of the 95 % interval of the median.
        ci_high: upper end.
        q10: lower decile of the samples.
        q90: upper decile.
        min: smallest sample.
        max: largest sample.
        n: samples.
        n_launches: launches.
        verified: verdict of the checks.
        plausible: False if it exceeds its ceiling; None if it has none.
        disturbed: whether only disturbed samples exist.
        share_of_ceiling: median / ceiling.
        derived: whether it comes from a fit rather than from samples of its own.
    """

    run: str
    system: str
    benchmark: str
    case: str
    region: str
    point: Point
    metric: str
    unit: str
    better: Better
    median: float
    ci_low: float
    ci_high: float
    q10: float
    q90: float
    min: float
    max: float
    n: int
    n_launches: int
    verified: Verified
    plausible: bool | None
    disturbed: bool
    share_of_ceiling: float | None
    nodes: int
    ranks: int
    threads: int
    per_node: int
    toolchain: str
    options: dict[str, bool | int | float | str]
    derived: bool = False

    @property
    def key(self) -> str:
        """Names the row within a run: what `evidence` of a finding points to."""
        point = ",".join(f"{name}={value}" for name, value in self.point.items())
        place = f"{self.nodes}x{self.ranks}x{self.threads}/{self.toolchain}"
        return f"{self.benchmark}:{self.case}:{self.region}[{point}]:{self.metric}@{place}"

    @property
    def is_star(self) -> bool:
        """Whether every rank ran a serial copy of its own."""
        return runs_copies(self.options)

    @property
    def cores(self) -> int:
        """Cores used."""
        return self.ranks * self.threads

    @property
    def ranked(self) -> bool:
        """Whether the number may stand in rankings, figures and comparisons."""
        return self.verified == "passed" and self.plausible is not False


Severity = Literal["error", "warning", "note"]


class Finding(Record):
    """Something the reader should know, with what it rests on.

    Attributes:
        observation: one sentence with numbers.
        severity: how much it matters.
        evidence: keys of results, or ids of steps.
        affected: ranks, nodes or programs.
        remedy: what to do about it.
    """

    observation: str
    severity: Severity
    evidence: tuple[str, ...] = ()
    affected: tuple[str, ...] = ()
    remedy: str = ""


class Sentence(Record):
    """A sentence for the verdict or for the opening of a family's section.

    Attributes:
        text: what it says.
        evidence: keys of the results it rests on.
        weight: how much a director wants to hear it, 0 to 1: the heaviest sentence of every family
            stands in the verdict, the others as far as there is room.
        family: the family that says it; empty if it is about the whole run.
    """

    text: str
    evidence: tuple[str, ...] = ()
    weight: float = 0.5
    family: str = ""


class CrossCheck(Record):
    """One quantity measured in two ways.

    Attributes:
        quantity: what is compared.
        first: name, value of one way.
        second: name, value of the other way.
        unit: of both.
        ratio: second / first.
        allowed: largest factor between them that counts as agreement.
    """

    quantity: str
    first_name: str
    first: float
    second_name: str
    second: float
    unit: str
    ratio: float
    allowed: float

    @property
    def agrees(self) -> bool:
        """Whether the two lie within the allowed factor."""
        return 1 / self.allowed <= self.ratio <= self.allowed


class Score(Record):
    """A line of the score card."""

    label: str
    result: Result
    ceiling: str = ""


class Analysis(Record):
    """Everything the analysis says of a run.

    Attributes:
        results: all rows.
        scores: the headline of every program.
        verdict: five to ten sentences.
        sentences: those that found no place in the verdict: they open their families' sections.
        findings: most severe first.
        cross_checks: quantities measured in two ways.
        breakdowns: where the time of a body goes, of programs that tell their phases apart.
        attributions: what the time of a program is lost to, one sentence for each that loses much.
    """

    results: tuple[Result, ...]
    scores: tuple[Score, ...]
    verdict: tuple[Sentence, ...]
    sentences: tuple[Sentence, ...] = ()
    findings: tuple[Finding, ...]
    cross_checks: tuple[CrossCheck, ...]
    breakdowns: tuple[Breakdown, ...] = ()
    attributions: tuple[Attribution, ...] = ()
