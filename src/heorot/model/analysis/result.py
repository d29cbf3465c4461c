"""The analysis of a run: results, findings, sentences."""

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
"""Interval width, relative to the median, above which the median must not be quoted."""

EXPORT_COLUMNS = [
    *("run", "system", "benchmark", "region", "point", "metric", "unit", "better"),
    *("median", "ci_low", "ci_high", "q10", "q90", "min", "max", "n", "n_launches"),
    *("verified", "derived", "plausible", "disturbed", "share_of_ceiling"),
    *("nodes", "ranks", "threads", "per_node", "toolchain", "network", "options", "case"),
]


class Mode(Record):
    """One of the two modes of the samples of a result.

    Attributes:
        median: of the samples of the mode, in the result's unit.
        share: of all samples [1].
        launches: those with many of their samples in the mode.
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
        plausible: False if it exceeds its bound; None if it has none.
        disturbed: whether only perturbed samples exist.
        share_of_ceiling: median / bound.
        derived: whether it comes from a fit or from other rows rather than from samples of its own.
        is_ceiling: whether it is itself the best measurement of its bound, so that a share would be
            one of itself.
        modes: the two modes of its samples, if it is bimodal.
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
        """Names the row within a run, for `evidence` of findings."""
        return self.key.name(self.metric)

    @property
    def ranked(self) -> bool:
        """Whether the number may stand in rankings, figures and comparisons."""
        return self.verified == "passed" and self.plausible is not False

    @property
    def is_range(self) -> bool:
        """Whether its launches are too few for an interval: their range is given instead."""
        return self.n_launches < LEAST_LAUNCHES

    @property
    def is_wide(self) -> bool:
        """Whether its interval is too wide to quote its median."""
        return self.ci_high - self.ci_low > WIDE_INTERVAL * abs(self.median)

    @property
    def caution(self) -> str:
        """Remark that goes with every quotation of its median; empty if none is needed."""
        words = ["perturbed"] if self.disturbed else []
        if self.modes:
            words.append(f"two modes: {'; '.join(self._word_mode(mode) for mode in self.modes)}")
        elif self.is_wide:
            words.append("wide range" if self.is_range else "imprecise")
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
    """Something the reader should know, with its evidence.

    Attributes:
        affected: ranks, nodes or programs.
        columns: headings of the table of observations, if there are several.
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
        weight: importance to a director, 0 to 1: the heaviest sentence of every family comes first
            into the verdict, the others as far as there is room; one of weight 0 never.
        family: of its programs, `nodes`, or `depth`; empty if it is about the whole run.
    """

    weight: float = 0.5
    family: str = ""


class RecordedClaims(Record):
    """The claims of the analysis of a run: findings.json.

    Attributes:
        verdict: at most seven sentences, which a page shows in brief.
        sentences: those that did not fit into the verdict; they open their families' sections.
        attributions: causes of lost time, one sentence for each program that loses much.
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
        subject: common to several cross-checks; empty if it is the quantity.
        cause: of a disagreement, if it was measured; else None.
        remedy: which of them to use; empty if unknown.
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
        ceiling: why no higher value is possible, or why the row is far below its bound.
        limited: the same samples in the unit that has a bound, if the row's own unit has none.
        share: of the bound that limits it: of its roofline if known, else of its own bound; None if
            neither is known, or if it is itself the best measurement of that.
        bound: name of that bound, such as `L3 bandwidth`; empty if unknown.
        level: end of the label, such as `124 MiB from memory`; empty if it has none.
    """

    label: str
    result: Result
    ceiling: str = ""
    limited: Result | None = None
    share: float | None = None
    bound: str = ""
    level: str = ""


class Analysis(RecordedClaims):
    """The complete analysis of a run, with its evidence.

    Attributes:
        results: all rows.
        breakdowns: of the time of a body, for programs with phases.
        depth: the roofline analysis of one node: bounds, predictions, contention.
        nodes: all nodes compared with each other; None if fewer than two were measured.
        networks: those between nodes, as quoted and as measured.
        toolchains: all toolchains compared with the first one; None if there are no others.
        starts: start skew of collective operations.
        answers: to each question of the plan; none in runs of earlier versions.
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
