"""How the report words numbers and names."""

from __future__ import annotations

import pytest

from heorot.report.wording import (
    bind_units,
    count,
    format_coordinate,
    format_tick,
    split_interval,
    word_name,
)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("bytes", 0, "0 B"),
        ("bytes", 1 << 20, "1 MiB"),
        ("working_set_bytes", 1000, "1000 B"),
        ("working_set_bytes", 33_240, "33.2 kB"),
        ("n", 16_777_216, "16\N{NARROW NO-BREAK SPACE}777\N{NARROW NO-BREAK SPACE}216"),
        ("fill", 0.25, "0.25"),
        ("pause_seconds", 0.0015, "1.5 ms"),
        ("access", "stride3", "stride3"),
    ],
)
def test_coordinates_have_their_unit(name: str, value: float | str, text: str) -> None:
    assert format_coordinate(name, value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1e10, "B/s", "10 GB/s"),
        (2.5e-6, "s", "2.5 µs"),
        (1.25e9, "flop/s", "1.25 Gflop/s"),
        (1e11, "flop/s", "100 Gflop/s"),
        (0.0, "B/s", "0"),
    ],
)
def test_ticks_have_no_idle_zeros(value: float, unit: str, text: str) -> None:
    assert format_tick(value, unit) == text


def test_interval_stands_on_the_scale_of_its_value() -> None:
    assert split_interval(15.3e9, 15.1e9, 15.5e9, "B/s", None) == ("15.3 GB/s", "[15.1, 15.5]")


def test_names_and_counts_are_words() -> None:
    assert word_name("working_set_bytes") == "working set"
    assert word_name("bytes") == "size"
    assert count(1, "step") == "1 step"
    assert count(2291, "row") == "2\N{NARROW NO-BREAK SPACE}291 rows"


def test_numbers_keep_their_units_on_one_line() -> None:
    text = bind_units("8 B in 5 ms at 12.4 GB/s, 60 % of 4 MiB; 3 steps in 2 sets")
    assert text.count("\N{NO-BREAK SPACE}") == 5
    assert "3 steps in 2 sets" in text
