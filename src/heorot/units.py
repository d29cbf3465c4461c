"""Numbers with units: how Heorot prints quantities and reads durations and sizes."""

from __future__ import annotations

import math
import re

NOTHING = "–"
LEAST_LAUNCHES = 5  # fewer have no 95 % interval but a range

_PREFIXES: dict[int, str] = dict(
    zip(range(-12, 19, 3), ("p", "n", "µ", "m", "", *"kMGTPE"), strict=True)
)
_EXPONENTS = {prefix: exponent for exponent, prefix in _PREFIXES.items()}
_PREFIXED = frozenset(
    {
        "s",
        "B",
        "B/s",
        "flop",
        "flop/s",
        "Hz",
        "1/s",
        "bit/s",
        "op/s",
        "iter/s",
        "element/s",
        "update/s",
        "evaluation/s",
        "number/s",
        "key/s",
        "W",
        "J",
        "flop/J",
    }
)
_WHOLE = frozenset({"B"})
# A share is stored with the unit 1 and read in per cent.
_SHARE = frozenset({"%", "1"})
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_PARTS = ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s"))
# Longer texts are refused; a number of this length is finite.
_LONGEST = 40
_SECONDS = {
    "ms": 1e-3,
    "s": 1.0,
    "sec": 1.0,
    "m": 60.0,
    "min": 60.0,
    "h": 3600.0,
    "hour": 3600.0,
    "d": 86400.0,
    "day": 86400.0,
}
_BYTES: dict[str, int] = {"": 1, "b": 1} | {
    letter + suffix: base ** (i + 1)
    for i, letter in enumerate("kmgtp")
    for suffix, base in (("", 1024), ("ib", 1024), ("b", 1000))
}

# Printed units: prefix, name of the amount, divisor.
_PRINTED = re.compile(
    r"([kKMGTPEmunµ]i?)??(B|bytes?|bits?|b|[Ff][Ll][Oo][Pp][Ss]?|[Oo][Pp][Ss]?|s|Hz|iter|step"
    r"|element|1|(?=/))(?:/(s|min|h|day))?"
)
_PRINTED_AMOUNTS = {"byte": "B", "bytes": "B", "bits": "bit", "b": "bit"}
_PRINTED_PREFIXES = {
    letter + suffix: float(base ** (i + 1))
    for i, letters in enumerate(("kK", "M", "G", "T", "P", "E"))
    for letter in letters
    for suffix, base in (("", 1000), ("i", 1024))
} | {"": 1.0, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "n": 1e-9}
# Units of simulations, whose seconds are not real time: they are kept.
_KEPT_UNITS = frozenset({"ns/day", "tau/day", "h/ns", ""})


def format_quantity(
    value: float | None, unit: str = "", digits: int = 3, *, prefix: str | None = None
) -> str:
    """Print a quantity with a metric prefix, such as `15.3 GB/s`; None and NaN are a dash.

    Args:
        value: in base units [unit]; with unit `%`, or `1` as shares are stored, a ratio, so that
            0.5 prints as `50.0 %`.
        unit: `s`, `B`, `B/s`, `flop/s`, `Hz`, `1/s`... take prefixes; any other unit, `%` and the
            empty unit of a plain ratio do not.
        prefix: fixes the prefix (`µ` prints latencies as `0.270 µs`); None chooses it.
    """
    if value is None or math.isnan(value):
        return NOTHING
    exponent = _exponent(value, unit, digits) if prefix is None else _EXPONENTS[prefix]
    return f"{_mantissa(value, unit, exponent, digits)}{_unit_text(unit, exponent)}"


