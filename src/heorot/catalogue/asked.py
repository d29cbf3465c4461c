"""Options of a case: those that it sets, and the program's defaults for all others."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.catalogue.programs import Option, Program, Value, described, evaluate, identifier
from heorot.model.catalogue.benchmark import Case

_UNITS = {"k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_LARGEST = 10**100  # cubes of these are finite as floating-point numbers
_MOST = 1e18  # larger costs are cut to this


@dataclass(frozen=True)
class Asked:
    """The options of a case as its program reads them, set by the catalogue or by the user.

    An invalid value is read as the default here: the program itself reports it.

    Attributes:
        name: name of the program, such as `memory/stream`.
        case: the case with the options.
    """

    name: str
    case: Case

    @property
    def program(self) -> Program:
        """The program's own description: its options and costs."""
        return described(self.name)

    def number(self, name: str) -> float:
        """A positive number, such as 0.5 or 16M; 0 only if that is the default."""
        default = float(self._option(name).default)
        text = self.word(name)
        unit = _UNITS.get(text[-1:], 1)
        try:
            value = float(text[:-1] if unit > 1 else text) * unit
        except ValueError:
            return default
        return value if 0.0 < value < float("inf") else default

    def word(self, name: str) -> str:
        """The text of an option, such as the class of a benchmark of NPB."""
        return str(self.case.options.get(name, self._option(name).default))

    def flag(self, name: str) -> bool:
        """Whether a flag is set."""
        return self.word(name).lower() == "true"

    def items(self, name: str) -> tuple[str, ...]:
        """The chosen items of a list option, in the program's order."""
        known, words = self._option(name).choices, self.word(name).split(",")
        return known if words == ["all"] else tuple(each for each in known if each in words)

    def numbers(self, name: str, least: int = 1) -> tuple[int, ...]:
        """The whole numbers of a list option that are at least `least`."""
        words = self.word(name).split(",")
        return tuple(int(each) for each in words if each.isdecimal() and int(each) >= least)

    @property
    def budget_seconds(self) -> float:
        """Time budget of one region [s]."""
        return self.number("budget")

    def cost(self, name: str) -> int:
        """An amount as a whole number; see `amount`."""
        return int(min(self.amount(name), _MOST))

    def amount(self, name: str) -> float:
        """Cost of all ranks together: memory, or operations in one body of every measured point.

        Args:
            name: name of the cost, such as `memory_bytes` or `flops`.
        """
        case = self.case
        values: dict[str, Value] = {
            identifier(option): self._value(option) for option in self.program.options
        }
        copies = case.ranks if self.flag("star") else 1
        values |= {"ranks": case.ranks, "threads": case.threads, "copies": copies}
        return evaluate(self.program.costs[name], values)

    def estimated(self, seconds: float) -> Case:
        """The case with the costs that its program states.

        Args:
            seconds: time of a launch [s].
        """
        known = self.program.costs.keys() & {"memory_bytes", "working_set_bytes"}
        costs = {name: self.cost(name) for name in known}
        return self.case.estimated(**costs, seconds=seconds)

    def _value(self, name: str) -> Value:
        """The value of an option in cost formulas."""
        match self._option(name).type:
            case "items":
                return self.items(name)
            case "numbers":
                return tuple(min(each, _LARGEST) for each in self.numbers(name, least=0))
            case "string":
                return self.word(name)
            case "bool":
                return float(self.flag(name))
            case _:
                return self.number(name)

    def _option(self, name: str) -> Option:
        return self.program.options[name]
