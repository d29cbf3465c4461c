"""The answer to a question as a sentence, one for each network that it depends on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from heorot.analyse.questions.lines import Line, word_layout
from heorot.analyse.rows import is_for_trying, size_of
from heorot.analyse.templates import questions as templates
from heorot.analyse.templates.template import Template
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.studies.answers import AnswerLine
from heorot.model.run.experiment import Question

TIMES: frozenset[Question] = frozenset({"spread", "networks", "layouts"})
"""The questions with a ratio of times as answer."""

_TEMPLATES: Mapping[Question, Template] = {
    "cores": templates.CORES,
    "nodes": templates.NODES,
    "networks": templates.NETWORKS,
    "copies": templates.COPIES,
    "layouts": templates.LAYOUTS,
}
# A larger deviation of a ratio from the expected one has another cause.
_EXPLAINED = 1.5


def make_claims(question: Question, context: Context, lines: Sequence[Line]) -> Iterator[Claim]:
    """The sentences of an answer, each about the programs in the most common layout.

    Args:
        lines: of the answer, in its order.
    """
    if question in {"cores", "nodes"}:
        lines = [line for line in lines if line.answer.efficiency]
    for alike in _alike(lines):
        yield _sentence(question, context, alike)


def make_growth_claims(
    question: Question, context: Context, lines: Sequence[Line]
) -> Iterator[Claim]:
    """The efficiency of programs whose problems grow with the cores."""
    for alike in _alike(lines):
        row, base = alike[0].row, alike[0].base
        yield templates.GROWING.claim(
            row=row,
            base=base,
            network=row.network,
            inside=question == "cores",
            programs=[
                templates.KEEPS.claim(problem=line.answer.problem, kept=line.answer.value)
                for line in alike
            ],
            **_small(context, alike),
        )


def _alike(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of each network with its most common layout."""
    for network in dict.fromkeys(line.answer.network for line in lines):
        over = [line for line in lines if line.answer.network == network]
        common = Counter(line.layout for line in over)
        most = max(common, key=lambda layout: common[layout])
        yield [line for line in over if line.layout == most]


def _sentence(question: Question, context: Context, lines: Sequence[Line]) -> Claim:
    row, base = lines[0].row, lines[0].base
    if question == "copies":
        losing = [line for line in lines if (line.answer.value.low or 0.0) > 0.0]
        if not losing:
            rows = tuple(line.row.id for line in lines)
            return templates.NO_LOSS.claim(evidence=rows, row=row, n=len(lines))
        lines = losing
    if question == "spread":
        return _spread(context, lines)
    return _TEMPLATES[question].claim(
        row=row,
        base=base,
        network=row.network,
        layout=word_layout(row.setup),
        against=base.network if question == "networks" else word_layout(base.setup),
        programs=[_claim(question, line.answer, is_first=not n) for n, line in enumerate(lines)],
        faster=[line.answer.problem for line in lines if question in TIMES and _is_less(line)],
        **_small(context, lines),
    )


def _small(context: Context, lines: Sequence[Line]) -> dict[str, Any]:
    """The problems too small to judge a machine by."""
    small = dict.fromkeys(
        size_of(context, line.row).word(line.row.point)
        for line in lines
        if is_for_trying(context, line.row.benchmark, line.row.point)
    )
    return {"small": [*small], "n_small": len(small)}


def _spread(context: Context, lines: Sequence[Line]) -> Claim:
    """The same ranks on less full nodes: the largest change with its reasons, then the others."""
    first, *others = lines
    return templates.SPREAD.claim(
        row=first.row,
        base=first.base,
        network=first.row.network,
        problem=first.answer.problem,
        ratio=first.answer.value,
        why=_why(first.answer),
        others=[_longer(line.answer) for line in others],
        **_small(context, lines),
    )


def _longer(answer: AnswerLine) -> Claim:
    """The time ratio of a program elsewhere, and its reasons."""
    return templates.LONGER.claim(problem=answer.problem, ratio=answer.value, why=_why(answer))


def _why(answer: AnswerLine) -> list[Claim]:
    """The known reasons: message times, then phases and memory."""
    return [*filter(None, [_by_messages(answer)]), *answer.reasons]


def _is_less(line: Line) -> bool:
    """Whether a ratio is significantly less than 1."""
    high = line.answer.value.high
    return high is not None and high < 1.0


def _claim(question: Question, answer: AnswerLine, *, is_first: bool) -> Claim:
    """The clause on one program; the first program of a scaling sentence has its reasons."""
    if question == "copies":
        return templates.LOSES.claim(problem=answer.problem, loss=answer.value)
    if answer.efficiency:
        return templates.FASTER.claim(
            problem=answer.problem,
            gained=answer.value,
            efficiency=answer.efficiency,
            why=[*answer.reasons] if is_first else [],
        )
    return _longer(answer)


def _by_messages(answer: AnswerLine) -> Claim | None:
    """Message times by the quantity that limits the program."""
    cause = answer.cause
    if cause is None:
        return None
    found = answer.value.median / cause.expected.median if cause.expected else 1.0
    return templates.CAUSE.claim(
        quantity=cause.name,
        times=cause.times,
        share=cause.share,
        expected=cause.expected,
        is_apart=max(found, 1.0 / found) > _EXPLAINED,
    )
