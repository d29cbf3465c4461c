"""Says the answer to a question in a sentence, one for each network that it depends on."""

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
"""The questions that a ratio of times answers."""

_TEMPLATES: Mapping[Question, Template] = {
    "cores": templates.CORES,
    "nodes": templates.NODES,
    "networks": templates.NETWORKS,
    "copies": templates.COPIES,
    "layouts": templates.LAYOUTS,
}
# A ratio further than this from what was expected by its cause has another one.
_EXPLAINED = 1.5


def make_claims(question: Question, context: Context, lines: Sequence[Line]) -> Iterator[Claim]:
    """The sentences of an answer, each about the programs that ran in the layout that most share.

    Args:
        lines: of the answer, in its order.
    """
    if question in {"cores", "nodes"}:
        lines = [line for line in lines if line.said.efficiency]
    for alike in _alike(lines):
        yield _sentence(question, context, alike)


def make_growth_claims(
    question: Question, context: Context, lines: Sequence[Line]
) -> Iterator[Claim]:
    """What programs keep of their speed per core as their problems grow with the cores."""
    for alike in _alike(lines):
        row, base = alike[0].row, alike[0].base
        yield templates.GROWING.claim(
            row=row,
            base=base,
            network=row.network,
            inside=question == "cores",
            programs=[
                templates.KEEPS.claim(problem=line.said.problem, kept=line.said.value)
                for line in alike
            ],
            **_small(context, alike),
        )


def _alike(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Of each network the lines of the layout that most have."""
    for network in dict.fromkeys(line.said.network for line in lines):
        over = [line for line in lines if line.said.network == network]
        common = Counter(line.layout for line in over)
        most = max(common, key=lambda layout: common[layout])
        yield [line for line in over if line.layout == most]


def _sentence(question: Question, context: Context, lines: Sequence[Line]) -> Claim:
    row, base = lines[0].row, lines[0].base
    if question == "copies":
        losing = [line for line in lines if (line.said.value.low or 0.0) > 0.0]
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
        programs=[_claim(question, line.said, is_first=not n) for n, line in enumerate(lines)],
        faster=[line.said.problem for line in lines if question in TIMES and _is_less(line)],
        **_small(context, lines),
    )


def _small(context: Context, lines: Sequence[Line]) -> dict[str, Any]:
    """Which of their problems are too small to judge a machine by."""
    small = dict.fromkeys(
        size_of(context, line.row).word(line.row.point)
        for line in lines
        if is_for_trying(context, line.row.benchmark, line.row.point)
    )
    return {"small": [*small], "n_small": len(small)}


def _spread(context: Context, lines: Sequence[Line]) -> Claim:
    """As many ranks on less full nodes: the largest gain or loss with its reasons, the others."""
    first, *others = lines
    return templates.SPREAD.claim(
        row=first.row,
        base=first.base,
        network=first.row.network,
        problem=first.said.problem,
        ratio=first.said.value,
        why=_why(first.said),
        others=[_longer(line.said) for line in others],
        **_small(context, lines),
    )


def _longer(said: AnswerLine) -> Claim:
    """How many times as long a program takes elsewhere, and why."""
    return templates.LONGER.claim(problem=said.problem, ratio=said.value, why=_why(said))


def _why(said: AnswerLine) -> list[Claim]:
    """What is known of the reasons: what messages take, then what phases and memory show."""
    return [*filter(None, [_by_messages(said)]), *said.reasons]


def _is_less(line: Line) -> bool:
    """Whether a ratio is known to be less than one."""
    high = line.said.value.high
    return high is not None and high < 1.0


def _claim(question: Question, said: AnswerLine, *, is_first: bool) -> Claim:
    """What a sentence says of one program, of the first of those that scale with its reasons."""
    if question == "copies":
        return templates.LOSES.claim(problem=said.problem, loss=said.value)
    if said.efficiency:
        return templates.FASTER.claim(
            problem=said.problem,
            gained=said.value,
            efficiency=said.efficiency,
            why=[*said.reasons] if is_first else [],
        )
    return _longer(said)


def _by_messages(said: AnswerLine) -> Claim | None:
    """What messages take by the quantity that the program feels."""
    cause = said.cause
    if cause is None:
        return None
    found = said.value.median / cause.expected.median if cause.expected else 1.0
    return templates.CAUSE.claim(
        quantity=cause.name,
        times=cause.times,
        share=cause.share,
        expected=cause.expected,
        is_apart=max(found, 1.0 / found) > _EXPLAINED,
    )
