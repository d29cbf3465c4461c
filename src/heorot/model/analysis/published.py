"""A machine known only by published values, without samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from heorot.model.analysis.result import Result
from heorot.model.base import PositiveInt, Record
from heorot.model.point import NO_OPTIONS, NOWHERE, Options, Point
from heorot.model.run.identity import Key, Setup

Positive = Annotated[float, Field(gt=0.0, lt=1e100, allow_inf_nan=False)]
Text = Annotated[str, Field(min_length=1, max_length=1000)]
_LAYOUT = ("nodes", "ranks", "threads", "per_node")


class PublishedQuantity(Record):
    """One published value with the published keys of its setup; all others are unknown.

    Attributes:
        benchmark: the program whose value it may be compared with.
        metric: of that region, measured or derived.
        unit: the metric's own SI unit.
        value: in that unit.
        point: published coordinates.
        best_over: coordinates over which the best value was published, such as the problem size.
        nodes: nodes used; None if that was not published, as below.
        ranks: processes in all.
        threads: of each.
        per_node: processes on one node.
        copies: whether each process solved a problem of its own.
        options: of the program, as far as published.
        note: further facts, such as its place in the source.
    """

    benchmark: Text
    region: Text
    metric: Text
    unit: str
    value: Positive
    point: Point = NOWHERE
    best_over: tuple[str, ...] = ()
    nodes: PositiveInt | None = None
    ranks: PositiveInt | None = None
    threads: PositiveInt | None = None
    per_node: PositiveInt | None = None
    copies: bool = False
    options: Options = NO_OPTIONS
    note: str = ""

    @property
    def key(self) -> Key:
        """The key; 0 stands for unknown parts of the layout."""
        setup = Setup(
            benchmark=self.benchmark,
            case="published",
            toolchain="",
            nodes=self.nodes or 0,
            ranks=self.ranks or 0,
            threads=self.threads or 0,
            per_node=self.per_node or 0,
            options=self.options | ({"star": True} if self.copies else {}),
        )
        return Key(setup, self.region, self.point)

    def meets(self, row: Result) -> bool:
        """Whether a row is the same quantity in all published keys."""
        same = (self.benchmark, self.region, self.metric, self.copies)
        return (
            same == (row.benchmark, row.region, row.metric, row.is_star)
            and all(getattr(self, name) in {None, getattr(row, name)} for name in _LAYOUT)
            and self.point.items() <= row.point.items()
            and self.options.items() <= row.options.items()
        )

    def unsaid(self, rows: list[Result]) -> Iterator[str]:
        """The unpublished keys in which matching rows differ."""
        for name in _LAYOUT:
            if len({getattr(row, name) for row in rows}) > 1:
                yield name
        for name in dict.fromkeys(name for row in rows for name in row.point):
            if name not in self.best_over and len({row.point.get(name) for row in rows}) > 1:
                yield name


class Publication(Record):
    """A machine with its published values.

    Attributes:
        source: of the publication: authors, title, year.
        date: of the measurement or publication, as in the source; None if it has none.
        cores: total of the machine; None if that was not published.
    """

    name: Text
    source: Text
    date: str | None = None
    cores: PositiveInt | None = None
    quantities: Annotated[tuple[PublishedQuantity, ...], Field(min_length=1, max_length=10_000)]
