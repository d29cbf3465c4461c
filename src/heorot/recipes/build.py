"""Builds a third-party program in a copy of its sources, inside the run's directory."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from heorot import process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError, UsageError
from heorot.files import real
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.toolchain import Toolchain
from heorot.model.recipe import Build, Recipe
from heorot.recipes.values import case_values, names_in, words_of
from heorot.template import fill, placeholders
from heorot.writing import open_staying

_MOST_BYTES = 4 << 30
_MOST_FILES = 200_000
# Of all successful steps; one has no more than twice `process.OUTPUT_BYTES`.
_MOST_LOG_BYTES = 16 << 20
_LEFT_OUT = frozenset({".git", ".svn", ".hg"})
_ERROR = re.compile(r"\b(error|cannot find|undefined reference|not found|no rule)\b", re.IGNORECASE)
# By the name of the C++ compiler: C and Fortran of the same family.
_SIBLINGS = {
    "clang++": ("clang", "flang"),
    "g++": ("gcc", "gfortran"),
    "icpx": ("icx", "ifx"),
    "nvc++": ("nvc", "nvfortran"),
    "armclang++": ("armclang", "armflang"),
    "CC": ("cc", "ftn"),
}
# By the name of the MPI wrapper of C++: the wrappers of C and Fortran.
_WRAPPERS = (
    ("mpiicpx", "mpiicx", ("mpiifx",)),
    ("mpiicpc", "mpiicc", ("mpiifort",)),
    ("mpicxx", "mpicc", ("mpifort", "mpif90")),
    ("mpic++", "mpicc", ("mpifort", "mpif90")),
    ("mpiCC", "mpicc", ("mpifort", "mpif90")),
    ("CC", "cc", ("ftn",)),
)
# Packages with compilers that a toolchain may lack.
_NEEDED = frozenset({"cc", "fc", "mpicc", "mpicxx", "mpifc"})
_PACKAGES = {"fc": "gfortran", "mpifc": "gfortran libopenmpi-dev"}


def copy_sources(source: Path, to: Path) -> None:
    """Copy a source tree, without version control files.

    Args:
        source: the user's directory; it is only read.
        to: directory of the copy; present content is removed.

    Raises:
        UsageError: it is not a directory, is too large, has special files or links that lead out of
            it, or would be copied into itself.
        SetupError: it cannot be copied.
    """
    root = real(source)
    if not root.is_dir():
        raise UsageError(f"{source} is not a directory", "give the sources with --source NAME=DIR")
    if real(to).is_relative_to(root):
        raise UsageError(
            f"{source} has the folder of the run inside it", "give --out DIR outside of the sources"
        )
    links = _look_at(root, source)
    try:
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(root, to, symlinks=True, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        for link, target in links.items():
            (to / link).unlink()
            (to / link).symlink_to(target)
    except OSError as error:
        several = isinstance(error, shutil.Error)
        reason = str(error.args[0][0][2]) if several else error.strerror
        raise SetupError(
            f"{source} cannot be copied to {to}: {reason}", "free some space, or use --out"
        ) from error


def _look_at(root: Path, source: Path) -> dict[Path, str]:
    """The links of a tree and their targets in the copy: none leads to the original."""
    links: dict[Path, str] = {}
    n_files = n_bytes = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        for name in (*folders, *(name for name in files if name not in _LEFT_OUT)):
            path = Path(folder, name)
            where = path.relative_to(root)
            if path.is_symlink():
                target = real(path)
                if not target.is_relative_to(root):
                    raise UsageError(
                        f"{source}: the link {where} leads out of it",
                        "a build stays in its own folder: copy the target of the link",
                    )
                links[where] = os.path.relpath(target, folder)
            elif path.is_file():
                n_files += 1
                n_bytes += path.stat().st_size
            elif not path.is_dir():
                raise UsageError(f"{source}: {where} is no file", "copy only files and folders")
        if n_files > _MOST_FILES or n_bytes > _MOST_BYTES:
            raise UsageError(
                f"{source} is too large to be copied: more than {_MOST_FILES} files or 4 GiB",
                "give the directory of the program itself",
            )
    return links


def compilers(toolchain: Toolchain) -> dict[str, str]:
    """The values of the placeholders of builds, as far as the toolchain has them."""
    cxx = Path(shutil.which(toolchain.cxx.command) or toolchain.cxx.command)
    stem = re.sub(r"-[\d.]+$", "", cxx.name)
    version = cxx.name.removeprefix(stem)
    c, fortran = _SIBLINGS.get(stem, ("cc", "gfortran"))
    found = {"cxx": str(cxx), "flags": toolchain.cxx.flags}
    for name, command in (("cc", c), ("fc", fortran)):
        path = _command(cxx, f"{command}{version}") or _command(cxx, command)
        if path:
            found[name] = path
    if toolchain.mpi:
        wrapper = Path(shutil.which(toolchain.mpi.cxx) or toolchain.mpi.cxx)
        found |= {"mpicxx": str(wrapper), **_wrappers(wrapper)}
    return found


def _wrappers(cxx: Path) -> dict[str, str]:
    """The wrappers of C and Fortran next to that of C++."""
    known = (each for each in _WRAPPERS if cxx.name.startswith(each[0]))
    own, c, fortran = next(known, ("", "mpicc", ("mpifort", "mpif90")))
    ending = cxx.name.removeprefix(own) if own else ""  # such as .openmpi
    several = {"mpicc": [f"{c}{ending}"], "mpifc": [f"{each}{ending}" for each in fortran]}
    found = {}
    for name, commands in several.items():
        # Wrappers of another MPI would build programs that this one cannot start.
        path = next((path for each in commands if (path := _sibling(cxx, each))), None)
        if path:
            found[name] = path
    return found


def _command(cxx: Path, name: str) -> str | None:
    return _sibling(cxx, name) or shutil.which(name)


def _sibling(cxx: Path, name: str) -> str | None:
    here = cxx.with_name(name)
    return str(here) if os.access(here, os.X_OK) else None


def build(
    recipe: Recipe,
    cases: Sequence[Case],
    toolchain: Toolchain,
    folder: Path,
    clock: Clock = SYSTEM_CLOCK,
    marks: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Build a program for its cases in a copy of its sources.

    Args:
        cases: the cases that will run; steps with equal commands and equal files run once.
        marks: variables by which all processes of its steps can be found.

    Returns:
        Why it was not built, a clause; empty if it was.
    """
    if recipe.build is None:
        return ""
    known = compilers(toolchain)
    missing = next((name for name in _asked(recipe.build) if name in _NEEDED - known.keys()), None)
    if missing:
        package = _PACKAGES.get(missing, "build-essential libopenmpi-dev")
        return f"the toolchain has no `{{{missing}}}`: apt-get install {package}"
    log = folder.with_name(f"{folder.name}.log")
    deadline = clock.monotonic() + recipe.build.time
    environment = {**os.environ, **toolchain.environment, **marks, "LC_ALL": "C"}
    opened = open_staying(log, os.O_WRONLY | os.O_CREAT)
    with os.fdopen(opened, "w", encoding="utf-8") as log_file:
        log_file.truncate(0)
        for words in _steps(recipe, recipe.build, cases, known, folder):
            ended = process.run(
                _placed(words, folder),
                cwd=folder,
                timeout_seconds=max(0.0, deadline - clock.monotonic()),
                environment=environment,
                most_bytes=process.OUTPUT_BYTES,
            )
            full = ended.ok and log_file.tell() > _MOST_LOG_BYTES
            output = "... output left out ...\n" if full else ended.out + ended.err
            log_file.write(f"$ {' '.join(words)}\n{output}\n")
            if not ended.ok:
                late = ended.code == process.OUT_OF_TIME and clock.monotonic() >= deadline
                reason = f"took longer than {recipe.build.time:g} s" if late else _failure(ended)
                return f"`{Path(words[0]).name}` {reason}"
    return ""


