"""Builds that can be moved: keys without the place of Heorot's own MPI, which a link leads to.

A copy of Heorot has a copy of the MPI from wheels, and shares the builds of the user. Their key has
the content of its library instead of its path. Programs look for it behind a link in their build,
which leads to the copy that is in use, before they look where it was when they were linked.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from heorot.files import read_regular
from heorot.model.machine.toolchain import Toolchain

_LINK = "mpi"
# Programs, and the stamps of complete ones; all else has paths of sources and tools.
_KEPT = frozenset({"bin", "stamps", "lock", "node.lock", _LINK})
_PLACES = re.compile(
    r"^(CMAKE_HOME_DIRECTORY|CMAKE_CACHEFILE_DIR|MPI_CXX_COMPILER):\w+=(.*)$", re.MULTILINE
)


def own_mpi(toolchain: Toolchain) -> Path | None:
    """The directory above bin and lib of an MPI from a wheel; None for any other MPI."""
    if toolchain.origin != "embedded" or toolchain.mpi is None:
        return None
    prefix = toolchain.mpi.cxx.parent.parent
    return prefix if any(_libraries(prefix)) else None


def identity(toolchain: Toolchain) -> str:
    """Everything that determines programs, without the place of Heorot's own MPI."""
    prefix, mpi = own_mpi(toolchain), toolchain.mpi
    if prefix is None or mpi is None:
        return toolchain.build
    named = {"cxx": Path(mpi.cxx.name), "mpiexec": Path(mpi.mpiexec.name)}
    placeless = toolchain.model_copy(update={"mpi": mpi.model_copy(update=named)})
    return f"{placeless.build}\0{_content(prefix)}"


def _libraries(prefix: Path) -> list[Path]:
    return sorted((prefix / "lib").glob("libmpi.so.*"))


@functools.cache
def _content(prefix: Path) -> str:
    """A digest of the library of an MPI."""
    digest = hashlib.sha256()
    for file in _libraries(prefix):
        digest.update(read_regular(file, follow=True))
    return digest.hexdigest()


def point_at_mpi(directory: Path, toolchain: Toolchain) -> None:
    """Let the programs of an existing build directory find the MPI from a wheel.

    Raises:
        OSError: the directory cannot be written.
    """
    prefix, link = own_mpi(toolchain), directory / _LINK
    if prefix is None or (link.is_symlink() and link.readlink() == prefix):
        return
    new = directory / f".{_LINK}.{secrets.token_hex(8)}"
    new.symlink_to(prefix)
    new.replace(link)


def has_moved(directory: Path, native: Path, toolchain: Toolchain) -> bool:
    """Whether a build was configured elsewhere, or for sources or an MPI elsewhere."""
    try:
        text = read_regular(directory / "CMakeCache.txt").decode(errors="replace")
    except OSError:
        return False
    places = {"CMAKE_HOME_DIRECTORY": native, "CMAKE_CACHEFILE_DIR": directory}
    if toolchain.mpi is not None:
        places["MPI_CXX_COMPILER"] = toolchain.mpi.cxx
    recorded = dict(_PLACES.findall(text))
    return any(
        os.path.realpath(recorded.get(name, place)) != os.path.realpath(place)
        for name, place in places.items()
    )


def forget_places(directory: Path) -> None:
    """Remove everything from a build directory that its programs do not need.

    Raises:
        OSError: something cannot be removed.
    """
    for each in directory.iterdir():
        if each.name in _KEPT:
            continue
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            with suppress(FileNotFoundError):
                each.unlink()
