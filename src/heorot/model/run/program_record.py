"""What a program wrote of one launch, as its lines were read."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.run.records import CheckLine, EndLine, NoteLine, RegionLine, RunLine


@dataclass(frozen=True)
class ProgramRecord:
    """The lines of one record.

    Attributes:
        run: what ran, None if the program wrote nothing.
        refused: why it cannot run here, empty if it can.
        end: its last line, None if it did not end.
        at: which of several commands ran when all ended; empty if that is not known.
        problem: why the record cannot be trusted, one line, or empty.
    """

    run: RunLine | None = None
    notes: tuple[NoteLine, ...] = ()
    regions: tuple[RegionLine, ...] = ()
    checks: tuple[CheckLine, ...] = ()
    refused: str = ""
    end: EndLine | None = None
    at: str = ""
    problem: str = ""
