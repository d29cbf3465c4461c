"""digests.json: SHA-256 of every file that results of a run are computed from, and of the results.

The file is written when the run is concluded. Its signature, made by the site's own tool, covers
the run.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from heorot.errors import RunError
from heorot.files import open_regular
from heorot.model.base import Record
from heorot.model.run.agreement import Agreement
from heorot.printable import printable
from heorot.store.atomic import cannot_write, write_bytes
from heorot.store.documents import read_document

DIGESTS = "digests.json"
ACCEPTANCE = "acceptance.json"
# Files of runs, throughput tests and checks of batch systems that results depend on, and results.
# Hidden and temporary files do not count. Recipes name the files that external programs write.
_PATTERNS = (
    "run.json",
    "site.yaml",
    "plan.json",
    "machine.json",
    "findings.json",
    "samples.parquet",
    "results.parquet",
    "recipes/*",
    "request.json",
    "day.json",
    "kinds.json",
    "arrivals.json",
    "responses.jsonl",
    "settled.json",
    "monitoring/*",
    ACCEPTANCE,
    "jobs/*/events/*",
    "jobs/*/events/*/*",
    *(
        f"{place}/*/{inside}"
        for place in ("jobs", "alone")
        for inside in ("*", "records/*", "outputs/*", "nodes/*/*")
    ),
)
# Longer files are not read: a sparse file may have any length [B].
_MOST_BYTES = 16 << 30

Sha256 = Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]


class Digests(Record):
    """digests.json.

    Attributes:
        algorithm: the hash function.
        files: digest by the file's path in the directory of the run; empty for a file that could
            not be read, and that no result depends on.
    """

    schema_version: Literal[1] = 1
    algorithm: Literal["sha256"] = "sha256"
    files: dict[str, Sha256]


def write_digests(run: Path, more: Iterable[Path] = ()) -> None:
    """Write the digests of the present files of a run.

    Args:
        more: further files in it that its numbers are computed from, according to its recipes.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    found = Digests(files={name: _digest(path) for name, path in sorted(_files(run, more).items())})
    write_bytes(run / DIGESTS, found.model_dump_json(indent=1).encode() + b"\n")


def remove_digests(run: Path) -> None:
    """Remove the digests of a run before anything is added to it.

    Raises:
        SetupError: it cannot be written.
    """
    try:
        (run / DIGESTS).unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(run, error) from error


def check_digests(run: Path, more: Iterable[Path] = ()) -> Agreement:
    """Compare the files of a run with its digests.

    Args:
        more: further files in it that its numbers are computed from, according to its recipes.
    """
    if not os.path.lexists(run / DIGESTS):
        return Agreement()
    try:
        listed = read_document(run / DIGESTS, TypeAdapter(Digests)).files
    except RunError as error:
        return Agreement(damage=str(error))
    # A listed path may lead anywhere: it is compared and never opened.
    found = _files(run, more)
    return Agreement(
        files=len(listed),
        changed=_sorted(
            name for name in listed.keys() & found.keys() if _digest(found[name]) != listed[name]
        ),
        missing=_sorted(listed.keys() - found.keys()),
        added=_sorted(found.keys() - listed.keys()),
    )


def is_as_listed(file: Path) -> bool:
    """Whether a file at the top of a run has the digest that the run lists; False without one."""
    try:
        listed = read_document(file.parent / DIGESTS, TypeAdapter(Digests)).files
    except RunError:
        return False
    return file.name in listed and _digest(file) == listed[file.name] != ""


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(printable(name) for name in names))


def _files(run: Path, more: Iterable[Path]) -> dict[str, Path]:
    """Every file that belongs to a run by its path in the run; links are not followed."""
    root = Path(os.path.realpath(run))
    found: dict[str, Path] = {}
    listed = (path for pattern in _PATTERNS for path in run.glob(pattern))
    for path in {*listed, *(path for path in more if path.is_relative_to(run))}:
        inside = path.relative_to(run)
        hidden = any(part.startswith(".") or part.endswith(".part") for part in inside.parts)
        own = Path(os.path.realpath(path.parent)) == root / inside.parent
        if own and not hidden and os.path.lexists(path) and not path.is_dir():
            # Names of files are bytes; JSON holds text.
            found[os.fsencode(inside).decode("utf-8", "backslashreplace")] = path
    return found


def _digest(path: Path) -> str:
    """The digest of one file; empty if it cannot be read."""
    try:
        with open_regular(path) as file:
            if os.fstat(file.fileno()).st_size > _MOST_BYTES:
                return ""
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
