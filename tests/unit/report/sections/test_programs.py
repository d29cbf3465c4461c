"""A program's section: rows of processor time stand in a table of their own, apart from results."""

from __future__ import annotations

from dataclasses import replace

from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.result import Sentence
from heorot.model.analysis.studies.answers import Answer, AnswerLine
from heorot.report.anchors import Evidence, Frame, find_anchors
from heorot.report.figures.drawing import Drawing
from heorot.report.sections.families import FamilySection, family_sections
from heorot.report.sections.programs import gather, program_section
from heorot.report.sections.section import FEW_WORDS, Said, n_open
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


def test_a_family_without_a_figure_of_its_own_opens_with_the_first_of_its_programs() -> None:
    evaluation = make_evaluation(5)
    frame = Frame(find_anchors(evaluation), Allowance(), "heorot export")
    families = {one.id: one for one in family_sections(gather(evaluation, frame, ()))}
    compute = families["f-compute"]
    peak, vectors = compute.programs
    assert compute.overview is not None
    assert compute.overview.id == peak.above == "compute_peak-0"
    assert compute.overview not in peak.drawings
    assert vectors.above == ""
    drawn = [one.id for family in families.values() for one in _drawings(family)]
    assert len(drawn) == len(set(drawn)) == 9


def _drawings(family: FamilySection) -> list[Drawing]:
    own = [one for program in family.programs for one in program.drawings]
    return [family.overview, *own] if family.overview else own


def test_of_many_sentences_the_first_few_words_stand_open() -> None:
    def said(*n_words: int) -> Said:
        nothing = Evidence((), 0)
        return tuple((Sentence(text=" ".join(["word"] * n)), nothing) for n in n_words)

    assert n_open(said()) == 0
    assert n_open(said(FEW_WORDS + 20, 1)) == 1
    assert n_open(said(FEW_WORDS - 10, 10, 1)) == 2
    assert n_open(said(5, 5, 5)) == 3


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
    # The best share is not named if another may be as large.
    alike = but(here, case="alike", share_of_ceiling=0.5999)
    analysis = plain.analysis.model_copy(update={"results": (*others, here, alike)})
    evaluation = replace(plain, analysis=analysis)
    material = gather(evaluation, Frame(find_anchors(evaluation), Allowance(), "heorot export"), ())
    assert program_section(pingpong, material).limits[0].reached == (
        "60.0 % (which another may equal)"
    )
