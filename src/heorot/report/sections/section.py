"""A section of the report that no family has: what is said, then parts with figures and tables."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.analysis.claims import Claim
from heorot.model.analysis.result import Sentence
from heorot.report.anchors import Evidence
from heorot.report.figures.drawing import Drawing
from heorot.report.tables.table import Table


@dataclass(frozen=True)
class Part:
    """A question that the section answers.

    Attributes:
        title: its heading; empty of what belongs to the part before.
        tables: what is behind them.
        id: of the heading; empty if nothing leads to it.
        said: its answer in sentences, with their evidence.
    """

    title: str
    text: str
    drawings: tuple[Drawing, ...]
    tables: tuple[Table, ...]
    id: str = ""
    said: tuple[tuple[Claim, Evidence], ...] = ()


@dataclass(frozen=True)
class Section:
    """What is said of something, and its parts, as far as there is anything."""

    id: str
    title: str
    sentences: tuple[tuple[Sentence, Evidence], ...]
    parts: tuple[Part, ...]

    @property
    def drawings(self) -> list[Drawing]:
        """All figures."""
        return [drawing for part in self.parts for drawing in part.drawings]

    @property
    def tables(self) -> list[Table]:
        """All tables."""
        return [table for part in self.parts for table in part.tables]
