"""The section of questions: hidden for older runs, an overview, answers, and what is missing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.studies.answers import (
    Answer,
    AnswerLine,
    Cause,
    CurvePoint,
    Gap,
    SizeChange,
    SizeChanges,
)
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import Frame, find_anchors
from heorot.report.figures.show import kind_of
from heorot.report.page import format_report
from heorot.report.sections.questions.section import questions_section
from heorot.report.sections.section import Section
from heorot.report.tables.table import Allowance
from tests.unit.analyse.nodes.cluster import Cluster, evaluate, names
from tests.unit.report.figures.pictures import of_class, picture_of, tips
from tests.unit.report.tables.reading import column_of, lines_of, named


def about(value: float, unit: str = "") -> Quantity:
    """A value with its interval of five launches."""
    low, high = value - 0.01, value + 0.01
    return Quantity(median=value, low=low, high=high, unit=unit, launches=5)


def a_line(
    name: str, value: float, efficiency: float | None = None, **changes: object
) -> AnswerLine:
    """Answers of an invented program."""
    family = "stones" if name < "m" else "grids"
    line = AnswerLine(
        benchmark=f"{family}/{name}",
        problem=f"{name} <class W>",
        layout="4 ranks",
        base="1 rank",
        value=about(value),
        efficiency=None if efficiency is None else about(efficiency, "%"),
    )
    return line.model_copy(update=changes)


def a_curve(*speedups: float) -> tuple[CurvePoint, ...]:
    """Speedups on 1, 2, 4... cores."""
    return tuple(CurvePoint(cores=2**i, value=about(s)) for i, s in enumerate(speedups))


CORES = Answer(
    question="cores",
    n_answered=2,
    sentences=(Claim(text="On 4 cores <slowly>."),),
    lines=(
        a_line("flint", 2.0, 0.5, curve=a_curve(1.0, 1.9, 2.0)),
        a_line("mesh", 3.8, 0.95, curve=a_curve(1.0, 2.0, 3.8)),
    ),
    gaps=(
        Gap(benchmark="grids/tile", layouts=("1 rank", "4 ranks"), budget_seconds=5400.0),
        Gap(benchmark="grids/wall", layouts=("1 rank", "4 ranks"), reason="killed after 60 s"),
    ),
)
CHANGES = SizeChanges(
    benchmark="links/link",
    region="all_reduce",
    layout="2 ranks over eth",
    base="2 ranks over ib",
    changes=(
        SizeChange(bytes=8, change=about(1.5, "%")),
        SizeChange(bytes=1 << 20, change=about(-0.25, "%")),
    ),
)
NETWORKS = Answer(
    question="networks",
    n_answered=3,
    lines=(
        a_line(
            "flint",
            4.0,
            network="eth",
            cause=Cause(
                name="the latency of a message",
                times=about(10.0),
                share=about(0.4, "%"),
                expected=about(4.6),
            ),
        ),
        a_line("mesh", 2.0, network="eth"),
        a_line("tile", 1.5, network="eth"),
    ),
    sizes=(CHANGES,),
)
SPEED = Answer(question="speed", n_answered=7)


@cache
def plain() -> Evaluation:
    """A run of one node without questions in its plan."""
    return evaluate(Cluster([names(1)]))


def run_with(*answers: Answer) -> Evaluation:
    """A run with these answers."""
    analysis = plain().analysis.model_copy(update={"answers": answers})
    return replace(plain(), analysis=analysis)


def section(*answers: Answer) -> Section:
    """The section about them."""
    evaluation = run_with(*answers)
    found = questions_section(evaluation, Frame(find_anchors(evaluation), Allowance(), "export"))
    assert found is not None
    return found


def test_runs_of_earlier_versions_have_no_section() -> None:
    frame = Frame(find_anchors(plain()), Allowance(), "export")
    assert questions_section(plain(), frame) is None
    assert 'href="#questions"' not in format_report(plain(), ())


def test_the_overview_says_what_is_answered_and_what_has_all_of_it() -> None:
    overview = named(section(SPEED, CORES, NETWORKS).tables, "question-overview")
    assert [list(line.values()) for line in lines_of(overview)] == [
        ["How fast is it?", "7", "0", "0", "–"],
        ["How does it scale over the cores of a node?", "2", "1", "1", "--budget 1h30min"],
        ["How do networks compare?", "3", "0", "0", "–"],
    ]
    assert [row.cells[0].target for row in overview.rows] == [
        "scores",
        "question-cores",
        "question-networks",
    ]


def test_every_question_has_its_answer_figure_and_table() -> None:
    overview, cores, networks, gaps = section(SPEED, CORES, NETWORKS).parts
    assert [part.id for part in (overview, cores, networks)] == [
        "",
        "question-cores",
        "question-networks",
    ]
    assert [claim.text for claim, _ in cores.claims] == ["On 4 cores <slowly>."]
    (table,) = cores.tables
    assert lines_of(table)[0] == {
        "program": "flint <class W>",
        "on": "4 ranks",
        "against": "1 rank",
        "times as fast": "2.00",
        "95 % interval": "[49.0, 51.0; 5 launches]",
        "efficiency": "50.0 %",
        "cause": "unknown",
    }
    assert [drawing.figure.kind for drawing in (*cores.drawings, *networks.drawings)] == [
        "scaling",
        "answers",
    ]
    assert gaps.title == "Without an answer"


def test_a_folded_question_shows_how_many_answer_it_and_the_worst() -> None:
    _, cores, networks, gaps = section(SPEED, CORES, NETWORKS).parts
    assert cores.short == (
        "2 programs; least 2.00 [1.99, 2.01; 5 launches] times as fast, flint <class W>"
    )
    assert networks.short.startswith("3 programs; most 4.00 [")
    assert gaps.short == ""


def test_what_messages_take_stands_beside_a_loss() -> None:
    table = named(section(NETWORKS).tables, "t-networks")
    assert column_of(table, "depends on") == ["the latency of a message", "–", "–"]
    for title, value in (
        ("messages, times as long", "10.0 ["),
        ("communication", "40.0 % ["),
        ("expected, times as long", "4.60 ["),
    ):
        first, *others = column_of(table, title)
        assert first.startswith(value)
        assert others == ["–", "–"]
    assert "depends on" not in {column.title for column in section(CORES).tables[1].columns}


def test_messages_have_their_largest_changes_and_all_of_them() -> None:
    ranges = named(section(NETWORKS).tables, "t-networks-ranges")
    (line,) = lines_of(ranges)
    assert line["operation"] == "all reduce"
    assert line["up to 1 KiB"].startswith("+150 % [149, 151; 5 launches] at 8 B")
    assert line["up to 1 MiB"].startswith("-25")
    assert (line["up to 64 KiB"], line["longer"]) == ("–", "–")
    every = named(section(NETWORKS).tables, "t-networks-sizes")
    assert column_of(every, "size") == ["8 B", "1 MiB"]
    assert column_of(every, "change of time")[0] == "+150 %"


def test_what_has_no_answer_says_why_or_what_has_it() -> None:
    lines = lines_of(named(section(CORES).tables, "question-gaps"))
    assert [(line["program"], line["became"], line["with"]) for line in lines] == [
        ("grids/wall", "killed after 60 s", "–"),
        ("grids/tile", "left open", "--budget 1h30min"),
    ]
    assert {line["compared"] for line in lines} == {"1 rank; 4 ranks"}


def test_all_programs_scale_in_one_figure_with_an_ideal_line() -> None:
    (drawing,) = section(CORES).drawings
    assert drawing.keys == (("stones", 0), ("grids", 1))
    picture = picture_of(drawing)
    assert len(of_class(picture, "curve")) == 2
    assert len(of_class(picture, "bound")) == 1
    assert {"flint <class W>", "mesh <class W>"} <= {
        text.text for text in picture.iter() if text.tag.endswith("text")
    }
    assert "flint <class W>, 4: 2.00 [1.99, 2.01; 5 launches]" in tips(picture)
    assert "Dotted line" in kind_of(drawing).read(drawing)


def test_problems_that_grow_have_a_figure_and_a_table_of_their_own() -> None:
    curve = tuple(
        CurvePoint(cores=2**i, value=about(kept, "%")) for i, kept in enumerate((1.0, 0.9, 0.75))
    )
    box = a_line("box", 0.75, curve=curve).model_copy(update={"value": about(0.75, "%")})
    found = section(CORES.model_copy(update={"growing": (box,)}))
    speedups, kept = found.drawings
    assert [line.name for line in kept.lines] == ["box <class W>"]
    assert "box <class W>" not in [line.name for line in speedups.lines]
    (ideal,) = of_class(picture_of(kept), "bound")
    (left, top), (right, bottom) = (end.split(",") for end in ideal.get("points", "").split())
    assert (top, float(left) < float(right)) == (bottom, True)
    table = named(found.tables, "t-cores-growing")
    assert column_of(table, "of the speed per core") == ["75.0 %"]
    assert "as much per core" in kind_of(kept).read(kept)
    assert "no speedup" in found.parts[1].text
    assert "no speedup" not in section(CORES).parts[1].text


def test_names_of_forty_programs_do_not_lie_upon_each_other() -> None:
    lines = tuple(
        a_line(f"p{i:02d}", 2.0, 0.5, curve=a_curve(1.0, 1.9, 2.0 + 0.001 * i)) for i in range(40)
    )
    (drawing,) = section(CORES.model_copy(update={"lines": lines})).drawings
    root = picture_of(drawing)
    ends = sorted(
        float(text.get("y", "0")) + float(text.get("dy", "0"))
        for text in root.iter()
        if text.get("dy") is not None
    )
    assert len(ends) == 40
    assert min(b - a for a, b in pairwise(ends)) >= 11.7
    height = float(root.get("viewBox", "").split()[3])
    assert 0.0 < ends[0] < ends[-1] < height


def test_two_programs_are_no_bars() -> None:
    few = NETWORKS.model_copy(update={"lines": NETWORKS.lines[:2]})
    assert section(few).drawings == []


def test_the_page_has_the_section_and_writes_no_html_of_names() -> None:
    page = format_report(run_with(SPEED, CORES, NETWORKS), ())
    text = page.partition('<section id="questions"')[2].partition("</section>")[0]
    assert '<h3 id="question-cores">' in text
    assert "On 4 cores &lt;slowly&gt;." in text
    assert "<class W>" not in text
    assert page.index('id="scores"') < page.index('id="questions"') < page.index('id="cross"')
