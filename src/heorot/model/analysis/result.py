"""What the analysis says: results, findings, sentences."""

from __future__ import annotations

from typing import Literal

from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.disturbance import Disturbances, StartQuality
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.studies.answers import Answer
from heorot.model.analysis.studies.networks import MeasuredNetwork
from heorot.model.analysis.studies.nodes import NodeStudy
from heorot.model.analysis.studies.toolchains import ToolchainStudy
from heorot.model.base import Record
from heorot.model.catalogue.metrics import Better
from heorot.model.run.identity import Key, Measured
from heorot.model.run.series import Verified
from heorot.units import LEAST_LAUNCHES, format_quantity

WIDE_INTERVAL = 0.10
"""An interval that is wider than this share of its median makes the median no figure to quote."""

EXPORT_COLUMNS = [
    *("run", "system", "benchmark", "region", "point", "metric", "unit", "better"),
    *("median", "ci_low", "ci_high", "q10", "q90", "min", "max", "n", "n_launches"),
    *("verified", "derived", "plausible", "disturbed", "share_of_ceiling"),
    *("nodes", "ranks", "threads", "per_node", "toolchain", "network", "options", "case"),
]


class Mode(Record):
    """One of the two values about which the samples of a result lie.

    Attributes:
        median: of the samples about it, in the result's unit.
        share: of all samples [1].
        launches: those that have many of their samples there.
    """

    median: float
    share: float
    launches: tuple[int, ...]


class Result(Measured, Record):
    """One number with its interval: a row of results.parquet and of every export.

    Attributes:
        ci_low: lower end of the 95 % interval of the median of launches; of two to four launches
            of their range, of one launch of the interval of its samples.
        q10: lower decile of the samples.
        q90: upper decile.
        verified: verdict of the checks; of a derived row, of those of the rows that it rests on.
        plausible: False if it exceeds its ceiling; None if it has none.
        disturbed: whether only disturbed samples exist.
        share_of_ceiling: median / ceiling.
        derived: whether it comes from a fit or from other rows rather than from samples of its own.
        is_ceiling: whether it is itself the best that was measured of what limits it, so that a
            share would be one of itself.
        modes: the two values about which its samples lie, if they do not lie about one.
    """

    run: str
    system: str
    key: Key
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
    derived: bool = False
    is_ceiling: bool = False
    modes: tuple[Mode, ...] = ()

    @property
    def id(self) -> str:
        """Names the row within a run: what `evidence` of a finding points to."""
        return self.key.name(self.metric)

    @property
    def ranked(self) -> bool:
        """Whether the number may stand in rankings, figures and comparisons."""
        return self.verified == "passed" and self.plausible is not False

    @property
    def is_range(self) -> bool:
        """Whether its launches are too few for an interval, so that their range stands for it."""
        return self.n_launches < LEAST_LAUNCHES

    @property
    def is_wide(self) -> bool:
        """Whether its interval is too wide for its median to stand for it."""
        return self.ci_high - self.ci_low > WIDE_INTERVAL * abs(self.median)

    @property
    def caution(self) -> str:
        """What must be said wherever its median is quoted; empty if nothing must."""
        words = ["disturbed"] if self.disturbed else []
        if self.modes:
            words.append(f"two modes: {'; '.join(self._word_mode(mode) for mode in self.modes)}")
        elif self.is_wide:
            words.append("wide range" if self.is_range else "wide interval")
        return ", ".join(words)

    def _word_mode(self, mode: Mode) -> str:
        """Such as `28.9 GB/s in launches 1 and 3`."""
        every = sorted(number for each in self.modes for number in each.launches)
        if len(every) != len(set(every)) or not mode.launches:
            where = f"{100.0 * mode.share:.0f} % of the samples"
        else:
            *most, last = map(str, mode.launches)
            where = f"launches {', '.join(most)} and {last}" if most else f"launch {last}"
        return f"{format_quantity(mode.median, self.unit)} in {where}"


Severity = Literal["error", "warning", "note"]


class Finding(Claim):
    """Something the reader should know, with what it rests on.

    Attributes:
        affected: ranks, nodes or programs.
        columns: headings of the table of what was observed, if that is more than one thing.
        rows: of this table, a text for each column.
    """

    severity: Severity
    affected: tuple[str, ...] = ()
    remedy: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Sentence(Claim):
    """A sentence for the verdict or for the opening of a family's section.

    Attributes:
        weight: how much a director wants to hear it, 0 to 1: the heaviest sentence of every family
            comes first into the verdict, the others as far as there is room; one of weight 0 never.
        family: the family that says it, `nodes`, or `depth`; empty if it is about the whole run.
    """

    weight: float = 0.5
    family: str = ""


class Said(Record):
    """All that the analysis of a run says: findings.json.

    Attributes:
        verdict: at most seven sentences, which a page shows in brief.
        sentences: those that found no place in the verdict: they open their families' sections.
        attributions: what the time of a program is lost to, one sentence for each that loses much.
        findings: most severe first.
    """

    verdict: tuple[Sentence, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    attributions: tuple[Attribution, ...] = ()
    findings: tuple[Finding, ...] = ()


class CrossCheck(Record):
    """One quantity measured in two ways.

    Attributes:
        ratio: second / first.
        allowed: largest factor between them that counts as agreement.
        evidence: keys of the rows of both, in this order, and of those that show the cause.
        subject: what several cross-checks have in common; empty if it is the quantity.
        cause: why they disagree, where that was measured; None if it was not.
        remedy: which of them to use; empty if nobody knows.
    """

    quantity: str
    first_name: str
    first: float
    second_name: str
    second: float
    unit: str
    ratio: float
    allowed: float
    evidence: tuple[str, ...] = ()
    subject: str = ""
    cause: Claim | None = None
    remedy: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the two lie within the allowed factor."""
        return 1 / self.allowed <= self.ratio <= self.allowed


class Score(Record):
    """A line of the score card.

    Attributes:
        ceiling: why there is no more, or why the row does not come near what limits it.
        limited: the same samples in the unit that has a ceiling, if the row's own unit has none.
        share: of what really limits it: of its roofline where that is known, else of its ceiling;
            None if neither is, or if it is itself the best that was measured of it.
        bound: what that is, such as `L3 bandwidth`; empty if nothing is known to limit it.
    """

    label: str
    result: Result
    ceiling: str = ""
    limited: Result | None = None
    share: float | None = None
    bound: str = ""


class Analysis(Said):
    """Everything the analysis says of a run, and what it rests on.

    Attributes:
        results: all rows.
        breakdowns: where the time of a body goes, of programs that tell their phases apart.
        depth: one node in depth: what limits programs, what kernels promise, what copies lose.
        nodes: all nodes compared with each other; None if fewer than two were measured.
        networks: those between nodes, as quoted and as measured.
        toolchains: all toolchains compared with the first one; None if nothing is said of them.
        starts: how well the ranks of collective operations began together.
        answers: what is known of each question of the plan; none in runs of earlier versions.
    """

    results: tuple[Result, ...]
    scores: tuple[Score, ...]
    cross_checks: tuple[CrossCheck, ...]
    breakdowns: tuple[Breakdown, ...] = ()
    disturbances: Disturbances = Disturbances()
    depth: NodeRoofline = NodeRoofline()
    nodes: NodeStudy | None = None
    networks: tuple[MeasuredNetwork, ...] = ()
    toolchains: ToolchainStudy | None = None
    starts: tuple[StartQuality, ...] = ()
    answers: tuple[Answer, ...] = ()
