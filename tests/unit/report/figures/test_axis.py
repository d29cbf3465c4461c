"""Axes: few round ticks inside their ends, with a range that holds all values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.families.compute.vectors.vector_kernels import VECTOR_KERNELS
from heorot.families.memory.stream import STREAM
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.model.catalogue.figure import Figure
from heorot.model.point import Scalar
from heorot.report.figures.axis import (
    Axis,
    common_ceiling,
    coordinate_axis,
    near_ceilings,
    share_axis,
    value_axis,
)
from tests.unit.model.keys import but
from tests.unit.report.figures.pictures import drawn, of_class, picture_of
from tests.unit.report.sample_results import (
    PEAK_FLOPS,
    Rows,
    pingpong_rows,
    stream_rows,
    vector_rows,
)


@given(
    low=st.floats(1e-9, 1e9),
    factor=st.floats(1.001, 1e9),
    log_y=st.booleans(),
    n_ticks=st.integers(3, 10),
)
def test_axes_have_few_ticks_inside_their_ends(
    low: float, factor: float, log_y: bool, n_ticks: int
) -> None:
    figure = Figure(title="t", kind="curve", metric="m", x="bytes", log_x=True, log_y=log_y)
    rows = Rows()
    results = [
        rows.make("a/b", "r", "m", "s", value, point={"bytes": size})
        for value, size in ((low, 1), (low * factor, 1 << 20))
    ]
    drawing = drawn(figure, results)
    for axis in (coordinate_axis(drawing, n_ticks), value_axis(drawing, n_ticks)):
        assert 1 <= len(axis.ticks) <= n_ticks + 1
        assert all(-1e-6 <= axis.place(value) <= 1 + 1e-6 for value, _ in axis.ticks)
        assert len({text for _, text in axis.ticks}) == len(axis.ticks)
    places = [value_axis(drawing, n_ticks).place(row.median) for row in results]
    assert all(0 <= place <= 1 and math.isfinite(place) for place in places)


def axis_over(x: str, values: list[Scalar], n_ticks: int, *, log_x: bool = True) -> Axis:
    rows = Rows()
    figure = Figure(title="t", kind="curve", metric="m", x=x, log_x=log_x)
    results = [rows.make("a/b", "r", "m", "s", 1.0, point={x: value}) for value in values]
    return coordinate_axis(drawn(figure, results), n_ticks)


def test_sizes_have_ticks_at_powers_of_two() -> None:
    assert [value for value, _ in axis_over("bytes", [1, 64], 4).ticks] == [1, 4, 16, 64]


def test_a_size_between_powers_of_two_has_ticks_too() -> None:
    assert "3 B" in [text for _, text in axis_over("bytes", [3], 7).ticks]


def test_cores_double() -> None:
    rows = Rows()
    figure = Figure(title="t", kind="curve", metric="m", x="cores", log_x=True)
    results = [rows.make("a/b", "r", "m", "s", 1.0, ranks=n) for n in (1, 2, 12, 48)]
    axis = coordinate_axis(drawn(figure, results), 10)
    assert [text for _, text in axis.ticks] == ["1", "2", "4", "8", "16", "32"]


@pytest.mark.parametrize(
    ("last", "n_ticks", "expected"),
    [(20, 7, [1, 2, 5, 10, 20]), (30, 4, [1, 3, 10, 30]), (100, 4, [1, 10, 100])],
)
def test_ticks_of_decades_are_evenly_spread(last: int, n_ticks: int, expected: list[int]) -> None:
    assert [value for value, _ in axis_over("n", [1, last], n_ticks).ticks] == expected


def test_names_keep_their_order_and_few_are_written() -> None:
    names: list[Scalar] = [f"n{i}" for i in range(12)]
    axis = axis_over("access", names, 4, log_x=False)
    assert axis.names == tuple(names)
    assert [text for _, text in axis.ticks] == ["n0", "n3", "n6", "n9"]
    assert [axis.number(name) for name in names[:3]] == [0.0, 1.0, 2.0]


def test_a_linear_axis_starts_at_zero_and_ends_above_the_ceilings() -> None:
    drawing = drawn(STREAM.figures[0], stream_rows(Rows()))
    ceilings = near_ceilings(drawing)
    assert len(ceilings) == 10
    assert value_axis(drawing, 7).low == 0.0
    assert value_axis(drawing, 7, ceilings).high > max(ceilings)


@pytest.mark.parametrize(
    ("values", "ends"), [((0.0, 0.0), (0.0, 1.0)), ((-1.0, -2.0), (-2.1, 0.0))]
)
def test_axes_of_nothing_and_of_negative_values(
    values: tuple[float, float], ends: tuple[float, float]
) -> None:
    row = Rows().make("a/b", "r", "m", "s", 1.0)
    results = [but(row, region=str(v), median=v, ci_low=v, ci_high=v) for v in values]
    axis = value_axis(drawn(Figure(title="t", kind="bars", metric="m"), results), 6)
    assert (axis.low, axis.high) == pytest.approx(ends)


def test_common_ceiling_only_if_all_have_it() -> None:
    exact = [
        row.model_copy(update={"share_of_ceiling": row.median / PEAK_FLOPS})
        for row in vector_rows(Rows())
    ]
    drawing = drawn(VECTOR_KERNELS.figures[0], exact)
    assert common_ceiling(drawing) == pytest.approx(PEAK_FLOPS)
    assert len(of_class(picture_of(drawing), "bound")) == len(drawing.panels)
    assert common_ceiling(drawn(PINGPONG.figures[0], pingpong_rows(Rows()))) is None


def test_the_axis_of_shares_goes_to_the_whole() -> None:
    axis = share_axis(6)
    assert (axis.low, axis.high) == (0.0, 1.0)
    assert [text for _, text in axis.ticks] == ["0", "20 %", "40 %", "60 %", "80 %", "100 %"]


def test_the_page_reads_kind_ends_and_ticks() -> None:
    axis = Axis("log", -0.5, 3.25, ((1.0, "1 B"), (1024.0, "1 KiB")))
    assert axis.encoded() == "log|-0.5|3.25|1=1 B|1024=1 KiB"
    named = Axis("category", -0.5, 0.5, ((0.0, "a|b=c"),), ("a|b=c",))
    assert named.encoded() == "category|-0.5|0.5|0=a¦b=c"
