"""Output of an external program: the numbers that it prints, and conditions on them."""

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
    """Whole numbers of a coordinate, each a multiple of the previous one.

    Attributes:
        first: the first one.
        last: upper limit; None if `steps` sets the end.
        steps: number of values after the first.
    """

    first: int | Template
    last: int | Template | None = None
    steps: int | Template | None = None
    times: Annotated[int, Field(ge=2, le=1000)] = 2

    @model_validator(mode="after")
    def _ends_once(self) -> Self:
        if (self.last is None) == (self.steps is None):
            raise ValueError("ends with `last` or after `steps`: give one of them")
        return self


def _kind(value: object) -> str:
    """The chosen one of several forms, so that an error message is about that one."""
    if isinstance(value, dict | Record):
        return "mapping"
    if isinstance(value, list | tuple):
        return "list"
    return "text" if isinstance(value, str) else "number"


_Values = Annotated[tuple[Template | Scalar, ...], Field(min_length=1, max_length=2000)]
_Taken = Annotated[
    Annotated[Series, Tag("mapping")] | Annotated[_Values, Tag("list")], Discriminator(_kind)
]
# Number of values per launch of a metric, or the values themselves of each group of its pattern.
Declared = Annotated[
    Annotated[int, Field(ge=1, le=2000), Tag("number")]
    | Annotated[Template, Tag("text")]
    | Annotated[dict[VariableName, _Taken], Tag("mapping")],
    Discriminator(_kind),
]


class Verification(Record):
    """A condition on the output for its figures to count.

    Attributes:
        pattern: text to find; with a group `value` every match has a number to judge.
        tolerance: largest distance of the number from it, in the number's own unit.
        equals: required number or word of every match, case-insensitive; empty if the number is
            judged by `expected` and `tolerance`.
        region: the only one whose figures depend on it; empty if all do.
        absent: whether there must be no match.
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
    metric: Template
    point: dict[str, Template] = Field(default_factory=dict)


class Quantity(Record):
    """A number that the program prints.

    Attributes:
        unit: as printed; values are stored in SI units.
        pattern: with a group `value` around the number; a group `region` names its region, every
            other group is a coordinate.
        region: its region, if no group names it.
        pick: which match counts if several belong to one point.
        beside: Heorot's own quantity that it is compared with.
        ceiling: name of the measured quantity that limits it, such as `flop_peak`.
        most: upper limit on any machine, in the unit of `unit`.
        headline_at: required coordinates of the headline; others are free.
        cases: names of the entries of `cases` whose launches print it; empty means all.
        optional: whether a launch may leave it out, as one of several programs does.
        beyond_run: whether a time may exceed that of the program, as a sum over all ranks does.
        values: number of values per launch, or the values of each group of its pattern.
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
