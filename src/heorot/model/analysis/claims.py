"""Claims: statements of an analysis, as data; their sentences are rendered from templates."""

from __future__ import annotations

import math
import re
from typing import Self, TypeAlias

from pydantic import Field

from heorot.model.base import Record

_ENDS = re.compile(r" \[(?:[^\[\]]*(?:, |…)[^\[\]]*|1 launch)\]")
_END_OF_CLAUSE = re.compile(r"[;:] |, (?:and|which|so that) ")
_TENTH = 0.1


def format_uncertainty(median: float, low: float | None, high: float | None) -> str:
    """Half-width of an interval relative to its median, such as `±3 %`; empty without an interval.

    The farther of the two ends counts; anything above zero is at least 0.1 %.
    """
    if low is None or high is None or median == 0.0 or not math.isfinite(median + low + high):
        return ""
    share = 100.0 * max(high - median, median - low, 0.0) / abs(median)
    if share == 0.0:
        return "±0 %"
    return f"±{share:.0f} %" if round(share, 1) >= 1.0 else f"±{max(_TENTH, share):.1f} %"


class Quantity(Record):
    """A value of a claim.

    Attributes:
        median: centre [unit].
        low: lower end of its interval; None if it has none.
        unit: SI unit; `%` of shares, which are stored as ratios.
        launches: number of launches of the interval; None if it does not rest on launches.
        caution: remark that goes with every quotation.
        rows: keys of its results.
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
    """A statement with its values.

    Attributes:
        text: the sentence or clause, rendered from the template of its kind.
        brief: the same in few words and at most two numbers; empty if no verdict quotes it.
        kind: its template, such as `nodes/slow`; empty without a template.
        values: counts, quantities with intervals, yes or no, and enumerated claims.
        rule: the decision rule, in words.
        evidence: keys of its results, or ids of steps.
    """

    text: str
    brief: str = ""
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
        """A record of this class with the fields of a claim."""
        said = {name: getattr(claim, name) for name in Claim.model_fields}
        return cls.model_validate(said | more)

    @property
    def short(self) -> str:
        """Its brief; without one, the first clause without intervals."""
        return self.brief or _END_OF_CLAUSE.split(_ENDS.sub("", self.text), maxsplit=1)[0]
