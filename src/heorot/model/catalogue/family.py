"""A family: programs that answer one kind of question, and the analysis of their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.figure import Figure

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import CrossCheck, Finding, Result, Sentence
    from heorot.model.run.plan import Plan


@dataclass(frozen=True)
class FamilyAnalysis:
    """The functions that only a family defines.

    They are called in this order, each for all families in the order of their list; `foresee` alone
    belongs to a plan, the others to a run.

    Attributes:
        foresee: expectations about a plan before anything runs, in sentences.
        judge: measured rows that replace those with their keys: implausible ones, or ones with a
            share of a limit, by a rule that no `Ceiling` can express. It comes first, so that an
            implausible row does not bound others.
        explain: rows that are derived from samples and rows: fits, plateaus, efficiencies.
        find: anomalies of the machine or its software, by its numbers.
        sentences: the meaning of its numbers, each with its weight and its evidence.
    """

    foresee: tuple[Callable[[Plan], Sequence[str]], ...] = ()
    judge: tuple[Callable[[Context], Sequence[Result]], ...] = ()
    explain: tuple[Callable[[Context], Sequence[Result]], ...] = ()
    cross_check: tuple[Callable[[Context], Sequence[CrossCheck]], ...] = ()
    find: tuple[Callable[[Context], Sequence[Finding]], ...] = ()
    sentences: tuple[Callable[[Context], Sequence[Sentence]], ...] = ()


@dataclass(frozen=True)
class Family:
    """The programs of a family, and the functions that only it defines.

    Attributes:
        name: the part of the programs' names before the slash.
        about: its subject, worded as the end of a sentence: runs without it do not cover that.
        benchmarks: its programs, in the order of the report.
        analysis: loads its functions; the catalogue alone does not need them.
        tiles: program, metric and region of its headlines for the first screen, the first first.
        overview: the figure that opens its section, drawn of the rows of all its programs.
        glossary: definitions of its terms.
        sources: of its methods, as the report cites them.
    """

    name: str
    title: str
    about: str
    benchmarks: tuple[Benchmark, ...]
    analysis: Callable[[], FamilyAnalysis] = field(default=FamilyAnalysis, repr=False)
    tiles: tuple[tuple[str, str, str], ...] = ()
    overview: Figure | None = None
    glossary: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
