"""Requests of the user: target of jobs, toolchains of programs, extent of `evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from heorot.model.base import Count, PositiveInt, Record, Seconds
from heorot.model.catalogue.benchmark import Case, Profile
from heorot.model.machine.site import BatchName


class Chosen(Record):
    """One case that the user chose, instead of the catalogue's cases."""

    benchmark: str
    case: Case


class TargetRequest(Record):
    """Target of the jobs of a command, and its output.

    Attributes:
        batch: this machine and the site's hosts, or a batch system; None for the site's choice.
        out: output directory, None for one named after the time.
        command: the command line, for the report.
    """

    batch: BatchName | Literal["local"] | None = None
    site: Path | None = None
    out: Path | None = None
    command: tuple[str, ...] = ()


class ProgramsRequest(TargetRequest):
    """Request of a command that builds programs.

    Attributes:
        toolchains: glob patterns of toolchain names; empty means the default one.
        sources: directories of the sources of external programs, by name of the recipe.
    """

    toolchains: tuple[str, ...] = ()
    sources: dict[str, Path] = Field(default_factory=dict)


class Request(ProgramsRequest):
    """Request of `evaluate`.

    Attributes:
        only: glob patterns of benchmark names; empty means all.
        chosen: a single case instead of the profile's.
        per_node: numbers of ranks per node, `all` for one on each core; empty for the layouts of
            each program.
        launches: launches per case, None for the profile's number.
        budget_seconds: time limit of all measurements, None for the profile's time [s].
        timeout_seconds: time limit of one launch, None for one from its estimate [s].
        seed: seed of the order and of resampling, None for a random one.
        recipes: external programs to run, by name or file.
    """

    profile: Profile = "quick"
    only: tuple[str, ...] = ()
    chosen: Chosen | None = None
    nodes: tuple[PositiveInt, ...] = (1,)
    per_node: tuple[PositiveInt | Literal["all"], ...] = ()
    launches: PositiveInt | None = None
    budget_seconds: Seconds | None = None
    timeout_seconds: Seconds | None = None
    seed: Count | None = None
    recipes: tuple[str, ...] = ()

    @property
    def promised(self) -> bool:
        """Whether the profile's time applies: not for a case that the user chose."""
        return self.chosen is None

    @property
    def most_nodes(self) -> int:
        """Number of nodes of the largest case."""
        return max(self.chosen.case.nodes if self.chosen else 1, *self.nodes)
