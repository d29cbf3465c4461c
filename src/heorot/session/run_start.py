"""Starts and resumes runs: evaluations and throughput tests."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from heorot import __version__
from heorot.build.sources import native_directory, source_digest
from heorot.errors import HeorotError, Interrupted
from heorot.launch.target import ExecutionTarget
from heorot.model.evaluation import RunFacts
from heorot.model.machine.site import Site
from heorot.model.run.request import Request
from heorot.ownership.trust import remark_on_new, require_own_run
from heorot.session.cluster.sites import (
    SiteFile,
    keep_site,
    remark_on_site,
    require_own_site_in,
    site_of,
)
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.store.place import place_for, unless_gone

_Directory = TypeVar("_Directory", bound=RunDirectory)


@contextmanager
def new_run(
    kind: type[_Directory],
    out: Path | None,
    name: str,
    used: SiteFile,
    target: ExecutionTarget,
    progress: Progress,
) -> Iterator[_Directory]:
    """A new run, in `out` or by its name in the site's directory of runs.

    A run that gets no plan is removed.
    """
    work = target.site.work or Path()
    with place_for(out, work / "runs", name) as place:
        directory = kind.create(place)
        if remark := remark_on_new(directory.path):
            progress.stage(remark)
        with _resumable(directory), directory.begun():
            try:
                with unless_gone(directory.path):
                    keep_site(directory, used)
                    yield directory
            except HeorotError:
                directory.discard_if_unplanned()
                raise


@contextmanager
def resumed(
    directory: RunDirectory,
    path: Path,
    sites: Sequence[Path | None],
    progress: Progress,
    *,
    trust: bool,
) -> Iterator[Site]:
    """Resume a run; yields its site as at its start.

    Args:
        sites: paths of the site file in its records; the first counts.
        trust: whether it and its site file may belong to another user, whose programs are run.

    Raises:
        RunError: it belongs to another user.
        SiteError: its site file belongs to another user.
    """
    require_own_run(path, trust=trust)
    for named in sites:
        require_own_site_in(directory, named, trust=trust)
    progress.stage(f"resuming {path}")
    if remark := remark_on_site(directory, sites[0]):
        progress.stage(remark)
    with _resumable(directory), directory.exclusive(), unless_gone(path):
        yield site_of(directory, sites[0])


@contextmanager
def _resumable(directory: RunDirectory) -> Iterator[None]:
    """Attach the run to an interruption."""
    try:
        yield
    except KeyboardInterrupt as error:
        if not (directory.path / directory.resumed_by).exists():
            directory.discard_if_unplanned()
            raise
        raise Interrupted(directory.path, directory.command) from error


def first_facts(name: str, request: Request) -> RunFacts:
    """Facts that identify a new run."""
    return RunFacts(
        name=name,
        heorot_version=__version__,
        python_version=platform.python_version(),
        request=request,
        source_digest=source_digest(native_directory()),
        started=time.time(),
    )
