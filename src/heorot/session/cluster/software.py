"""The software of this machine as an earlier look found it, for single programs."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from heorot import __version__
from heorot.build.programs import cache_directory
from heorot.errors import SetupError
from heorot.files import read_regular
from heorot.machine import software
from heorot.machine.describe import find_software
from heorot.model.base import Record
from heorot.model.machine.software import Software
from heorot.writing import write

_LONGEST_SECONDS = 86400.0
# Software does not depend on these variables.
_ELSEWHERE = frozenset({"_", "PWD", "OLDPWD", "SHLVL", "COLUMNS", "LINES", "HEOROT_TYPED"})


class _Note(Record):
    """What was found, and when that holds.

    Attributes:
        looked: time of the search [Unix s].
        around: digest of the variables of the environment.
        seen: files and folders it depends on, with their sizes and times of change.
    """

    looked: float
    around: str
    seen: dict[str, tuple[int, ...]]
    found: Software


def remembered_software() -> Software:
    """The software of this machine; a note in the cache has what an earlier search found.

    Searching starts every compiler and launcher, which takes longer than many a program. The note
    holds for 24 hours, as long as the environment and the files that were found do not change.
    """
    try:
        note = cache_directory() / "software"
    except SetupError:  # there is no cache
        return find_software()
    with suppress(OSError, ValueError):
        known = _Note.model_validate_json(read_regular(note))
        is_new = 0.0 <= time.time() - known.looked < _LONGEST_SECONDS
        if is_new and known.around == _around() and known.seen == _stamps(map(Path, known.seen)):
            return known.found
    looked, found = time.time(), find_software()
    seen = _stamps(_concerned(found))
    with suppress(OSError):
        made = _Note(looked=looked, around=_around(), seen=seen, found=found)
        write(note, made.model_dump_json(), sync=False)
    return found


def _around() -> str:
    variables = sorted(each for each in os.environ.items() if each[0] not in _ELSEWHERE)
    return hashlib.sha256(repr((__version__, variables)).encode()).hexdigest()


def _concerned(found: Software) -> Iterator[Path]:
    """The folders that are searched, our own search, and all files found."""
    for name in ("PATH", "LD_LIBRARY_PATH"):
        yield from map(Path, filter(None, os.environ.get(name, "").split(os.pathsep)))
    yield from Path(software.__file__).parent.glob("*.py")
    for compiler in found.compilers:
        yield from filter(None, (compiler.cxx, compiler.cc, *compiler.fortrans))
    for mpi in found.mpis:
        yield from filter(None, (mpi.cxx, mpi.mpiexec, mpi.prefix, mpi.library_dir))
    yield from (each.command for each in found.batch_systems)
    for file in (Path(part) for blas in found.blases for part in blas.library.split(":")):
        yield from (file, file.parent)


def _stamps(paths: Iterable[Path]) -> dict[str, tuple[int, ...]]:
    """Size, time of change and number of each file or folder; none for what is missing."""
    stamps: dict[str, tuple[int, ...]] = {}
    for path in paths:
        stamps[str(path)] = ()
        with suppress(OSError):
            status = path.stat()
            stamps[str(path)] = (status.st_size, status.st_mtime_ns, status.st_ino)
    return stamps
