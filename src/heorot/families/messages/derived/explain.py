"""All rows that follow from those of messages, each set by the file that knows its law."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heorot.families.messages.derived import (
    congested,
    dots,
    growth,
    hockney,
    loggp,
    memory,
    overlap,
    patterns,
    rings,
)
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result

_LAWS: tuple[Callable[[Context], Sequence[Result]], ...] = (
    hockney.explain,
    loggp.explain,
    dots.explain,
    rings.explain,
    patterns.explain,
    overlap.explain,
    congested.explain,
    memory.explain,
    growth.explain,
)


def explain(context: Context) -> list[Result]:
    """Every derived row of the family."""
    return [row for law in _LAWS for row in law(context)]
