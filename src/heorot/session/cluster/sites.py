"""The site file of a run: read once, copied into the run, and used from there when resumed.

The copy names programs, and a run may belong to any user. So these programs are run only if the
same text is known from elsewhere: from the user's own site file, or from the digests of site files
of the user's runs, which only the user can write.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from heorot.build.programs import cache_directory
from heorot.errors import SetupError, SiteError
from heorot.files import is_missing
from heorot.machine.description.yaml import parse_site, read_site, site_text
from heorot.model.machine.site import Site
from heorot.ownership.paths import stranger, stranger_among
from heorot.ownership.trust import TRUST, require_own_site_of
from heorot.store.atomic import write_bytes
from heorot.store.directory import RunDirectory
from heorot.writing import write

_FOLDER = "sites"


@dataclass(frozen=True)
class SiteFile:
    """A site file as read.

    Attributes:
        file: path given by the user; None without one.
    """

    file: Path | None = None
    text: str = ""
    site: Site = field(default_factory=Site)


def read_site_file(file: Path | None) -> SiteFile:
    """Read a site file; an empty one if there is none.

    Raises:
        SiteError: it cannot be read, or is wrong.
    """
    if file is None:
        return SiteFile()
    text = site_text(file)
    return SiteFile(file, text, parse_site(text, file))


def keep_site(directory: RunDirectory, used: SiteFile) -> None:
    """Copy the site file into a new run, and record its digest if it belongs to the user.

    Raises:
        SetupError: it cannot be written.
    """
    if used.file is None:
        return
    write_bytes(directory.site_file, used.text.encode())
    if stranger(used.file) is None:
        with suppress(SetupError, OSError):  # then `--trust` is required if the file changes
            folder = cache_directory() / _FOLDER
            folder.mkdir(mode=0o700, exist_ok=True)
            write(folder / _digest(used.text), "", sync=False)


def site_of(directory: RunDirectory, named: Path | None) -> Site:
    """The site of a run as at its start; its programs must not be run unchecked.

    Also reads the form of earlier versions.

    Raises:
        SiteError: it cannot be read, or is wrong.
    """
    if named is None:
        return Site()
    if is_missing(directory.site_file):  # a run of an earlier version
        return read_site(named, former=True)
    text = site_text(directory.site_file, follow=False)
    return parse_site(text, directory.site_file, former=True)


def require_own_site_in(
    directory: RunDirectory, named: Path | None, *, trust: bool = False
) -> None:
    """Refuse the recorded site of a run unless its commands are the user's.

    Raises:
        SiteError: it may belong to another user, cannot be read, or is invalid.
    """
    if named is None or trust:
        return
    if is_missing(directory.site_file):
        require_own_site_of(directory.path, named)
        return
    text = site_text(directory.site_file, follow=False)
    reason = _foreign_reason(text, site_of(directory, named))
    if reason is not None:
        require_own_site_of(directory.path, named)
        if _text_of(named) != text:
            message = f"its commands are not run: {reason}"
            hint = f"put {named} back as it was; {TRUST}"
            raise SiteError(message, file=directory.site_file, hint=hint)


def remark_on_site(directory: RunDirectory, named: Path | None) -> str | None:
    """A line if the site file of a run differs from its copy in the run; else None."""
    kept = directory.site_file
    if named is None or is_missing(kept):
        return None
    now = _text_of(named)
    if now == site_text(kept, follow=False):
        return None
    if now is None:
        return f"{named} no longer exists: resuming with its copy in {kept}"
    instead = shlex.join(["cp", str(named), str(kept)])
    return (
        f"{named} has changed since the run began: resuming with its copy in {kept}; to use "
        f"the new version: {instead}"
    )


def _foreign_reason(text: str, site: Site) -> str | None:
    """Why a recorded site file may belong to another user, a clause; None if it is the user's."""
    try:
        folder = cache_directory() / _FOLDER
        mark = folder / _digest(text)
        known = stranger_among([folder, mark]) is None and mark.is_file()
    except SetupError:
        known = False
    if not known:
        return "only the run itself indicates that you used it"
    # Paths were checked when it was read; other users' files may have replaced them since.
    clauses = (stranger(program) for program in _programs(site) if program.is_absolute())
    return next(filter(None, clauses), None)


def _programs(site: Site) -> Iterator[Path]:
    """Programs named by a site file, and the folders of some."""
    yield from filter(None, (site.agent, site.batch.commands if site.batch else None))
    yield from (Path(each.counters.command[0]) for each in site.networks if each.counters)
    for chain in site.toolchains:
        yield from (each.command for each in chain.compilers)
        yield from (chain.mpi.cxx, chain.mpi.mpiexec) if chain.mpi else ()


def _text_of(file: Path) -> str | None:
    """Content of a site file; None if it cannot be read."""
    try:
        return site_text(file)
    except (SiteError, ValueError):  # of an impossible path
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