def format_interval(
    median: float | None,
    low: float | None,
    high: float | None,
    unit: str = "",
    digits: int = 3,
    *,
    launches: int | None,
) -> str:
    """Print a median and its interval `15.3 GB/s [15.1, 15.5; 5 launches]`, or its range `[…]`.

    Args:
        median: centre [unit].
        low: lower end [unit]; without both ends only the centre is printed.
        high: upper end [unit].
        digits: significant digits of the median; the ends get as many decimals.
        launches: number of launches; None if the ends are not those of launches.
    """
    centre = format_quantity(median, unit, digits)
    if launches == 1:
        return f"{centre} [1 launch]"
    if median is None or low is None or high is None or centre == NOTHING:
        return centre
    exponent = _exponent(median, unit, digits)
    scale = _scale(unit, exponent)
    decimals = _decimals(median / scale, digits)
    first, last = (_signed(end / scale, decimals) for end in (low, high))
    if launches is not None and launches < LEAST_LAUNCHES:
        return f"{centre} [{first}…{last} in {launches} launches]"
    return f"{centre} [{first}, {last}{f'; {launches} launches' if launches else ''}]"


def format_binary(n_bytes: float | None, digits: int = 3) -> str:
    """Print a size in powers of 1024 as caches and memories have it, such as `48 KiB`.

    Args:
        n_bytes: size [B].
        digits: significant digits; trailing zeros are dropped.
    """
    if n_bytes is None or math.isnan(n_bytes):
        return NOTHING
    size, step = float(n_bytes), 0
    while abs(size) >= 1024 and step < len(_BINARY) - 1:  # noqa: PLR2004 (the base itself)
        size, step = size / 1024, step + 1
    text = _signed(size, _decimals(size, digits))
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{text} {_BINARY[step]}"


def format_ratio(ratio: float) -> str:
    """Print a ratio with three decimals, a small one with three significant digits: `0.000154`."""
    return f"{ratio:.3f}" if abs(ratio) >= 0.1 else format_quantity(ratio, digits=3)  # noqa: PLR2004


def format_duration(seconds: float | None) -> str:
    """Print a duration in its two largest units: `0.85 s`, `42 s`, `4 min 10 s`, `2 d 3 h`.

    Args:
        seconds: duration [s].
    """
    if seconds is None or math.isnan(seconds):
        return NOTHING
    if seconds < 0:
        return f"-{format_duration(-seconds)}"
    if seconds < 10:  # noqa: PLR2004 (below, whole seconds would lose too much)
        return format_quantity(seconds, "s", 2)
    for size, large, part, small in _PARTS:
        # Rounding first: 86399 s are 1 d, not 24 h.
        whole = round(seconds / part) * part
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {large}" + (f" {rest} {small}" if rest else "")
    return f"{round(seconds)} s"


def parse_duration(text: str) -> float:
    """Read `30min`, `90s`, `1h`, `1h30min`, `2d`, `1:30:00`, `5:00` or plain seconds [s].

    Raises:
        ValueError: the text is not a duration.
    """
    word = text.strip().lower()
    if len(word) > _LONGEST:
        raise ValueError(f"not a duration: more than {_LONGEST} characters")
    if re.fullmatch(r"\d+(:[0-5]?\d){1,2}(\.\d+)?", word):
        total = 0.0
        for part in word.split(":"):
            total = 60 * total + float(part)
        return total
    if re.fullmatch(r"\d+(\.\d+)?", word):
        return float(word)
    pieces = re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]+)\s*", word)
    if not pieces or "".join(n + u for n, u in pieces) != re.sub(r"\s", "", word):
        raise ValueError(f"not a duration: {text!r} (such as 30min, 90s, 1h30min or 1:30:00)")
    unknown = [unit for _, unit in pieces if unit not in _SECONDS]
    if unknown:
        raise ValueError(f"not a duration: {text!r} ({unknown[0]!r} is not a unit of time)")
    return sum(float(number) * _SECONDS[unit] for number, unit in pieces)


def parse_bytes(text: str) -> int:
    """Read a size such as `4096`, `64 GiB`, `1.5TB`, `64G` [B].

    `kB`, `MB`... are powers of 1000, `KiB`, `MiB`... of 1024; bare letters (`64G`) mean powers of
    1024, as batch systems read them.

    Raises:
        ValueError: the text is not a size.
    """
    word = text.strip().lower()
    if len(word) > _LONGEST:
        raise ValueError(f"not a size: more than {_LONGEST} characters")
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", word)
    if match is None or match[2] not in _BYTES:
        raise ValueError(f"not a size: {text!r} (such as 4096, 64GiB or 1.5TB)")
    number, factor = match[1], _BYTES[match[2]]
    return int(number) * factor if number.isdigit() else round(float(number) * factor)


