"""A program's section: rows of processor time stand in a table of their own, apart from results."""

from __future__ import annotations

from dataclasses import replace

from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.studies.answers import Answer, AnswerLine
from heorot.report.anchors import Frame, find_anchors
from heorot.report.sections.programs import gather, program_section
from heorot.report.tables.table import Allowance
from tests.unit.model.keys import but
from tests.unit.report.samples import make_evaluation


def test_processor_time_stands_apart_from_results() -> None:
    plain = make_evaluation(5)
    of_ep = [row for row in plain.analysis.results if row.benchmark == "npb/ep"]
    system = but(
        of_ep[0], region="whole_run", metric="system_share", unit="1", median=0.4, derived=True
    )
    said = Attribution(benchmark="npb/ep", text="Much.", evidence=(system.id,), lost=0.0)
    evaluation = replace(
        plain,
        analysis=plain.analysis.model_copy(
            update={"results": (*plain.analysis.results, system), "attributions": (said,)}
        ),
    )
    anchors = find_anchors(evaluation)
    (ep,) = [each for each in evaluation.benchmarks if each.name == "npb/ep"]
    section = program_section(
        ep, gather(evaluation, Frame(anchors, Allowance(), "heorot export"), ())
    )
    assert section.table is not None
    assert section.table.n_rows == len(of_ep)
    (table,) = [each for each in section.breakdowns if each.id.endswith("-processor")]
    (row,) = table.rows
    place = anchors.place(system)
    assert [cell.id for cell in row.cells if cell.id] == [place]
    ((text, evidence),) = section.losses
    assert text == "Much."
    assert [link.target for link in evidence.links] == [place]


def test_questions_that_a_program_answers_are_linked_where_they_are_answered() -> None:
    plain = make_evaluation(5)
    value = Quantity(median=2.0)
    line = AnswerLine(benchmark="npb/ep", problem="", layout="", base="", value=value)
    answers = (
        Answer(question="cores", lines=(line,)),
        Answer(question="nodes", growing=(line,)),
        Answer(question="copies"),
    )
    analysis = plain.analysis.model_copy(update={"answers": answers})
    evaluation = replace(plain, analysis=analysis)
    frame = Frame(find_anchors(evaluation), Allowance(), "heorot export")
    material = gather(evaluation, frame, ())
    linked = {
        one.name: [target for _, target in program_section(one, material).answers]
        for one in evaluation.benchmarks
    }
    assert linked.pop("npb/ep") == ["question-cores", "question-nodes"]
    assert not any(linked.values())


def test_what_is_between_nodes_is_limited_by_the_line() -> None:
    plain = make_evaluation(5)
    (pingpong,) = [each for each in plain.benchmarks if each.name == "messages/pingpong"]
    inside = next(
        row
        for row in plain.analysis.results
        if row.benchmark == pingpong.name and row.metric == "bandwidth"
    )
    here = inside.model_copy(update={"share_of_ceiling": 0.6, "plausible": True})
    between = but(here, nodes=2, case="2_nodes", share_of_ceiling=0.9, plausible=True)
    others = [row for row in plain.analysis.results if row.benchmark != pingpong.name]
    analysis = plain.analysis.model_copy(update={"results": (*others, here, between)})
    evaluation = replace(plain, analysis=analysis)
    anchors = find_anchors(evaluation)
    material = gather(evaluation, Frame(anchors, Allowance(), "heorot export"), ())
    copy, line = program_section(pingpong, material).limits
    assert copy.reached.startswith("60.0 % (pingpong, ")
    assert copy.target == anchors.place(here)
    assert (line.quantity, line.ceiling) == ("bandwidth between nodes", "the rate of the line")
    assert line.reached.startswith("90.0 %")
    assert line.target == anchors.place(between)
    # Whose the best share is, is not said if another may be as much.
    alike = but(here, case="alike", share_of_ceiling=0.5999)
    analysis = plain.analysis.model_copy(update={"results": (*others, here, alike)})
    evaluation = replace(plain, analysis=analysis)
    material = gather(evaluation, Frame(find_anchors(evaluation), Allowance(), "heorot export"), ())
    assert program_section(pingpong, material).limits[0].reached == (
        "60.0 % (which another may equal)"
    )
