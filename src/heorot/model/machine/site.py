"""What a site says of itself in its own file, over what is found automatically."""

from __future__ import annotations

from heorot.model.base import Record
from heorot.model.machine.toolchain import Toolchain


class Site(Record):
    """A site file.

    Attributes:
        system: the machine's name in results and reports.
        toolchains: replace those found automatically; the first is the default.
    """

    system: str | None = None
    toolchains: tuple[Toolchain, ...] = ()