def _steps(
    recipe: Recipe, own: Build, cases: Sequence[Case], known: Mapping[str, str], folder: Path
) -> Iterator[tuple[str, ...]]:
    """The steps of all cases, each once for the same files, which are written before."""
    done: set[tuple[object, ...]] = set()
    written: dict[str, str] = {}
    for case in cases:
        values = case_values(recipe, case.options, known)
        files = _filled(own.files, values)
        for name, text in files.items():
            if written.get(name) != text:  # a file is newer than the files built from it
                _write(folder, name, text)
        written |= files
        for step in own.steps:
            words = words_of(step, values)
            identity = (*files.items(), *words)
            if identity not in done:
                done.add(identity)
                yield words


def _asked(build: Build) -> list[str]:
    """The placeholders of a build, in their order."""
    texts = [name for step in build.steps for name in names_in(step)]
    return texts + [name for text in build.files.values() for name in placeholders(text)]


def write_files(recipe: Recipe, values: dict[str, str], folder: Path) -> None:
    """Create the folder in which a launch runs, with the recipe's files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _filled(recipe.files, values).items():
        _write(folder, name, text)


def _filled(files: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    return {fill(name, values): fill(text, values) for name, text in files.items()}


def _write(folder: Path, name: str, text: str) -> None:
    """Write a file inside a folder, also where the folder's own links lead elsewhere."""
    path = folder / name
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise UsageError(f"the recipe's file {name} leads out of {folder}", "give another name")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise SetupError(f"cannot write {path}: {error.strerror}", "free some space") from error
        message = f"the recipe's file {name} cannot be written: {error.strerror}"
        raise UsageError(message, "give another name") from None


def _placed(words: Sequence[str], folder: Path) -> list[str]:
    """The words, with a command in the build's folder as an absolute path."""
    own = folder / words[0]
    return [str(own), *words[1:]] if "/" in words[0] and not words[0].startswith("/") else [*words]


def _failure(ended: process.Finished) -> str:
    """The first line with an error, else the last line."""
    lines = (ended.err + "\n" + ended.out).splitlines()
    first = next((line.strip() for line in lines if _ERROR.search(line)), "")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    message = first or last or f"exit code {ended.code}"
    return f"failed: {message[:200]}"
