"""The map of toolchains stays inside its frame, and wrong results show no speed."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.model.analysis.studies.toolchains import ToolchainField, ToolchainStudy
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.kinds.maps.toolchain_map import MOST_TOOLCHAINS, name_columns
from heorot.report.figures.show import draw, kind_of, write_picture
from tests.unit.report.figures.pictures import of_class, picture_of, visible_text

MAP = Figure(title="t", kind="toolchain_map")


def one(program: str, toolchain: str, ratio: float | None = 1.0, **changes: Any) -> ToolchainField:
    fields: dict[str, Any] = {"state": "measured", "n": 3} | changes
    if ratio is not None:
        fields |= {"ratio": ratio, "low": 0.9 * ratio, "high": 1.1 * ratio}
    return ToolchainField(benchmark=program, toolchain=toolchain, **fields)


def analysis_of(n_programs: int, n_toolchains: int) -> ToolchainStudy:
    fields = [
        one(
            f"family/program-with-a-long-name-{i}",
            f"compiler-{j}+some-mpi-5.0.11+O2",
            0.4 + 0.1 * j,
        )
        for i in range(n_programs)
        for j in range(n_toolchains)
    ]
    return ToolchainStudy(base="gnu", fields=tuple(fields))


def drawn(found: ToolchainStudy) -> Drawing:
    drawing = draw(MAP, Material(toolchains=found), "f")
    assert drawing is not None
    return drawing


def test_without_toolchains_there_is_no_figure() -> None:
    assert draw(MAP, Material(), "f") is None
    alone = ToolchainStudy(base="gnu", fields=())
    assert draw(MAP, Material(toolchains=alone), "f") is None


@pytest.mark.parametrize(("n_programs", "n_toolchains"), [(1, 1), (50, 20), (3, 40)])
def test_everything_stays_inside_its_frame(n_programs: int, n_toolchains: int) -> None:
    drawing = drawn(analysis_of(n_programs, n_toolchains))
    picture = picture_of(drawing)
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    for field in picture.iter("rect"):
        assert 0 <= float(field.attrib["x"]) <= width - float(field.attrib["width"]) + 0.1
        assert 0 <= float(field.attrib["y"]) <= height - float(field.attrib["height"])
    beyond = n_toolchains - MOST_TOOLCHAINS
    assert drawing.omitted == (f"{beyond} more toolchains in the table only." if beyond > 0 else "")


def test_colours_diverge_from_one_and_frames_are_for_what_is_beyond_chance() -> None:
    fields = (
        one("a/slow", "x", 0.4, verdict="worse"),
        one("a/same", "x", 1.0),
        one("a/fast", "x", 3.0, verdict="better"),
    )
    drawing = drawn(ToolchainStudy(base="gnu", fields=fields))
    picture = picture_of(drawing)
    assert [len(of_class(picture, f"d{n}")) for n in (0, 4, 7)] == [2, 2, 2]  # and the legend
    assert len(of_class(picture, "frame")) == 2
    numbers = [visible_text(text) for group in of_class(picture, "on-field") for text in group]
    assert numbers == ["0.40", "1.00", "3.00"]
    assert "a/fast, x: 3.00 [2.70, 3.30] times as fast" in str(write_picture(drawing))
    assert "Framed" in kind_of(drawing).read(drawing)


def test_what_is_wrong_or_missing_has_a_sign_instead_of_a_colour() -> None:
    fields = (
        one("a/wrong", "x", None, state="wrong", reason="sum is nan"),
        one("a/unbuilt", "x", None, state="not built", reason="no <format>"),
        one("a/dead", "x", None, state="not ended", reason="exit code 139"),
        one("a/none", "x", None, reason="wrong with gnu"),
    )
    drawing = drawn(ToolchainStudy(base="gnu", fields=fields))
    picture = picture_of(drawing)
    assert [visible_text(sign) for sign in of_class(picture, "bar-value")] == ["✗", "–", "†"]
    assert len(of_class(picture, "gap")) == 1
    assert sum(len(of_class(picture, f"d{n}")) for n in range(8)) == 8  # the legend alone
    assert "Wrong: a/wrong with x." in drawing.summary
    assert "✗: wrong results. †: did not end. –: did not compile." in kind_of(drawing).read(drawing)
    assert "a/wrong, x: ✗ wrong: sum is nan" in str(write_picture(drawing))
    assert "a/none, x: nothing to compare: wrong with gnu" in str(write_picture(drawing))


def test_columns_are_named_by_what_differs_from_the_first() -> None:
    base = "gnu-12+openmpi-5"
    others = ["gnu-12+openmpi-5+O0", "gnu-12+mpich-5", "clang-16+openmpi-5+O0"]
    assert name_columns(base, others) == ["O0", "mpich-5", "clang-16+O0"]
    assert name_columns(base, ["openmpi-5", "x"]) == ["openmpi-5", "x"]
    assert name_columns(base, ["gnu-12+O0", "openmpi-5+O0"]) == ["gnu-12+O0", "openmpi-5+O0"]
