"""Quantities, intervals, durations and sizes as text and back."""

import math
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heorot.units import (
    format_binary,
    format_duration,
    format_interval,
    format_quantity,
    format_ratio,
    parse_bytes,
    parse_duration,
    plural,
)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (15.3e9, "B/s", "15.3 GB/s"), (2.7e-7, "s", "270 ns"), (999.4, "Hz", "999 Hz"),
        (999.7, "Hz", "1.00 kHz"), (1e3, "Hz", "1.00 kHz"), (1e6, "B", "1.00 MB"),
        (8, "B", "8 B"), (0, "s", "0 s"), (0.0, "B/s", "0 B/s"), (None, "s", "–"),
        (math.nan, "s", "–"), (math.inf, "s", "∞ s"), (-3.2e9, "flop/s", "-3.20 Gflop/s"),
        (0.955, "%", "95.5 %"), (1.5, "", "1.50"), (12345.0, "s", "12345 s"), (0, "1", "0 %"),
        (999.9996, "s", "1000 s"), (1e20, "flop/s", "100 Eflop/s"), (1e9, "1/s", "1.00 G/s"),
        (5, "1/s", "5.00 1/s"), (1e-3, "s", "1.00 ms"), (0.14, "byte/flop", "0.140 byte/flop"),
        (-0.02, "%", "-2.00 %"), (100e9, "bit/s", "100 Gbit/s"), (1.23456789e6, "", "1.23e+06"),
    ],
)  # fmt: skip
def test_quantities(value: float | None, unit: str, text: str) -> None:
    assert format_quantity(value, unit) == text


def test_a_prefix_can_be_fixed() -> None:
    assert format_quantity(2.7e-7, "s", 2, prefix="µ") == "0.27 µs"


@given(st.floats(1e-11, 1e19), st.sampled_from(["s", "B/s", "flop/s", "Hz", "1/s", "B"]))
def test_quantities_lose_neither_value_nor_sign(value: float, unit: str) -> None:
    text = format_quantity(value, unit, 6)
    assert format_quantity(-value, unit, 6) == f"-{text}"
    number, tail = text.split()
    powers = {"p": -12, "n": -9, "µ": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15}
    prefix = tail.removesuffix(unit.removeprefix("1")).removesuffix("1")
    scale = 10.0 ** (powers | {"E": 18, "": 0})[prefix]
    assert float(number) * scale == pytest.approx(value, rel=5.1e-6)


@pytest.mark.parametrize(
    ("values", "unit", "text"),
    [
        ((15.3e9, 15.1e9, 15.5e9), "B/s", "15.3 GB/s [15.1, 15.5]"),
        ((1.0e-6, 0.99e-6, 1.0e-3), "s", "1.00 µs [0.99, 1000.00]"),
        ((0.95, 0.94, 0.96), "%", "95.0 % [94.0, 96.0]"),
        ((0.95, 0.94, 0.96), "1", "95.0 % [94.0, 96.0]"),
        ((15.3e9, None, None), "B/s", "15.3 GB/s"),
        ((None, 1.0, 2.0), "B/s", "–"),
        ((0.0, 0.0, 1.0), "s", "0 s [0, 1]"),
        ((2.0, -1.0, math.inf), "", "2.00 [-1.00, ∞]"),
    ],
)
def test_intervals(
    values: tuple[float | None, float | None, float | None], unit: str, text: str
) -> None:
    assert format_interval(*values, unit, launches=None) == text


@pytest.mark.parametrize(
    ("n_bytes", "text"),
    [(49152, "48 KiB"), (1.5 * 2**20, "1.5 MiB"), (32 * 2**20, "32 MiB"), (0, "0 B"),
     (1023, "1023 B"), (24684092 * 1024, "23.5 GiB"), (None, "–"), (-2048, "-2 KiB"),
     (100 * 2**30, "100 GiB"), (1000 * 2**30, "1000 GiB")],
)  # fmt: skip
def test_binary_sizes(n_bytes: float | None, text: str) -> None:
    assert format_binary(n_bytes) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (0.5, "500 ms"), (9.4, "9.4 s"), (42.2, "42 s"), (59.6, "1 min"),
     (250, "4 min 10 s"), (3599.9, "1 h"), (3660, "1 h 1 min"), (86399, "1 d"),
     (183600, "2 d 3 h"), (-90, "-1 min 30 s"), (None, "–")],
)  # fmt: skip
def test_durations_as_text(seconds: float | None, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30min", 1800), ("90s", 90), ("1h", 3600), ("1:30:00", 5400), ("5:00", 300), ("45", 45),
     ("1h30min", 5400), ("1 h 30 min", 5400), ("1.5h", 5400), ("2d", 172800), ("500ms", 0.5)],
)  # fmt: skip
def test_durations_from_text(text: str, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "soon", "-5s", "1:99:00", "5 lightyears", "h", "5min soon"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="not a duration"):
        parse_duration(text)


@given(st.integers(1, 59))
def test_minutes_round_trip(minutes: int) -> None:
    assert parse_duration(format_duration(60 * minutes)) == 60 * minutes


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [("4096", 4096), ("64 GiB", 64 * 2**30), ("64G", 64 * 2**30), ("1.5TB", 1_500_000_000_000),
     ("1 kB", 1000), ("512b", 512), ("0.5KiB", 512)],
)  # fmt: skip
def test_sizes_from_text(text: str, n_bytes: int) -> None:
    assert parse_bytes(text) == n_bytes


@pytest.mark.parametrize("text", ["", "GiB", "-1", "5 apples", "1,5GB"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(ValueError, match="not a size"):
        parse_bytes(text)


_WORDS = st.sampled_from(
    (*("9" * 5000, "9" * 400, "9", "0", ".", ".5", ":", " ", "-", "²", "٣", "e9", "nan", "inf"),
     *("h", "min", "s", "d", "ms", "GiB", "TB", "k", "P", "b", "K", "İ", "\0", "\n", "\u2003"))
)  # fmt: skip


@given(st.lists(_WORDS | st.text(max_size=2), max_size=6).map("".join))
@example("9" * 400)
@example("9" * 400 + "d")
@example("1:" + "9" * 2)
@example("9" * 400 + ":30")
@example("9" * 400 + ".5")
@example("9" * 5000)
def test_any_text_is_a_finite_quantity_or_none(text: str) -> None:
    for parse, what in ((parse_duration, "not a duration: "), (parse_bytes, "not a size: ")):
        number = _parsed(parse, text, what)
        assert 0 <= number < math.inf
        assert float(number) < math.inf


def _parsed(parse: Callable[[str], float], text: str, what: str) -> float:
    """The number, or 0 if the text is refused, as it should be."""
    try:
        return parse(text)
    except ValueError as error:
        said = str(error)
    assert said.startswith(what)
    assert len(said) < 200
    return 0


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (1.0, "1.000"),
        (0.1, "0.100"),
        (0.0954, "0.0954"),
        (0.000154321, "0.000154"),
        (1.54321e-7, "1.54e-07"),
        (12.3456, "12.346"),
        (0.0, "0"),
    ],
)
def test_small_ratios_keep_three_digits(ratio: float, text: str) -> None:
    assert format_ratio(ratio) == text


def test_numbers_of_things() -> None:
    texts = [plural(n, noun) for n in (0, 1, 2) for noun in ("node", "launch", "entry")]
    assert texts == [
        *("0 nodes", "0 launches", "0 entries"),
        *("1 node", "1 launch", "1 entry"),
        *("2 nodes", "2 launches", "2 entries"),
    ]
