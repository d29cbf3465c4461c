"""Graphs over time: positions and texts of bars, graphs of many jobs."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from heorot.throughput.analyse.measures import measure
from heorot.throughput.analyse.timeline import timeline_of
from heorot.throughput.model.measures import Course
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report import activity
from heorot.throughput.report.activity import activity_graph, pitch_of, span_of, word_omitted
from heorot.throughput.report.figures import draw_picture, show_activity, show_places
from heorot.throughput.report.graph import (
    LEFT,
    PLOT,
    TimeRange,
    css_of,
    draw,
    make_span,
    pattern_of,
    time_ticks,
)
from heorot.throughput.report.places import place_graph
from heorot.throughput.report.strips import strip_graph
from tests.unit.throughput.analyse.synthetic_tests import (
    FOUR,
    make_job,
    make_throughput,
    make_timeline,
    ran,
)
from tests.unit.throughput.report.synthetic import many_jobs

SVG = "{http://www.w3.org/2000/svg}"


def parse(svg: str) -> ET.Element:
    text = str(svg)
    if "xmlns=" not in text[:40]:
        text = text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return ET.fromstring(text)  # noqa: S314 (our own)


def activity_svg(timeline: Timeline, span: TimeRange | None = None) -> str:
    """The activity graph, drawn."""
    span = span or span_of(timeline)
    return str(draw(activity_graph(timeline, span, "activity"), span))


def test_bars_are_where_their_times_are() -> None:
    timeline = make_timeline(FOUR, labels=("a1", "b2", "c3", "d4"))
    root = parse(activity_svg(timeline, TimeRange(0.0, 200.0)))
    jobs = root.findall(f".//{SVG}g[@class='job s0']")
    assert len(jobs) == 4
    second = jobs[1]
    bar = second.find(f"{SVG}rect")
    assert bar is not None
    # From 100 to 150 of 200 s.
    assert float(bar.attrib["x"]) == pytest.approx(LEFT + PLOT / 2, abs=0.01)
    assert float(bar.attrib["width"]) == pytest.approx(PLOT / 4, abs=0.01)
    wait = second.find(f"{SVG}path[@class='w']")
    assert wait is not None
    assert wait.attrib["d"].startswith(f"M{LEFT + PLOT / 20:.2f} ")
    assert wait.attrib["d"].endswith(f"H{LEFT + PLOT / 2:.2f}")
    title = second.find(f"{SVG}title")
    assert title is not None
    assert title.text == (
        "b2 (solo): submitted at 10 s, queue wait 1 min 30 s, run time 50 s, 2 nodes, 2 cores, "
        "completed"
    )
    # The first did not wait at all.
    assert jobs[0].find(f"{SVG}path[@class='w']") is None


def test_names_stand_behind_bars_or_before_them_or_inside() -> None:
    rows = [
        (0.0, 0.0, 50.0, 1, (0,)),
        (80.0, 90.0, 100.0, 1, (0,)),
        (0.0, 0.0, 100.0, 1, (1,)),
    ]
    timeline = make_timeline(rows, labels=("behind", "before", "inside"))
    root = parse(activity_svg(timeline, TimeRange(0.0, 100.0)))
    texts = {
        each.text: each.attrib for each in root.findall(f".//{SVG}g[@class='texts']/{SVG}text")
    }
    assert float(texts["behind"]["x"]) > LEFT + PLOT / 2
    assert texts["before"]["text-anchor"] == "end"
    assert float(texts["before"]["x"]) < LEFT + 0.8 * PLOT
    assert texts["inside"]["class"] == "name inside"


def test_what_did_not_end_well_is_marked() -> None:
    jobs = [
        ran(1, "a", 0, 10, 20, fate="failed"),
        ran(2, "a", 0, 10, 20, fate="vanished", own_end=None),
        make_job(3, "a", 5, fate="cancelled", batch_end=15),
        make_job(4, "a", 5, fate="rejected"),
        ran(5, "<a>", 5, 6, 20),
    ]
    svg = activity_svg(timeline_of(make_throughput(jobs)))
    root = parse(svg)
    groups = root.findall(f".//{SVG}g[@class='job s0']")
    bars = [each.find(f"{SVG}rect") for each in groups]
    assert [bar.attrib["class"] if bar is not None else None for bar in bars] == [
        "bar bad-end",
        "bar bad-end open",
        None,
        None,
    ]
    assert len(root.findall(f".//{SVG}path[@class='end']")) == 4
    # Dotted until its recorded end; the rejected one never waited.
    waits = [each.find(f"{SVG}path[@class='w']") is not None for each in groups]
    assert waits == [True, True, True, False]
    assert "never started" in svg
    assert "&lt;a&gt;5" in svg


@pytest.mark.parametrize(("n", "height"), [(1, 40), (33, 700), (2000, 950), (20_000, 1301)])
def test_graphs_of_many_jobs_fit_a_screen(n: int, height: float) -> None:
    assert pitch_of(n) * n <= height
    assert pitch_of(33) > 12


def test_many_jobs_are_drawn_without_names_then_as_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    nan = np.nan
    rows = [(float(i), float(i + 5), float(i + 9), 1, (i % 2,)) for i in range(100)]
    rows[7] = (7.0, 9.0, nan, 1, (0,))
    states = np.zeros(100, dtype=np.int64)
    states[7] = 1
    timeline = make_timeline(rows, states=states)
    svg = activity_svg(timeline)
    assert svg.count('<g class="job') == 100
    assert 'class="name' not in svg
    assert "<title>job 3 (solo)" in svg
    monkeypatch.setattr(activity, "MOST_SINGLE", 20)
    svg = activity_svg(timeline)
    assert svg.count('<g class="job') == 0
    assert [
        each.attrib["class"] for each in parse(svg).findall(f".//{SVG}g[@class='moved']/*")
    ] == [
        "w all",
        "bar s0",
        "bar s0 bad-end",
    ]
    assert word_omitted(timeline) == "The jobs are too many to be named."
    monkeypatch.setattr(activity, "MOST_DRAWN", 40)
    omitted = "Of 100 jobs one in 3 is drawn. The jobs are too many to be named."
    assert word_omitted(timeline) == omitted
    (bars,) = re.findall(r'<path class="bar s0" d="([^"]*)"', activity_svg(timeline))
    assert bars.count("M") == 34
    assert omitted in show_activity(timeline, measure(timeline), title="t").caption


def test_the_caption_states_that_the_load_is_averaged() -> None:
    timeline = make_timeline(FOUR)
    measures, span = measure(timeline), TimeRange(0.0, 420.0)
    shown = show_activity(timeline, measures, title="t", span=span, more=("<svg></svg>",))
    assert "averaged over 1.0 s each" in shown.caption
    assert "averaged" not in show_activity(timeline, measures, title="t", span=span).caption


def test_a_picture_of_all_graphs_has_their_keys() -> None:
    timeline = timeline_of(many_jobs(100))
    root = parse(draw_picture(show_activity(timeline, measure(timeline), title="t")))
    inner = root.findall(f"{SVG}svg")
    tops = [float(each.attrib["y"]) for each in inner]
    assert len(inner) == 3
    assert tops == sorted(tops)
    style = root.find(f"{SVG}style")
    assert style is not None
    assert "--s0: #0072b2;" in str(style.text)
    assert ".timed .bar" in str(style.text)
    names = [each.text for each in root.findall(f"{SVG}text")]
    assert set(names) == {f"code{i}" for i in range(12)}
    assert float(root.attrib["height"]) > tops[-1] + 100


def test_more_than_eight_programs_have_patterns() -> None:
    assert (css_of(0), pattern_of(0)) == ("s0", "")
    assert (css_of(9), pattern_of(9)) == ("s1", "lines")
    assert pattern_of(17) == "dots"
    rows = [(0.0, 0.0, 10.0, 1, (0,))] * 10
    names = tuple(f"k{i}" for i in range(10))
    timeline = make_timeline(rows, kinds=np.arange(10), kind_names=names)
    assert activity_svg(timeline).count('<rect class="lines"') == 2
    many = tuple(f"k{i}" for i in range(30))
    shown = show_activity(make_timeline(rows, kind_names=many), measure(timeline), title="t")
    assert shown.keys[-1].name == "and 6 more"


@pytest.mark.parametrize(
    ("end", "last"),
    [(0.001, "0.001 s"), (9.0, "9 s"), (600, "10 min"), (14400, "4 h"), (9e5, "10 d")],
)
def test_ticks_are_round_and_in_one_unit(end: float, last: str) -> None:
    ticks = time_ticks(TimeRange(0.0, end))
    assert 3 <= len(ticks) <= 11
    assert ticks[-1][1] == last
    assert ticks[0] == (0.0, f"0 {last.split()[1]}")


def test_the_span_covers_everything_that_is_known() -> None:
    assert make_span([np.nan, 5.0]) == TimeRange(0.0, 5.05)
    assert make_span([-2.0, 8.0]).begin == -2.0
    assert make_span([]).end > 0.0


def test_nodes_have_their_jobs_core_by_core() -> None:
    # Two jobs of one core on a node of two; then one that has both nodes whole.
    rows = [
        (0.0, 0.0, 10.0, 1, (0,)),
        (0.0, 0.0, 10.0, 1, (0,)),
        (0.0, 10.0, 20.0, 2, (0, 1)),
        (0.0, 12.0, np.nan, 1, (1,)),
    ]
    cores = np.array([1, 1, 4, 1])
    timeline = make_timeline(rows, cores_per_node=2, cores=cores, node_names=("n0", "n1"))
    graph = place_graph(timeline, TimeRange(0.0, 20.0), "nodes")
    assert graph is not None
    boxes = [
        tuple(float(x) for x in re.findall(r' (?:y|height)="([\d.]+)"', part))
        for part in graph.moved
        if part.startswith("<rect")
    ]
    row = graph.height / 2
    assert boxes == [(0.0, row / 2), (row / 2, row / 2), (0.0, 2 * row)]
    assert "n1" in "".join(graph.fixed)


def test_nodes_without_names_have_numbers() -> None:
    # A test on three nodes without recorded names; a job names one of them.
    facts = {"node_names": ()}
    test = make_throughput([ran(1, "a", 0, 0, 10, hosts=("x0",))], n_nodes=3, facts=facts)
    graph = place_graph(timeline_of(test), TimeRange(0.0, 10.0), "nodes")
    assert graph is not None
    fixed = "".join(graph.fixed)
    assert all(name in fixed for name in ("x0", "node 1", "node 2"))


def test_a_job_on_nodes_apart_has_several_boxes() -> None:
    timeline = make_timeline([(0.0, 0.0, 10.0, 2, (0, 2))], n_nodes=3)
    graph = place_graph(timeline, TimeRange(0.0, 10.0), "nodes")
    assert graph is not None
    assert len([part for part in graph.moved if part.startswith("<rect")]) == 2
    # More jobs than cores: all on the lowest cores, over each other.
    twice = make_timeline([(0.0, 0.0, 10.0, 1, (0,))] * 2, n_nodes=1)
    assert place_graph(twice, TimeRange(0.0, 10.0), "nodes") is not None


def test_unknown_or_too_many_places_have_no_graph(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert show_places(make_timeline(FOUR, placed=False)) is None
    monkeypatch.setattr("heorot.throughput.report.places.MOST_STAYS", 3)
    assert show_places(make_timeline(FOUR)) is None


def test_many_stays_are_paths_and_many_nodes_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heorot.throughput.report.places._MOST_TITLED", 2)
    graph = place_graph(make_timeline(FOUR), TimeRange(0.0, 200.0), "nodes")
    assert graph is not None
    assert [part[:22] for part in graph.moved[1:]] == ['<path class="bar stay ']
    wide = make_timeline(FOUR, n_nodes=600)
    shown = show_places(wide)
    assert shown is not None
    assert "The first 512 of 600 nodes." in shown.caption


def test_strips_keep_steps_or_take_means_and_peaks() -> None:
    few = Course(np.array([0.0, 10.0]), np.array([2.0, 0.0]))
    graph = strip_graph(few, TimeRange(0.0, 20.0), "s", "cores", limit=4.0)
    assert f"H{LEFT:.2f}V50.0H{LEFT + PLOT / 2:.2f}V82.0" in graph.moved[0]
    assert "at most 2" in graph.label
    # 0 and 1 alternate: means of a half, peaks of one.
    many = Course(np.arange(40_000.0), (np.arange(40_000) % 2).astype(float))
    peaks, means = (
        strip_graph(many, TimeRange(0.0, 4e4), "s", "t", peaks=peaks) for peaks in (True, False)
    )
    assert "V18.0" in peaks.moved[0]
    assert "V50.0" in means.moved[0]
    assert "V18.0" not in means.moved[0]
    # Means keep the maximum in the label.
    assert "at most 1" in peaks.label
    assert "at most 1" in means.label
