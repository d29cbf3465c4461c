"""Where the evidence for a statement stands in the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heorot.model.analysis.result import Analysis, Result, Sentence
from heorot.model.evaluation import Evaluation
from heorot.report.tables.table import Allowance
from heorot.report.wording import word_result

MAXIMUM_LINKS = 6
"""A statement has at most so many links; the rest is counted."""


@dataclass(frozen=True)
class Link:
    """A link to evidence.

    Attributes:
        target: fragment of the page, or empty if the evidence has no row of its own.
    """

    target: str
    title: str


@dataclass(frozen=True)
class Evidence:
    """What a statement rests on.

    Attributes:
        links: the first few.
    """

    links: tuple[Link, ...]
    n_more: int


@dataclass(frozen=True)
class Anchors:
    """The rows that statements point to, which the page must therefore show.

    Attributes:
        rows: results by key.
        ids: their places in the page, by key.
        steps: ids of the steps in the plan table.
        cited: keys of results that a statement links to.
    """

    rows: Mapping[str, Result]
    ids: Mapping[str, str]
    steps: frozenset[str]
    cited: frozenset[str]

    def place(self, row: Result) -> str:
        """The id of a result's row in the page."""
        return self.ids[row.id]

    def evidence(self, keys: Iterable[str]) -> Evidence:
        """The links to the rows and steps of these keys."""
        unique = list(dict.fromkeys(keys))
        shown = unique[:MAXIMUM_LINKS]
        return Evidence(tuple(self._link(key) for key in shown), len(unique) - len(shown))

    def sentences_of(
        self, analysis: Analysis, family: str
    ) -> tuple[tuple[Sentence, Evidence], ...]:
        """The sentences about a family, with their evidence; the verdict has some in brief."""
        every = (*analysis.verdict, *analysis.sentences)
        own = (one for one in every if one.family == family)
        return tuple((one, self.evidence(one.evidence)) for one in own)

    def _link(self, key: str) -> Link:
        if key in self.rows:
            return Link(self.ids[key], word_result(self.rows[key]))
        if key in self.steps:
            return Link(step_anchor(key), f"step {key}")
        return Link("", key)


@dataclass(frozen=True)
class Frame:
    """What the tables of a page go by.

    Attributes:
        anchors: where rows are shown, and which must be.
        allowance: how many rows there is still room for; is reduced.
        export: the command that writes all rows.
    """

    anchors: Anchors
    allowance: Allowance
    export: str


def find_anchors(evaluation: Evaluation) -> Anchors:
    """Collects what the statements of the analysis rest on."""
    analysis = evaluation.analysis
    evidence = [each.evidence for each in analysis.verdict]
    evidence += [each.evidence for each in analysis.findings]
    evidence += [each.evidence for each in analysis.attributions]
    evidence += [each.evidence for answer in analysis.answers for each in answer.sentences]
    cited = {key for keys in evidence for key in keys[:MAXIMUM_LINKS]}
    cited |= {score.result.id for score in analysis.scores}
    rows = {row.id: row for row in analysis.results}
    return Anchors(
        rows=rows,
        # Numbers rather than digests: they shrink to nothing in a compressed table.
        ids={key: f"r{i}" for i, key in enumerate(rows)},
        steps=frozenset(step.id for step in (*evaluation.plan.steps, *evaluation.steps))
        | frozenset(outcome.step for outcome in evaluation.outcomes),
        cited=frozenset(cited),
    )


def step_anchor(step: str) -> str:
    """The id of a step's row in the plan table."""
    return "step-" + "".join(c if c.isalnum() else "-" for c in step)
