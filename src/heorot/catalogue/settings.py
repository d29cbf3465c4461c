"""Options of a case as its family reads them, set by the catalogue or typed by a user."""

from __future__ import annotations

from heorot.model.catalogue.benchmark import Case

_UNITS = {"k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
# What the programs give a region unless told otherwise [s].
DEFAULT_BUDGET_SECONDS = 1.0


def number(case: Case, name: str, default: float) -> float:
    """A number, such as 0.5 or 16M; the default for what is none, of which the program complains.

    Args:
        case: whose options.
        name: of the option.
        default: what the program takes unless told otherwise.
    """
    text = str(case.options.get(name, default))
    unit = _UNITS.get(text[-1:], 1)
    try:
        value = float(text[:-1] if unit > 1 else text) * unit
    except ValueError:
        return default
    return value if 0.0 < value < float("inf") else default


def word(case: Case, name: str, default: str) -> str:
    """A word, such as a class."""
    return str(case.options.get(name, default))


def whole_numbers(case: Case, name: str, default: str) -> list[int]:
    """Those of a comma-separated list above 0; words of which the program complains are left out.

    Args:
        case: whose options.
        name: of the option.
        default: what the program takes unless told otherwise.
    """
    words = word(case, name, default).split(",")
    return [int(each) for each in words if each.isdecimal() and int(each) > 0]


def flag(case: Case, name: str) -> bool:
    """Whether something is asked for."""
    return str(case.options.get(name, False)).lower() == "true"


def budget_seconds(case: Case) -> float:
    """What a region may take [s]."""
    return number(case, "budget", DEFAULT_BUDGET_SECONDS)
