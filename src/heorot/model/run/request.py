"""What the user asks for: where jobs go, with what programs are built, what `evaluate` runs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from heorot.model.base import Count, Record, Several, Span
from heorot.model.catalogue.benchmark import Case, Profile
from heorot.model.machine.site import BatchName


class Chosen(Record):
    """One benchmark run in one way the user chose, instead of the catalogue's cases."""

    benchmark: str
    case: Case


class TargetRequest(Record):
    """Where the jobs of a command go, and what it writes.

    Attributes:
        batch: this machine and the site's hosts, or a batch system; None for what the site says.
        out: the directory that is written, None for one named after the time.
        command: the command line, for the report.
    """

    batch: BatchName | Literal["local"] | None = None
    site: Path | None = None
    out: Path | None = None
    command: tuple[str, ...] = ()


class ProgramsRequest(TargetRequest):
    """The same of a command that builds programs.

    Attributes:
        toolchains: glob patterns of toolchain names; empty means the default one.
        sources: where the sources of programs of others are, by the names of their recipes.
    """

    toolchains: tuple[str, ...] = ()
    sources: dict[str, Path] = Field(default_factory=dict)


class Request(ProgramsRequest):
    """What the user asks `evaluate` for.

    Attributes:
        only: glob patterns of benchmark names; empty means all.
        chosen: a single case instead of the profile's.
        per_node: ranks that every node gets in turn, all for one on each core; empty for the
            layouts that each program has.
        launches: launches per case, None for the profile's number.
        budget_seconds: all measuring must fit in it, None for the profile's time [s].
        timeout_seconds: one launch may take so long, None for what its estimate allows [s].
        seed: of shuffling and resampling, None to draw one.
        recipes: programs of others to run, by name or file.
    """

    profile: Profile = "quick"
    only: tuple[str, ...] = ()
    chosen: Chosen | None = None
    nodes: tuple[Several, ...] = (1,)
    per_node: tuple[Several | Literal["all"], ...] = ()
    launches: Several | None = None
    budget_seconds: Span | None = None
    timeout_seconds: Span | None = None
    seed: Count | None = None
    recipes: tuple[str, ...] = ()

    @property
    def promised(self) -> bool:
        """Whether the profile's time holds: it does not for a case of the user's own."""
        return self.chosen is None

    @property
    def most_nodes(self) -> int:
        """So many nodes the largest case takes."""
        return max(self.chosen.case.nodes if self.chosen else 1, *self.nodes)
