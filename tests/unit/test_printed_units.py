"""Units as programs print them, as SI units with a factor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.units import parse_unit


@pytest.mark.parametrize(
    ("text", "unit", "factor"),
    [
        ("s", "s", 1.0), ("ms", "s", 1e-3), ("us", "s", 1e-6), ("µs", "s", 1e-6),
        ("ns", "s", 1e-9), ("B/s", "B/s", 1.0), ("MB/s", "B/s", 1e6), ("GB/s", "B/s", 1e9),
        ("kB/s", "B/s", 1e3), ("KB/s", "B/s", 1e3), ("KiB/s", "B/s", 1024.0),
        ("MiB/s", "B/s", 2.0**20), ("GiB", "B", 2.0**30), ("TiB", "B", 2.0**40),
        ("PB", "B", 1e15), ("EB", "B", 1e18), ("bytes/s", "B/s", 1.0), ("byte", "B", 1.0),
        ("Mbytes/s", "B/s", 1e6), ("Gbit/s", "bit/s", 1e9), ("Gb/s", "bit/s", 1e9),
        ("Mbits/s", "bit/s", 1e6), ("GFlops", "flop/s", 1e9), ("Gflops", "flop/s", 1e9),
        ("Gflop/s", "flop/s", 1e9), ("GFLOP/s", "flop/s", 1e9), ("GFLOPS", "flop/s", 1e9),
        ("Gflops/s", "flop/s", 1e9), ("flop", "flop", 1.0), ("MFLOP", "flop", 1e6),
        ("Mop/s", "op/s", 1e6), ("Mops", "op/s", 1e6), ("ops/s", "op/s", 1.0),
        ("1", "1", 1.0), ("1/s", "1/s", 1.0), ("/s", "1/s", 1.0), ("1/min", "1/s", 1 / 60),
        ("iter/s", "iter/s", 1.0), ("step/s", "step/s", 1.0), ("kstep/s", "step/s", 1e3),
        ("element/s", "element/s", 1.0), ("Melement/s", "element/s", 1e6),
        ("step/h", "step/s", 1 / 3600), ("step/day", "step/s", 1 / 86400),
        ("GHz", "Hz", 1e9), ("MHz", "Hz", 1e6), (" MB/s ", "B/s", 1e6),
        ("ns/day", "ns/day", 1.0), ("tau/day", "tau/day", 1.0), ("h/ns", "h/ns", 1.0),
        ("", "", 1.0),
    ],
)  # fmt: skip
def test_units_that_programs_print(text: str, unit: str, factor: float) -> None:
    found, size = parse_unit(text)
    assert found == unit
    assert size == pytest.approx(factor, rel=1e-15)


@pytest.mark.parametrize(
    "text",
    ["furlongs", "MB/fortnight", "B/s/s", "GB /s", "%", "MM", "X/s", "miB", "uiB/s", "min", "h"],
)
def test_units_that_nobody_knows(text: str) -> None:
    with pytest.raises(ValueError, match="unknown unit") as caught:
        parse_unit(text)
    assert "such as B/s, MB/s" in str(caught.value)


def test_a_long_word_is_not_quoted_whole() -> None:
    with pytest.raises(ValueError, match="unknown unit") as caught:
        parse_unit("x" * 5000)
    assert len(str(caught.value)) < 200


@given(st.sampled_from(["s", "B", "B/s", "flop/s", "bit/s", "op/s", "iter/s", "Hz", "1/s"]))
def test_an_si_unit_stands_for_itself(unit: str) -> None:
    assert parse_unit(unit) == (unit, 1.0)


@given(st.text(max_size=12) | st.from_regex(r"[kKMGTPEmun]?i?[A-Za-z1]{0,6}/?[a-z]{0,3}"))
def test_any_text_is_a_unit_or_none(text: str) -> None:
    try:
        unit, factor = parse_unit(text)
    except ValueError:
        return
    assert 0.0 < factor < 1e19
    assert parse_unit(unit) == (unit, 1.0)
