"""Rates and latencies in the formats of users."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.lab.quantities import parse_latency, parse_rate


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("100mbit", 100e6),
        ("100 Mbit/s", 100e6),
        ("1gbit", 1e9),
        ("2.5Gb/s", 2.5e9),
        ("12.5MB/s", 100e6),
        ("1.25 GB/s", 10e9),
        ("500kbps", 500e3),
        ("none", None),
        ("off", None),
    ],
)
def test_rates(text: str, bits: float | None) -> None:
    assert parse_rate(text) == bits


@pytest.mark.parametrize(
    "text", ["", "fast", "100", "-1gbit", "1kbit", "1e9", "9999gbit", "1" * 50]
)
def test_no_rates(text: str) -> None:
    with pytest.raises(ValueError, match=r"rate|link"):
        parse_rate(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("200us", 200e-6), ("200 µs", 200e-6), ("1ms", 1e-3), ("0", 0.0), ("none", 0.0), ("5s", 5.0)],
)
def test_latencies(text: str, seconds: float) -> None:
    assert parse_latency(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "soon", "200", "-1ms", "1h", "11s", "1" * 50])
def test_no_latencies(text: str) -> None:
    with pytest.raises(ValueError, match=r"latency|link"):
        parse_latency(text)


@given(st.text())
def test_any_text_is_a_quantity_or_a_mistake(text: str) -> None:
    for read in (parse_rate, parse_latency):
        try:
            value = read(text)
        except ValueError:
            continue
        assert value is None or value >= 0.0
