"""The site file of a run: read once, kept in the run, and gone on with as it was then.

The kept copy names programs, and a run may be anybody's. So these are run only if the same text is
known from elsewhere: from the user's own site file, or from the digests of those of which he had
runs begun, which only he can write.
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
    """A site file as it was read.

    Attributes:
        file: the path that the user gave; None without one.
    """

    file: Path | None = None
    text: str = ""
    site: Site = field(default_factory=Site)


def read_site_file(file: Path | None) -> SiteFile:
    """Read a site file, or nothing if there is none.

    Raises:
        SiteError: it cannot be read, or is wrong.
    """
    if file is None:
        return SiteFile()
    text = site_text(file)
    return SiteFile(file, text, parse_site(text, file))


def keep_site(directory: RunDirectory, used: SiteFile) -> None:
    """Keep the site file of a run that begins, and that it is the user's own if it is.

    Raises:
        SetupError: it cannot be written.
    """
    if used.file is None:
        return
    write_bytes(directory.site_file, used.text.encode())
    if stranger(used.file) is None:
        with suppress(SetupError, OSError):  # then `--trust` is asked for, should the file change
            folder = cache_directory() / _FOLDER
            folder.mkdir(mode=0o700, exist_ok=True)
            write(folder / _digest(used.text), "", sync=False)


def site_of(directory: RunDirectory, named: Path | None) -> Site:
    """What the site of a run said when it began; nothing that it names may be run.

    The run may be of an earlier version, in whose form it is read, too.

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
    """Refuse what a run says of its site, unless its commands are the user's to be run.

    Raises:
        SiteError: it may be another's, or what the run kept cannot be read or is wrong.
    """
    if named is None or trust:
        return
    if is_missing(directory.site_file):
        require_own_site_of(directory.path, named)
        return
    text = site_text(directory.site_file, follow=False)
    doubt = _doubt(text, site_of(directory, named))
    if doubt is not None:
        require_own_site_of(directory.path, named)
        if _text_of(named) != text:
            message = f"its commands are not run: {doubt}"
            hint = f"put {named} back as it was; {TRUST}"
            raise SiteError(message, file=directory.site_file, hint=hint)


def remark_on_site(directory: RunDirectory, named: Path | None) -> str | None:
    """A line if the site file of a run is no longer what is gone on with; None if it is."""
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


def _doubt(text: str, site: Site) -> str | None:
    """Why what a kept site file names may be another's, a clause; None if it is the user's."""
    try:
        folder = cache_directory() / _FOLDER
        mark = folder / _digest(text)
        known = stranger_among([folder, mark]) is None and mark.is_file()
    except SetupError:
        known = False
    if not known:
        return "nothing but the run shows that you used it"
    # It was looked at when it stood in its place; meanwhile others may stand in theirs.
    clauses = (stranger(program) for program in _programs(site) if program.is_absolute())
    return next(filter(None, clauses), None)


def _programs(site: Site) -> Iterator[Path]:
    """Programs that a site file names, and the folder of some."""
    yield from filter(None, (site.agent, site.batch.commands if site.batch else None))
    yield from (Path(each.counters.command[0]) for each in site.networks if each.counters)
    for chain in site.toolchains:
        yield from (each.command for each in chain.compilers)
        yield from (chain.mpi.cxx, chain.mpi.mpiexec) if chain.mpi else ()


def _text_of(file: Path) -> str | None:
    """What a site file holds now; None if it cannot be read."""
    try:
        return site_text(file)
    except (SiteError, ValueError):  # of a path that no file can have
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
