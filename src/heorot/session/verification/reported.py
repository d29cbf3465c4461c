"""The report of a run again: analysed, or left as it is if nothing that it depends on has changed.

A page depends on the files of the run and of its peers, on Heorot and its libraries, and on the
call, which hints repeat. A note in the cache has a digest of the contents of all of these, and one
of the page: times of files do not count, and an edited page is written again.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

import heorot
from heorot.build.programs import cache_directory
from heorot.build.sources import native_directory
from heorot.errors import SetupError
from heorot.files import read_regular
from heorot.suggestion import name_as_typed
from heorot.writing import write

PAGES = {False: "report.html", True: "summary.html"}
"""Names of the report and of its first page alone, in the directory of the run."""
# Earlier runs and published machines, which the page places the run among.
_PEERS = ("*.yaml", "*/run.json", "*/digests.json")
# Of larger runs it takes as long to read them as to analyse them [B].
_MOST_BYTES = 512 << 20


@dataclass(frozen=True)
class Reported:
    """What a report comes to.

    Attributes:
        lines: which files of the run do not agree.
        code: exit code.
    """

    lines: tuple[str, ...]
    code: int


def report(run: Path, out: Path | None, *, summary: bool) -> tuple[Reported, Path]:
    """Write the report of a run, or its first page alone; returns also where.

    Raises:
        RunError: it is no run, has not ended, or is damaged.
        SetupError: the file cannot be written.
    """
    page = out or run / PAGES[summary]
    key = _key(run, f"{summary} {summary and out is None}")
    note = _note(run, page)
    known = _known(note, key, page)
    if known is not None:
        return known, page
    from heorot.session import runs  # noqa: PLC0415 - slow to load, and not needed above

    ended = runs.reopen(run)
    runs.write_report(ended, out, summary=summary)
    found = Reported(tuple(ended.evaluation.disagreements), ended.code)
    if note is not None and key:
        with suppress(OSError):  # the page may be a pipe
            content = {"key": key, "page": _sha256(page), **asdict(found)}
            write(note, json.dumps(content), sync=False)
    return found, page


def _known(note: Path | None, key: str, page: Path) -> Reported | None:
    """The result of the present page by its note; None if the note is of another page."""
    try:
        said = json.loads(read_regular(note)) if note is not None and key else {}
        if said.get("key") == key and said.get("page") == _sha256(page):
            return Reported(tuple(said["lines"]), said["code"])
    except (OSError, ValueError):
        pass
    return None


def _note(run: Path, page: Path) -> Path | None:
    """The note about a page of a run; None if there is no cache."""
    names = "\0".join(map(os.path.realpath, (run, page)))
    try:
        return cache_directory() / f"report-{hashlib.sha256(os.fsencode(names)).hexdigest()[:12]}"
    except SetupError:
        return None


def _sha256(file: Path) -> str:
    return hashlib.sha256(read_regular(file)).hexdigest()


def _key(run: Path, asked: str) -> str:
    """A digest of everything that a page depends on; empty if some of it cannot be read."""
    left_bytes = _MOST_BYTES
    try:
        libraries = sorted(map(str, Path(sysconfig.get_paths()["purelib"]).iterdir()))
        called = (asked, os.fspath(run), str(run.absolute()), name_as_typed())
        digest = hashlib.sha256(repr((called, sys.version, libraries)).encode())
        folder = run.absolute().parent
        peers = (file for name in _PEERS for file in sorted(folder.glob(name)))
        tops = (Path(heorot.__file__).parent, native_directory(), run)
        for file in chain(peers, *map(_files, tops)):
            content = read_regular(file, left_bytes)
            left_bytes -= len(content)
            if left_bytes <= 0:
                return ""
            digest.update(f"{file}\0{len(content)}\0".encode())
            digest.update(content)
    except (OSError, ValueError):
        return ""
    return digest.hexdigest()


def _files(top: Path) -> Iterator[Path]:
    """All files below a directory but pages and what Python compiled, in an order that is fixed.

    Raises:
        OSError: a directory cannot be read, or is a link to another.
    """
    for each in sorted(top.iterdir()):
        if each.is_dir() and each.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(each))
        if each.is_dir():
            yield from _files(each) if each.name != "__pycache__" else ()
        elif each.name not in PAGES.values():
            yield each
