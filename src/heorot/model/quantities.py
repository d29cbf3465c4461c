"""What a program of others prints: the numbers that it tells, and what must be true of them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from heorot.model.base import Record, VariableName
from heorot.model.catalogue.metrics import Better
from heorot.model.point import Scalar
from heorot.pattern import compile_pattern, group_names
from heorot.template import placeholders
from heorot.units import parse_unit

# Groups of a metric's pattern with a meaning of their own; all others are coordinates.
VALUE, REGION = "value", "region"


def as_template(text: str) -> str:
    """A text whose placeholders are names.

    Raises:
        ValueError: they are not.
    """
    placeholders(text)
    return text


def _pattern(text: str) -> str:
    compile_pattern(text)
    return text


def _metric_pattern(text: str) -> str:
    if VALUE not in group_names(text):
        raise ValueError("needs a group (?P<value>...) around the number")
    return text


def _unit(text: str) -> str:
    parse_unit(text)
    return text


Template = Annotated[str, AfterValidator(as_template)]
Unit = Annotated[str, AfterValidator(_unit)]
Pattern = Annotated[str, AfterValidator(_pattern), AfterValidator(_metric_pattern)]


class Series(Record):
    """Whole numbers that a coordinate takes, each so many times the one before.

    Attributes:
        first: the first one.
        last: none is larger; None if `steps` says where they end.
        steps: how many come after the first.
    """

    first: int | Template
    last: int | Template | None = None
    steps: int | Template | None = None
    times: Annotated[int, Field(ge=2, le=1000)] = 2

    @model_validator(mode="after")
    def _ends_once(self) -> Self:
        if (self.last is None) == (self.steps is None):
            raise ValueError("ends with `last` or after `steps`: say one of them")
        return self


def _kind(value: object) -> str:
    """Which of several forms somebody chose, so that a complaint is of that one."""
    if isinstance(value, dict | Record):
        return "mapping"
    if isinstance(value, list | tuple):
        return "list"
    return "text" if isinstance(value, str) else "number"


_Several = Annotated[tuple[Template | Scalar, ...], Field(min_length=1, max_length=2000)]
_Taken = Annotated[
    Annotated[Series, Tag("mapping")] | Annotated[_Several, Tag("list")], Discriminator(_kind)
]
# How many values a launch has of a metric, or which: what each group of its pattern takes.
Declared = Annotated[
    Annotated[int, Field(ge=1, le=2000), Tag("number")]
    | Annotated[Template, Tag("text")]
    | Annotated[dict[VariableName, _Taken], Tag("mapping")],
    Discriminator(_kind),
]


class Verification(Record):
    """What must be printed, or must not, for the figures to count.

    Attributes:
        pattern: what is looked for; with a group `value` every match has a number to judge.
        tolerance: how far from it the number may lie, in the number's own unit.
        equals: what every match's number or word must be, in letters of any size; empty if the
            number is judged by `expected` and `tolerance`.
        region: the only one whose figures depend on it; empty if all do.
        absent: whether nothing may match.
    """

    name: str
    pattern: Annotated[str, AfterValidator(_pattern)]
    expected: float = 0.0
    tolerance: Annotated[float, Field(ge=0.0)] = 0.0
    equals: Template = ""
    region: str = ""
    absent: bool = False

    @property
    def has_value(self) -> bool:
        """Whether there is a number to judge."""
        return VALUE in group_names(self.pattern)


class Beside(Record):
    """A quantity of Heorot's own that measures the same thing."""

    benchmark: Template
    region: Template
    metric: str
    point: dict[str, Template] = Field(default_factory=dict)


class Quantity(Record):
    """A number that the program prints.

    Attributes:
        unit: as printed; it is kept in SI units.
        pattern: with a group `value` around the number; a group `region` tells what it belongs
            to, every other group is a coordinate.
        region: what it belongs to, if no group says so.
        pick: which match counts where several belong to one place.
        beside: what of Heorot's own it is compared with.
        ceiling: name of the measured quantity that limits it, such as `flop_peak`.
        most: what no machine exceeds, in the unit of `unit`.
        headline_at: coordinates that they must have there; others are free.
        cases: names of the entries of `cases` whose launches print it; empty means all.
        optional: whether a launch may leave it out, as one of several programs does.
        beyond_run: whether a time may be longer than the program ran, as that of all ranks
            together is.
        values: how many of them a launch has, or which: what each group of its pattern takes.
    """

    name: VariableName
    unit: Unit
    better: Better
    pattern: Pattern
    region: Template = "program"
    pick: Literal["only", "first", "last"] = "only"
    beside: Beside | None = None
    ceiling: str = ""
    most: Annotated[float, Field(gt=0.0)] | None = None
    headline: tuple[str, ...] = ()
    headline_at: dict[str, Scalar] = Field(default_factory=dict)
    cases: tuple[str, ...] = ()
    optional: bool = False
    beyond_run: bool = False
    values: Declared | None = None
