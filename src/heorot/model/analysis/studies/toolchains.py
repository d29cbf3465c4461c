"""Toolchains held against each other: the same programs, built or linked in other ways."""

from __future__ import annotations

from typing import Literal

from heorot.model.analysis.comparison import ComparisonVerdict
from heorot.model.base import Record

TOOLCHAINS = "toolchains"
"""What sentences about them have in the place of a family."""

State = Literal["measured", "wrong", "not ended", "not built"]
Port = Literal["did not compile", "wrong", "did not end", "less accurate", "other flags"]


class ToolchainField(Record):
    """What a program does with a toolchain, beside what it does with the first one.

    Attributes:
        benchmark: the program.
        toolchain: name of the toolchain.
        state: `wrong` if any of its results failed their verification: it then has no speed.
        ratio: how many times as fast, the geometric mean over all that was measured [1]; None if
            nothing can be compared.
        low: lower end of its 95 % interval.
        high: upper end.
        verdict: of the toolchain, beside the first one.
        n: measured numbers in the mean.
        reason: why it is not `measured`, in a line.
    """

    benchmark: str
    toolchain: str
    state: State
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: ComparisonVerdict = "indistinguishable"
    n: int = 0
    reason: str = ""


class Porting(Record):
    """What somebody has to know who moves a program to a toolchain.

    Attributes:
        toolchain: name of the toolchain.
        benchmark: the program.
        what: the kind of trouble.
        detail: one line.
    """

    toolchain: str
    benchmark: str
    what: Port
    detail: str


class ToolchainMean(Record):
    """All programs with a toolchain beside the first one.

    Attributes:
        toolchain: its name.
        ratio: how many times as fast, the geometric mean over programs [1].
        n: programs in the mean: those that are right with both.
    """

    toolchain: str
    ratio: float
    n: int


class ToolchainStudy(Record):
    """All toolchains of a run.

    Attributes:
        base: the first one, beside which the others are seen.
        fields: of every program and every other toolchain.
        means: of every other toolchain that has any program right, the fastest first.
        porting: what was in the way, by toolchain.
    """

    base: str
    fields: tuple[ToolchainField, ...]
    means: tuple[ToolchainMean, ...] = ()
    porting: tuple[Porting, ...] = ()

    @property
    def programs(self) -> list[str]:
        """All programs, in their order."""
        return list(dict.fromkeys(field.benchmark for field in self.fields))

    @property
    def toolchains(self) -> list[str]:
        """All toolchains but the first, in their order."""
        return list(dict.fromkeys(field.toolchain for field in self.fields))
