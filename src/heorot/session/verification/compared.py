"""Compares a run with another, or with a published machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heorot.analyse.compare.published import RunRows, compare_published
from heorot.errors import UsageError
from heorot.model.analysis.comparison import Comparison
from heorot.model.analysis.studies.courses import Letter
from heorot.model.analysis.studies.systems import SideBySide
from heorot.session.verification.exported import read_table
from heorot.session.verification.publications import is_published, read_publication
from heorot.session.verification.reading import known_families, known_programs
from heorot.session.verification.side_by_side import compare_side_by_side, tables_of, with_networks
from heorot.store.atomic import explaining
from heorot.store.directory import RunDirectory

__all__ = ["compare", "compare_side_by_side", "is_published", "write_comparison", "write_systems"]


def compare(a: Path, b: Path) -> Comparison:
    """Compare b with a; one of them may be the file of a published machine.

    Raises:
        RunError: one is no run, has not ended, is damaged, or does not agree as a whole.
        FileError: the file of a published machine is invalid.
        UsageError: there is no run.
    """
    if is_published(a) and is_published(b):
        raise UsageError(
            f"neither {a} nor {b} is a run", "give a run and the file of a published machine"
        )
    if is_published(a):
        return _beside(b, a, "A")
    if is_published(b):
        return _beside(a, b, "B")
    return compare_side_by_side((a, b)).pair


def _beside(run: Path, file: Path, place: Letter) -> Comparison:
    """Compare a run with a published machine, which is side `place`."""
    directory = RunDirectory.open(run)
    machine = read_publication(file, known_programs(run))
    rows, lines = read_table(directory)
    one = RunRows(directory.facts().name, directory.machine().system, rows)
    other = "B" if place == "A" else "A"
    compared = compare_published(one, machine, place)
    named = tuple(f"{other}: {line}" for line in lines)
    return compared.model_copy(update={"disagreements": named})


def write_comparison(comparison: Comparison, out: Path) -> None:
    """Write a comparison as an HTML page.

    Raises:
        SetupError: the file cannot be written.
    """
    from heorot.report.comparison import write_comparison as write  # noqa: PLC0415 - seldom needed

    with explaining(out):
        write(comparison, out)


def write_systems(side: SideBySide, paths: Sequence[Path], out: Path) -> None:
    """Write a comparison of several systems as an HTML page, with their figures.

    Raises:
        RunError: the results of a run cannot be read.
        SetupError: the file cannot be written.
    """
    from heorot.report.comparison import write_pair  # noqa: PLC0415 - seldom needed
    from heorot.report.systems.page import write_systems as write  # noqa: PLC0415 - likewise

    rows = tables_of(paths, side.labels)
    side = with_networks(side, rows)
    families = known_families(*(path for path in paths if not is_published(path)))
    with explaining(out):
        (write if len(side.comparisons) > 1 else write_pair)(side, families, rows, out)
