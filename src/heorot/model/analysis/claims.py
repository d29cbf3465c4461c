"""Claims: what an analysis says, as data; their sentences are rendered from templates."""

from __future__ import annotations

from typing import Self, TypeAlias

from pydantic import Field

from heorot.model.base import Record


class Quantity(Record):
    """A value of a claim.

    Attributes:
        median: centre [unit].
        low: lower end of its interval; None if it has none.
        unit: SI unit; `%` of shares, which are stored as ratios.
        launches: that the interval rests on; None if it is not one of launches.
        caution: what must be said wherever it is quoted.
        rows: keys of the results it is made of.
    """

    median: float
    low: float | None = None
    high: float | None = None
    unit: str = ""
    launches: int | None = None
    caution: str = ""
    rows: tuple[str, ...] = ()


class Limit(Quantity):
    """A threshold that a claim was decided by."""


Names: TypeAlias = str | tuple[str, ...]


class Claim(Record):
    """Something that is said, and all that it says it of.

    Attributes:
        text: the sentence or clause, rendered from the template of its kind.
        kind: which template, such as `nodes/slow`; empty if it is of none.
        values: counts, quantities with intervals, yes or no, and claims that it enumerates.
        rule: how it was decided, in words.
        evidence: keys of the results it rests on, or ids of steps.
    """

    text: str
    kind: str = ""
    subject: dict[str, Names] = Field(default_factory=dict)
    values: dict[str, bool | int | Quantity | Claim | tuple[Claim, ...]] = Field(
        default_factory=dict
    )
    limits: dict[str, Limit] = Field(default_factory=dict)
    rule: str = ""
    evidence: tuple[str, ...] = ()

    @classmethod
    def of(cls, claim: Claim, **more: object) -> Self:
        """What says this claim."""
        said = {name: getattr(claim, name) for name in Claim.model_fields}
        return cls.model_validate(said | more)
