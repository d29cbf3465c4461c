"""Every figure of the catalogue has a kind, and every kind accepts all rows."""

from __future__ import annotations

import pytest

from heorot.families import BENCHMARKS
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.dimensions import MAXIMUM_PANELS
from heorot.report.figures.kind import Material
from heorot.report.figures.kinds import KINDS
from heorot.report.figures.show import draw, kind_of, write_picture
from heorot.report.figures.text import text_width
from tests.unit.model.keys import but
from tests.unit.report.figures.pictures import drawn, of_class, picture_of, visible_text
from tests.unit.report.sample_breakdowns import make_breakdowns
from tests.unit.report.sample_programs import family_rows
from tests.unit.report.sample_results import Rows

FIGURES = [
    Figure(title="t", kind="curve", metric="flop_rate", x="cores", log_x=True, log_y=True),
    Figure(title="t", kind="curve", metric="flop_rate", x="cores"),
    Figure(title="t", kind="curve", metric="flop_rate", x="class", log_x=True),
    Figure(title="t", kind="multiples", metric="flop_rate", x="cores", log_x=True, log_y=True),
    Figure(title="t", kind="multiples", metric="flop_rate", x="cores"),
    Figure(title="t", kind="bars", metric="flop_rate", series=("program", "way")),
    Figure(title="t", kind="bars", metric="flop_rate", series=("layout",), log_y=True),
    Figure(title="t", kind="inside", metric="flop_rate", x="cores", x_label="cores"),
    Figure(title="t", kind="over_nodes", metric="flop_rate"),
    Figure(title="t", kind="shares"),
    Figure(title="t", kind="phases"),
]
LONG = "name_of_more_letters_than_any_figure_has_room_for_in_front_of_its_bars"


def material(rows: list[Result], programs: tuple[str, ...] = ("npb/ep",)) -> Material:
    breakdowns = [but(one, benchmark=name) for name in programs for one in make_breakdowns()]
    return Material(rows, breakdowns)


def on_two_nodes(row: Result) -> Result:
    """The same with as many ranks on a second node."""
    changed: Result = but(row, nodes=2, ranks=2 * row.ranks, case=f"{row.case}_2")
    return changed


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.name)
def test_figures_of_the_catalogue_have_a_kind(benchmark: Benchmark) -> None:
    assert {figure.kind for figure in benchmark.figures} <= set(KINDS)


def test_a_metric_has_one_unit_in_all_programs() -> None:
    units: dict[str, set[str]] = {}
    for benchmark in BENCHMARKS:
        for metric in benchmark.metrics:
            units.setdefault(metric.name, set()).add(metric.unit)
    assert {name: each for name, each in units.items() if len(each) > 1} == {}


def test_these_tests_try_every_kind() -> None:
    # Not drawn of results, or of several toolchains only: they have tests of their own.
    others = {"node_map", "node_bands", "winners", "toolchain_map", "matrix", "roofline"}
    others |= {"scaling", "scaled", "answers"}
    assert {figure.kind for figure in FIGURES} == set(KINDS) - others


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.kind)
def test_nothing_makes_no_figure(figure: Figure) -> None:
    assert draw(figure, Material(), "f") is None


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.kind)
@pytest.mark.parametrize(
    "rows",
    [
        list(family_rows(["ep"], [1]))[:1],
        list(family_rows(["ep", "is", "cg"])),
        list(family_rows([f"p{i}" for i in range(64)], [1, 2])),
        list(family_rows([f"{LONG}_{i}" for i in range(2)])),
        [Rows().make("a/b", "r", "flop_rate", "flop/s", -2.0, point={"class": "A"})],
        [Rows().make("a/b", "r", "flop_rate", "flop/s", v, point={"class": "A"}) for v in (0, 1)],
    ],
    ids=["one", "several", "64 programs", "long names", "negative", "zero"],
)
def test_whatever_there_is_stays_inside_its_frame(figure: Figure, rows: list[Result]) -> None:
    if figure.kind == "over_nodes":
        rows = [*rows, *map(on_two_nodes, rows)]
    drawing = draw(figure, material(rows, tuple({row.benchmark: 0 for row in rows})), "f")
    if drawing is None:
        assert figure.log_y and min(row.ci_low for row in rows) <= 0  # noqa: PT018
        return
    assert len(drawing.panels) <= MAXIMUM_PANELS
    assert kind_of(drawing).read(drawing)
    picture = picture_of(drawing)
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    for text in picture.iter("text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 <= float(text.attrib["y"]) <= height
    for bar in picture.iter("rect"):
        assert float(bar.attrib["width"]) >= 0
        assert 0 <= float(bar.attrib["x"]) <= width - float(bar.attrib["width"]) + 0.1
    for name in of_class(picture, "bar-name"):
        assert text_width(visible_text(name), "bar-name") <= float(name.attrib["x"])
    for line in picture.iter("polyline"):
        for point in line.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height


def test_hostile_names_are_text_in_the_picture() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    figure = Figure(title="t", kind="multiples", metric="flop_rate", x="cores")
    rows = [
        but(row, benchmark=hostile, toolchain=f"{hostile}{i}")
        for i, row in enumerate(family_rows(["ep"], [1, 1]))
    ]
    drawing = drawn(figure, rows)
    assert visible_text(of_class(picture_of(drawing), "panel-title")[0]).startswith("<img")
    assert "<img" not in str(write_picture(drawing))
