"""The record that a program wrote about one launch."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.run.records import CheckLine, EndLine, NoteLine, RegionLine, RunLine


@dataclass(frozen=True)
class ProgramRecord:
    """The lines of one record.

    Attributes:
        run: its first line, None if the program wrote nothing.
        refused: why the program cannot run here, empty if it can.
        end: its last line, None if the program did not end.
        at: the command that ran when all ended, of several; empty if unknown.
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
