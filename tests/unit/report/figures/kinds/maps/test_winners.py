"""Winners: a field for each operation and size, in the colour of the fastest toolchain."""

from __future__ import annotations

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from tests.unit.analyse.builders import a_result
from tests.unit.model.keys import but
from tests.unit.report.figures.pictures import drawn, picture_of, visible_text

FIGURE = Figure(
    title="Who is the fastest", kind="winners", metric="latency", x="bytes", x_label="size [B]"
)


def a_time(toolchain: str, region: str, size: int, seconds: float, **changes: object) -> Result:
    fields: dict[str, object] = {
        "region": region,
        "metric": "latency",
        "unit": "s",
        "better": "lower",
        "toolchain": toolchain,
        "point": {"bytes": size},
        "median": seconds,
        "ci_low": 0.98 * seconds,
        "ci_high": 1.02 * seconds,
    }
    return a_result(**(fields | changes))


ROWS = [
    *(a_time("open", "bcast", 8, 1e-6), a_time("mpich", "bcast", 8, 1.5e-6)),
    *(a_time("open", "bcast", 1024, 3e-6), a_time("mpich", "bcast", 1024, 2e-6)),
    *(a_time("open", "scan", 8, 1e-6), a_time("mpich", "scan", 8, 1.01e-6)),
]


def test_every_field_has_its_winner_or_nobody() -> None:
    drawing = drawn(FIGURE, ROWS)
    won = {(line.name, line.style): line.x for line in drawing.lines}
    assert won == {("bcast", 0): (8,), ("bcast", 1): (1024,), ("scan", 2): (8,)}
    assert drawing.keys == (("open", 0), ("mpich", 1))


def test_a_field_tells_how_much_longer_the_next_one_takes() -> None:
    texts = {visible_text(each) for each in picture_of(drawn(FIGURE, ROWS)).iter()}
    assert {"bcast", "scan", "8 B", "1 KiB", "+50 %"} <= texts


def test_the_summary_counts_what_each_wins() -> None:
    assert (
        "open 1, mpich 1; at the others there is no significant winner"
        in drawn(FIGURE, ROWS).summary
    )


def test_layouts_have_panels() -> None:
    wide = [but(row, nodes=4, ranks=8, per_node=2) for row in ROWS]
    assert len(drawn(FIGURE, [*ROWS, *wide]).panels) == 2
    assert drawn(FIGURE, ROWS).panels[0].title == ""


def test_one_toolchain_has_nobody_to_beat() -> None:
    alone = [row for row in ROWS if row.toolchain == "open"]
    assert draw(FIGURE, Material(alone), "f") is None


def test_what_only_one_measured_is_no_contest() -> None:
    drawing = drawn(FIGURE, [*ROWS, a_time("open", "reduce", 8, 1e-6)])
    assert {line.name for line in drawing.lines} == {"bcast", "scan"}
