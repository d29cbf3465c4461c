"""Toolchains compared with each other: the same programs, built or linked in other ways."""

from __future__ import annotations

from typing import Literal

from heorot.model.analysis.comparison import ComparisonVerdict
from heorot.model.base import Record

TOOLCHAINS = "toolchains"
"""Stands for the family of sentences about toolchains."""

State = Literal["measured", "wrong", "not ended", "not built"]
Port = Literal["did not compile", "wrong", "did not end", "less accurate", "other flags"]


class ToolchainField(Record):
    """Result of a program with a toolchain, compared with the first one.

    Attributes:
        state: `wrong` if any of its results failed their verification: it then has no speed.
        ratio: of speeds, the geometric mean over all measurements [1]; None if none can be
            compared.
        low: lower end of its 95 % interval.
        verdict: of the toolchain, compared with the first one.
        part: the compared part, if the toolchain differs from the first one in parts of programs
            only, such as `library calls`; else empty.
        reason: why it has no ratio, in a line.
    """

    benchmark: str
    toolchain: str
    state: State
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: ComparisonVerdict = "indistinguishable"
    n: int = 0
    part: str = ""
    reason: str = ""


class Porting(Record):
    """An obstacle in porting a program to a toolchain."""

    toolchain: str
    benchmark: str
    what: Port
    detail: str


class ToolchainMean(Record):
    """All programs with a toolchain, compared with the first one.

    Attributes:
        ratio: of speeds, the geometric mean over programs [1].
        low: lower end of its 95 % interval, for just these programs.
        n: programs in the mean: those with correct results in both.
    """

    toolchain: str
    ratio: float
    low: float
    high: float
    n: int
    part: str = ""


class Accuracy(Record):
    """A check whose value depends on the toolchain.

    Attributes:
        region: the region; empty for the whole program.
        check: its name, which includes its unit.
    """

    benchmark: str
    region: str
    check: str
    tolerance: float
    values: dict[str, float]


class ToolchainStudy(Record):
    """All toolchains of a run.

    Attributes:
        base: the first one, the baseline of the others.
        fields: of every program and every other toolchain; none if there is no other.
        means: of every other toolchain with any correct program, the fastest first.
        accuracy: the checks that differ between toolchains, most different first.
    """

    base: str
    fields: tuple[ToolchainField, ...]
    means: tuple[ToolchainMean, ...] = ()
    accuracy: tuple[Accuracy, ...] = ()
    porting: tuple[Porting, ...] = ()

    @property
    def programs(self) -> list[str]:
        """All programs, in their order."""
        return list(dict.fromkeys(field.benchmark for field in self.fields))

    @property
    def toolchains(self) -> list[str]:
        """All toolchains but the first, in their order."""
        return list(dict.fromkeys(field.toolchain for field in self.fields))
