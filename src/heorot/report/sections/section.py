"""A section of the report outside the families: sentences, then parts with figures and tables."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.analysis.claims import Claim
from heorot.model.analysis.result import Sentence
from heorot.report.anchors import Evidence
from heorot.report.figures.drawing import Drawing
from heorot.report.tables.table import Table

Said = tuple[tuple[Sentence, Evidence], ...]
"""Sentences with what they rest on."""

FEW_WORDS = 20
"""A section opens with so many words of its sentences in brief, or with one sentence."""


def n_open(sentences: Said) -> int:
    """How many sentences are shown in brief: the first, and others while all are few words."""
    n_words = 0
    for number, (sentence, _) in enumerate(sentences):
        n_words += len(sentence.short.split())
        if number and n_words > FEW_WORDS:
            return number
    return len(sentences)


@dataclass(frozen=True)
class Part:
    """A question that the section answers.

    Attributes:
        title: its heading; empty of what belongs to the part before.
        tables: what is behind them.
        id: of the heading; empty if nothing leads to it.
        claims: sentences of the answer, with their evidence.
        short: the answer in a few words, after the title of the folded part.
    """

    title: str
    text: str
    drawings: tuple[Drawing, ...]
    tables: tuple[Table, ...]
    id: str = ""
    claims: tuple[tuple[Claim, Evidence], ...] = ()
    short: str = ""


@dataclass(frozen=True)
class Section:
    """Sentences about a subject, and its parts."""

    id: str
    title: str
    sentences: Said
    parts: tuple[Part, ...]

    @property
    def n_open(self) -> int:
        """How many sentences are shown in brief before anything is opened."""
        return n_open(self.sentences)

    @property
    def drawings(self) -> list[Drawing]:
        """All figures."""
        return [drawing for part in self.parts for drawing in part.drawings]

    @property
    def tables(self) -> list[Table]:
        """All tables."""
        return [table for part in self.parts for table in part.tables]
