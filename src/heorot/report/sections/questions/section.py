"""The section of questions: an overview, an answer to each with its figure, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.model.analysis.studies.answers import Answer
from heorot.model.catalogue.figure import Figure
from heorot.model.evaluation import Evaluation
from heorot.model.run.experiment import ASKED, Question
from heorot.report.anchors import Frame
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.report.sections.nodes import ID as NODES_ID
from heorot.report.sections.questions.tables import (
    gap_table,
    growing_table,
    in_short,
    line_table,
    overview_table,
    place_table,
    range_table,
    size_table,
)
from heorot.report.sections.section import Part, Section
from heorot.report.sections.toolchains import ID as TOOLCHAINS_ID

ID = "questions"

_FIGURES: dict[Question, Figure] = {
    "cores": Figure(
        title="Speedup of every program over the cores of a node",
        kind="scaling",
        x="cores",
        x_label="cores",
        log_x=True,
        log_y=True,
    ),
    "nodes": Figure(title="Efficiency on more nodes that are used alike", kind="answers"),
    "spread": Figure(title="Time of as many ranks on more nodes", kind="answers"),
    "networks": Figure(title="Time over another network", kind="answers"),
    "copies": Figure(title="Speed that a copy loses to other copies", kind="answers"),
    "layouts": Figure(title="Time by threads instead of ranks", kind="answers"),
}
_GROWING = Figure(
    title="Speed per core of programs whose problem grows with the cores",
    kind="scaled",
    x="cores",
    x_label="cores",
    log_x=True,
)
_GROW = (
    " Problems that grow with the cores have no speedup: of them stands what is kept of the work "
    "that a core does in a second, which for equal work of every rank is the time on the fewest "
    "divided by the time on more."
)
_BESIDE = (
    "A second column has the time of messages by the quantity that the program depends on; "
    "expected is what it would take if all its communication took that many times as long."
)
_READ: dict[Question, str] = {
    "cores": "One problem of each program, its time on one core divided by its time on more. The "
    "efficiency is that speedup divided by the number of cores.",
    "nodes": "One problem of each program on more nodes, as many ranks and threads on each. The "
    "efficiency is the speedup divided by how many times the nodes there are.",
    "spread": "Time of as many ranks on more nodes, with fewer on each, compared with that on the "
    "fewest: less where memory bandwidth or caches were short, more where the network is slow. "
    f"The cause is what the program's phases, caches and memory bandwidth show. {_BESIDE}",
    "networks": f"Time over a network divided by that over the fastest, as many ranks. {_BESIDE}",
    "copies": "Share of its speed that a copy loses when as many run at once on the node.",
    "layouts": "Time of the layout with most threads divided by that with most ranks, on as many "
    "cores.",
}


def questions_section(evaluation: Evaluation, frame: Frame) -> Section | None:
    """The section; None if the plan asked nothing, as those of earlier versions."""
    answers = evaluation.analysis.answers
    if not answers:
        return None
    return Section(ID, "Questions", (), tuple(_parts(evaluation, answers, frame)))


def _parts(evaluation: Evaluation, answers: Sequence[Answer], frame: Frame) -> Iterator[Part]:
    yield Part("", "", (), (overview_table(answers, _places(evaluation), frame.allowance),))
    for one in filter(_has_part, answers):
        yield _part(one, frame)
    if any(one.gaps for one in answers):
        yield Part("Without an answer", "", (), (gap_table(answers, frame.allowance),))


def _places(evaluation: Evaluation) -> dict[Question, str]:
    """Where questions are answered in the page."""
    analysis = evaluation.analysis
    places: dict[Question, str] = {"speed": "scores"}
    if analysis.nodes:
        places["equals"] = NODES_ID
    if analysis.toolchains:
        places["toolchains"] = TOOLCHAINS_ID
    own = {one.question: place_id(one.question) for one in analysis.answers if _has_part(one)}
    return places | own


def place_id(question: Question) -> str:
    """The fragment of the page where a question is answered."""
    return f"question-{question}"


def _has_part(answer: Answer) -> bool:
    return bool(answer.lines or answer.growing or answer.sizes)


def _part(answer: Answer, frame: Frame) -> Part:
    """A question with its sentences, figure and tables."""
    question = answer.question
    material, name = Material(answer=answer), f"f-{place_id(question)}"
    figures = ((_FIGURES[question], name), (_GROWING, f"{name}-growing"))
    drawings = [draw(figure, material, identifier) for figure, identifier in figures]
    table_of = place_table if question == "spread" else line_table
    tables = [table_of(answer, frame.allowance)] if answer.lines else []
    if answer.growing:
        tables.append(growing_table(answer, frame.allowance))
    if answer.sizes:
        tables += [range_table(answer, frame.allowance), size_table(answer, frame.allowance)]
    return Part(
        title=ASKED[question],
        text=_READ[question] + (_GROW if answer.growing else ""),
        drawings=tuple(filter(None, drawings)),
        tables=tuple(tables),
        id=place_id(question),
        short=in_short(answer),
        claims=tuple((one, frame.anchors.evidence(one.evidence)) for one in answer.sentences),
    )
