"""What the page's script gets: axes, intervals and texts that cannot write HTML."""

from __future__ import annotations

import pytest

from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.plotly import escape_text, shorten, whiskers, word_values
from heorot.report.figures.show import plotly_figure
from tests.unit.report.figures.pictures import drawn
from tests.unit.report.sample_programs import family_rows
from tests.unit.report.sample_results import Rows, pingpong_rows

KEYS = {
    "id", "panels", "traces", "x", "y", "xTitle", "nBars", "stacked", "ends", "ceiling"
}  # fmt: skip


@pytest.mark.parametrize("kind", ["curve", "multiples", "bars"])
def test_the_script_gets_the_same_of_every_kind(kind: str) -> None:
    x = "" if kind == "bars" else "cores"
    figure = Figure(title="t", kind=kind, metric="flop_rate", x=x)
    described = plotly_figure(drawn(figure, family_rows(["ep"])))
    assert set(described) == KEYS
    assert (described["nBars"] > 0) == (kind == "bars")
    assert not described["stacked"]


def test_curves_have_a_trace_each_with_style_panel_and_interval() -> None:
    drawing = drawn(PINGPONG.figures[0], pingpong_rows(Rows()))
    figure = plotly_figure(drawing)
    assert [trace["meta"] for trace in figure["traces"]] == [
        {"style": 0, "panel": 0},
        {"style": 1, "panel": 0},
    ]
    assert len({trace["marker"]["symbol"] for trace in figure["traces"]}) == 2
    for trace, line in zip(figure["traces"], drawing.lines, strict=True):
        assert trace["x"] == list(line.x)
        assert trace["y"] == pytest.approx(line.y, rel=1e-4)
        assert trace["text"][0].startswith("1 B: ")
    assert figure["x"]["type"] == figure["y"]["type"] == "log"
    assert figure["xTitle"] == PINGPONG.figures[0].x_label


def test_intervals_reach_from_the_values_to_their_ends() -> None:
    [line] = drawn(
        Figure(title="t", kind="bars", metric="m"), [Rows().make("a/b", "r", "m", "s", 2.0)]
    ).lines
    found = whiskers(line)
    assert line.y[0] + found["array"][0] == pytest.approx(line.high[0], rel=1e-4)
    assert line.y[0] - found["arrayminus"][0] == pytest.approx(line.low[0], rel=1e-4)


def test_disturbed_values_say_so() -> None:
    rows = [Rows().make("a/b", "r", "m", "s", 2.0, disturbed=True)]
    [line] = drawn(Figure(title="t", kind="bars", metric="m"), rows).lines
    assert word_values(line, "s")[0].endswith("] disturbed")


def test_texts_are_no_markup_and_numbers_are_short() -> None:
    assert escape_text("<b>&") == "&lt;b&gt;&amp;"
    assert shorten(123456.789) == 123460.0