def parse_unit(text: str) -> tuple[str, float]:
    """The SI unit of a printed unit, such as `MB/s` or `GFlops`, and its factor.

    Raises:
        ValueError: it is unknown.
    """
    word = text.strip()
    if word in _KEPT_UNITS:
        return word, 1.0
    match = _PRINTED.fullmatch(word)
    if match is None or (match[1] or "") not in _PRINTED_PREFIXES:
        known = "such as B/s, MB/s, MiB/s, Gflop/s, Mop/s, us, 1/s, ns/day"
        raise ValueError(f"unknown unit {text[:_LONGEST]!r} ({known})")
    factor = _PRINTED_PREFIXES[match[1] or ""] / (_SECONDS[match[3]] if match[3] else 1.0)
    amount = _PRINTED_AMOUNTS.get(match[2], match[2]) or "1"
    plural = amount.lower() in {"flops", "ops"}  # GFlops are Gflop/s
    if plural or amount.lower() in {"flop", "op"}:
        amount = amount.lower().removesuffix("s")
    return (f"{amount}/s" if match[3] or plural else amount), factor


def _exponent(value: float, unit: str, digits: int) -> int:
    """The power of ten, a multiple of three, that leaves 1 to 999 before the unit."""
    if unit not in _PREFIXED or value == 0 or math.isinf(value):
        return 0
    # Rounding first: 999.7 at three digits is 1.00 k, not 1000.
    rounded = abs(float(f"{value:.{digits - 1}e}"))
    exponent: int = 3 * (math.floor(math.log10(rounded)) // 3)
    # No kiloseconds; bytes and flops have no fractions.
    highest = 0 if unit == "s" else max(_PREFIXES)
    lowest = 0 if unit in {"B", "flop"} else min(_PREFIXES)
    return max(lowest, min(highest, exponent))


def _scale(unit: str, exponent: int) -> float:
    return 0.01 if unit in _SHARE else 10.0**exponent


def _mantissa(value: float, unit: str, exponent: int, digits: int) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    scaled = value / _scale(unit, exponent)
    if unit in _WHOLE and exponent == 0 and float(value).is_integer():
        return str(int(value))
    if scaled == 0:
        return "0"
    if unit not in _PREFIXED and not 1e-4 <= abs(scaled) < 1e6:  # noqa: PLR2004 (readable zeros)
        return f"{scaled:.{digits - 1}e}"
    return _signed(scaled, _decimals(scaled, digits))


def _decimals(scaled: float, digits: int) -> int:
    """Decimals that show the wanted number of significant digits."""
    if scaled == 0 or math.isinf(scaled):
        return 0
    rounded = abs(float(f"{scaled:.{digits - 1}e}"))
    return max(0, digits - 1 - math.floor(math.log10(rounded)))


def _signed(scaled: float, decimals: int) -> str:
    return "∞" if math.isinf(scaled) else f"{scaled:.{decimals}f}"


def _unit_text(unit: str, exponent: int) -> str:
    prefix = _PREFIXES[exponent]
    if unit in _SHARE:
        return " %"
    if unit == "1/s":
        return f" {prefix}/s" if prefix else " 1/s"
    return f" {prefix}{unit}" if unit else prefix


def plural(number: int, noun: str) -> str:
    """Such as `1 launch`, `3 launches`, `2 entries`, `4 processes` or `5 nodes`."""
    return f"{number} {noun_for(number, noun)}"


def noun_for(number: int, noun: str) -> str:
    """The noun after a number."""
    if number == 1:
        return noun
    if noun.endswith("y"):
        return f"{noun[:-1]}ies"
    return f"{noun}{'es' if noun.endswith(('ch', 's')) else 's'}"
