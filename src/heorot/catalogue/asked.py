"""What a case asks of its program: the options that it sets, and what the program takes else."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.catalogue.programs import Option, Program, Value, described, evaluate, identifier
from heorot.model.catalogue.benchmark import Case

_UNITS = {"k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_LARGEST = 10**100  # numbers whose cubes are numbers still
_MOST = 1e18  # more is as good as for ever


@dataclass(frozen=True)
class Asked:
    """The options of a case as its program reads them, set by the catalogue or typed by a user.

    What makes no sense is read as if it were not there: the program complains of it.

    Attributes:
        name: of the program, such as `memory/stream`.
        case: whose options.
    """

    name: str
    case: Case

    @property
    def program(self) -> Program:
        """What the program says about itself."""
        return described(self.name)

    def number(self, name: str) -> float:
        """A number above 0, such as 0.5 or 16M; 0 only where that is the default."""
        default = float(self._option(name).default)
        text = self.word(name)
        unit = _UNITS.get(text[-1:], 1)
        try:
            value = float(text[:-1] if unit > 1 else text) * unit
        except ValueError:
            return default
        return value if 0.0 < value < float("inf") else default

    def word(self, name: str) -> str:
        """A word, such as a class."""
        return str(self.case.options.get(name, self._option(name).default))

    def flag(self, name: str) -> bool:
        """Whether something is asked for."""
        return self.word(name).lower() == "true"

    def items(self, name: str) -> tuple[str, ...]:
        """The items of a list, in the order in which the program knows them."""
        known, words = self._option(name).choices, self.word(name).split(",")
        return known if words == ["all"] else tuple(each for each in known if each in words)

    def numbers(self, name: str, least: int = 1) -> tuple[int, ...]:
        """Those of a list of whole numbers that are large enough."""
        words = self.word(name).split(",")
        return tuple(int(each) for each in words if each.isdecimal() and int(each) >= least)

    @property
    def budget_seconds(self) -> float:
        """What a region may take [s]."""
        return self.number("budget")

    def cost(self, name: str) -> int:
        """What all ranks together take, to the whole byte; see `amount`."""
        return int(min(self.amount(name), _MOST))

    def amount(self, name: str) -> float:
        """What all ranks together take, or do in one body of all that they measure.

        Args:
            name: such as `memory_bytes`, `flops`.
        """
        case = self.case
        values: dict[str, Value] = {
            identifier(option): self._value(option) for option in self.program.options
        }
        copies = case.ranks if self.flag("star") else 1
        values |= {"ranks": case.ranks, "threads": case.threads, "copies": copies}
        return evaluate(self.program.costs[name], values)

    def estimated(self, seconds: float) -> Case:
        """The case with what its program says that it takes.

        Args:
            seconds: how long a launch takes [s].
        """
        known = self.program.costs.keys() & {"memory_bytes", "working_set_bytes"}
        costs = {name: self.cost(name) for name in known}
        return self.case.estimated(**costs, seconds=seconds)

    def _value(self, name: str) -> Value:
        """An option as formulas have it."""
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
