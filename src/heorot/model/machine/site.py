"""What a site says of itself in its own file, over what is found automatically."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from heorot.model.base import Record
from heorot.model.machine.toolchain import Toolchain


class Site(Record):
    """A site file.

    Attributes:
        system: the machine's name in results and reports.
        toolchains: replace those found automatically; the first is the default.
        sources: where the sources of programs of others are, by the names of their recipes.
    """

    system: str | None = None
    toolchains: tuple[Toolchain, ...] = ()
    sources: dict[str, Path] = Field(default_factory=dict)
