"""The table of a run for other tools: as stored where all files agree, else analysed again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heorot.errors import RunError
from heorot.model.analysis.result import Result
from heorot.model.run.plan import networks_of
from heorot.session.verification.disagreements import agreement_of
from heorot.store.atomic import write_bytes
from heorot.store.directory import RunDirectory
from heorot.store.results import ExportFormat, read_results
from heorot.store.results import export as export_rows


def export(path: Path, format_: ExportFormat) -> tuple[bytes, tuple[str, ...]]:
    """The table of a run as CSV, JSON or Parquet: results, and costs of launches and jobs.

    Returns:
        The file, and lines about parts that do not agree and are left out.

    Raises:
        RunError: it is no run, has not ended, is damaged, or does not agree as a whole.
    """
    rows, lines = read_table(RunDirectory.open(path))
    return export_rows(rows, format_), lines


def read_table(directory: RunDirectory) -> tuple[Sequence[Result], tuple[str, ...]]:
    """All rows of a run, and lines about parts that do not agree and are left out.

    Raises:
        RunError: it has not ended, is damaged, or does not agree as a whole.
    """
    stored = _read_agreeing(directory)
    if stored is not None:
        return stored, ()
    from heorot.session.runs import reopen_agreeing  # noqa: PLC0415 - seldom needed, slow to load

    evaluation = reopen_agreeing(directory.path).evaluation
    return evaluation.table, evaluation.disagreements


def write_export(path: Path, format_: ExportFormat, out: Path) -> tuple[str, ...]:
    """Write all results of a run to a file; returns lines about parts left out.

    Raises:
        SetupError: the file cannot be written.
    """
    content, lines = export(path, format_)
    write_bytes(out, content)
    return lines


def _read_agreeing(directory: RunDirectory) -> tuple[Result, ...] | None:
    """The rows of a run if all its files are unchanged; else None.

    None, too, for a run of an earlier version, whose rows have other columns.
    """
    agreement = agreement_of(directory, directory.all_steps())
    if agreement.files is None or not agreement.agrees:
        return None
    try:
        return read_results(directory.results_file, networks_of(directory.all_steps()))
    except RunError:
        return None
