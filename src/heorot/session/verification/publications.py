"""Published machines as sides of comparisons: files, and systems of shipped sources."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from heorot.analyse.compare.published import is_published_file, read_published
from heorot.model.analysis.published import Publication
from heorot.model.catalogue.benchmark import Benchmark
from heorot.references.library import find_publication, names_reference


def is_published(path: Path) -> bool:
    """Whether it names a published machine: a file, or SOURCE:SYSTEM of a shipped source."""
    return is_published_file(path) or names_reference(str(path))


def read_publication(path: Path, benchmarks: Iterable[Benchmark]) -> Publication:
    """A published machine.

    Args:
        path: of its file, or SOURCE:SYSTEM of a shipped source.
        benchmarks: the programs that a file may be about.

    Raises:
        FileError: the file is invalid.
        UsageError: the source has no such system, or no figure that can be compared.
    """
    if is_published_file(path):
        return read_published(path, benchmarks)
    return find_publication(str(path))
