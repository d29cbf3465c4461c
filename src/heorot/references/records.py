"""Records of a published source: its systems, its figures as printed, and what they meet here."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from heorot.model.base import NonNegative, PositiveInt, Record
from heorot.model.point import NOWHERE, Point

Relation = Literal["same", "similar", "context"]
Qualifier = Literal["", "approx", "lt", "le", "gt", "ge", "min", "max"]
State = Literal["", "missing", "failed", "perturbed", "doubtful"]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=100)]
_BOUNDS = frozenset({"lt", "le", "gt", "ge", "min", "max"})


class Quoted(Record):
    """A number as printed, which may be a range."""

    value: str
    unit: str
    note: str = ""


class PublishedNetwork(Record):
    """A network of a system.

    Attributes:
        tested: whether the source measured with it.
    """

    type: str
    tested: bool
    topology: str = ""
    quoted_bandwidth: Quoted | None = None
    quoted_latency: Quoted | None = None
    measured_bandwidth: Quoted | None = None
    measured_latency: Quoted | None = None
    detail: str = ""


class PublishedCompiler(Record):
    """A compiler of a system."""

    language: str
    name: str
    version: str = ""
    flags: str = ""
    note: str = ""


class PublishedSystem(Record):
    """A system of a source. An attribute that the source does not state is None or empty.

    Attributes:
        name: in this source.
        role: in the study, such as `tested cluster`.
        clock: of a processor [Hz].
        peak_per_processor: [flop/s].
        total_peak: of the whole system [flop/s].
        memory_per_node: [B].
        memory: of the whole system [B].
        system: its operating system.
    """

    name: Name
    title: str
    role: str = ""
    year: int | None = None
    site: str = ""
    vendor: str = ""
    processor: str = ""
    clock: NonNegative | None = None
    flops_per_cycle: PositiveInt | None = None
    peak_per_processor: NonNegative | None = None
    nodes: PositiveInt | None = None
    processors_per_node: PositiveInt | None = None
    processors: PositiveInt | None = None
    total_peak: NonNegative | None = None
    memory_per_node: NonNegative | None = None
    memory: NonNegative | None = None
    memory_type: str = ""
    memory_bandwidth: str = ""
    system: str = ""
    kernel: str = ""
    batch_system: str = ""
    management: str = ""
    monitoring: str = ""
    storage: str = ""
    caches: dict[str, str] = Field(default_factory=dict)
    compilers: tuple[PublishedCompiler, ...] = ()
    mpi: tuple[str, ...] = ()
    networks: tuple[PublishedNetwork, ...] = ()
    notes: tuple[str, ...] = ()


class Systems(Record):
    """The systems of a source.

    Attributes:
        document: authors, title, where and when it was published.
    """

    document: str
    systems: Annotated[tuple[PublishedSystem, ...], Field(min_length=1)]


class PublishedFigure(Record):
    """A figure as printed.

    Attributes:
        table: its number, or the section of the text.
        system: name; empty if the statement is general.
        per_node: processes on a node; None if not stated.
        processes: None if not stated.
        program: the source's own name.
        printed: the number or text; empty if there is none.
        qualifier: `approx`, or the kind of bound that it is; empty of a plain number.
        state: why there is no number, or why it is to be distrusted; else empty.
        second_hand: reported by others, such as a vendor, rather than measured by the authors.
        line: in its file.
    """

    table: str
    system: str
    network: str
    per_node: PositiveInt | None
    processes: PositiveInt | None
    program: str
    variant: str
    metric: str
    printed: str
    unit: str
    qualifier: Qualifier
    state: State
    second_hand: bool
    note: str
    line: int

    @property
    def value(self) -> float | None:
        """The number; None if there is none."""
        return float(self.printed) if self.printed and self.unit != "text" else None

    @property
    def is_bound(self) -> bool:
        """Whether the number only limits the quantity."""
        return self.qualifier in _BOUNDS


class Counterpart(Record):
    """The quantity of Heorot that figures meet.

    Attributes:
        regions: region of each variant of the source; None of a variant that meets none.
        region: of all variants, if `regions` is empty.
        points: further coordinates of each variant of the source.
        unit: of the metric here.
        factor: printed value times this is in that unit.
        per_process: whether the printed value is of one process and this one of all.
        best_over: coordinates over which the best value counts.
        ranks: None takes the number of processes of the figure.
    """

    benchmark: str
    metric: str
    unit: str
    factor: float = 1.0
    per_process: bool = False
    region: str = ""
    regions: dict[str, str] = Field(default_factory=dict)
    point: Point = NOWHERE
    points: dict[str, Point] = Field(default_factory=dict)
    best_over: tuple[str, ...] = ()
    ranks: PositiveInt | None = None


class Rule(Record):
    """Which figures meet what, and how; an empty list of names matches all.

    Attributes:
        relation: `same` definition, `similar`, or `context`, which is never part of a ratio.
        reason: why no more than that.
        here: None of context.
    """

    tables: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    relation: Relation
    reason: str
    here: Counterpart | None = None

    def covers(self, figure: PublishedFigure) -> bool:
        """Whether a figure is one of those that this rule is about."""
        return all(
            not wanted or has in wanted
            for wanted, has in (
                (self.tables, figure.table),
                (self.systems, figure.system),
                (self.programs, figure.program),
                (self.variants, figure.variant),
                (self.metrics, figure.metric),
            )
        )


class Rules(Record):
    """The rules of a source; the first one that covers a figure counts."""

    rules: tuple[Rule, ...]


class Source(Record):
    """A published source.

    Attributes:
        name: such as `steen2000`.
    """

    name: str
    document: str
    systems: tuple[PublishedSystem, ...]
    figures: tuple[PublishedFigure, ...]
    rules: tuple[Rule, ...]
