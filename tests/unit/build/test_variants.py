"""Toolchains with other flags and other libraries: what differs, and what is built but once."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from heorot.build.programs import build_directory
from heorot.build.toolchains import distinct, find_toolchains
from heorot.build.variants import vary
from heorot.build.work import Work
from heorot.model.machine.software import BlasInstall
from heorot.model.machine.toolchain import FORTRAN, Toolchain
from tests.toolchains import some_compilers
from tests.unit.build.test_toolchains import CLANG, GNU, install, machine

REFERENCE = BlasInstall(name="reference", version="3.11.0", library="/b.so:/l.so")
BLIS = BlasInstall(name="BLIS", library="/blis.so")
HERE = machine((GNU, CLANG), (install(), install("mpich", "5.0.2"))).model_copy(
    update={"blases": (REFERENCE, BLIS)}
)
FOUND = find_toolchains(HERE, None)
VARIED = tuple(vary(FOUND, HERE))


def test_each_compiler_is_tried_with_other_flags_and_one_mpi() -> None:
    flags = {each.name: each.cxx.flags for each in VARIED if "clang" in each.name}
    assert flags == {
        "clang-16+openmpi-5.0.11+O0": "-O0",
        "clang-16+openmpi-5.0.11+O2": "-O2",
        "clang-16+openmpi-5.0.11+O3": "-O3",
        "clang-16+openmpi-5.0.11+Ofast": "-Ofast",
    }


def test_the_default_is_tried_with_every_blas_and_built_but_once() -> None:
    with_blas = VARIED[-2:]
    assert [each.name for each in with_blas] == [
        "gnu-12+openmpi-5.0.11+reference-3.11.0",
        "gnu-12+openmpi-5.0.11+blis",
    ]
    assert [each.blas for each in with_blas] == ["reference 3.11.0", "BLIS"]
    assert with_blas[0].blas_library == "/b.so:/l.so"
    assert distinct((*FOUND, *with_blas)) == FOUND
    directories = {build_directory(Path("/c"), each, "d", "p") for each in (FOUND[0], *with_blas)}
    assert len(directories) == 1
    assert len(distinct((*FOUND, *VARIED))) == 4 + 2 * 4


def test_what_neither_optimises_nor_names_a_processor_stays() -> None:
    flags = "-O3 -xHost --gcc-toolchain=/opt/gcc -march=native -mtune=zen4 -stdlib=libc++"
    site = FOUND[0].with_flags(flags).model_copy(update={"name": "site"})
    varied = {each.name: each.cxx.flags for each in vary((site,), machine(()))}
    assert varied["site+O2"] == "-O2 --gcc-toolchain=/opt/gcc -stdlib=libc++"
    plain = site.with_flags("-O2")
    assert "site+O2" not in {each.name for each in vary((plain,), machine(()))}


def test_the_default_is_tried_with_other_fortrans_for_those_who_have_kernels_in_it() -> None:
    gfortran, flang = Path("/usr/bin/gfortran"), Path("/usr/bin/flang-new-16")
    gnu = GNU.model_copy(update={"fortran": gfortran, "fortrans": (gfortran, flang)})
    clang = CLANG.model_copy(update={"fortran": flang, "fortrans": (flang,)})
    here = machine((gnu, clang), (install(),))
    found = find_toolchains(here, None)
    (other,) = (each for each in vary(found, here) if "flang" in each.name)
    assert other.name == "gnu-12+openmpi-5.0.11+flang-new-16"
    assert distinct((found[0], other)) == found[:1]
    assert distinct((found[0], other), compilers=[FORTRAN]) == (found[0], other)


def test_a_blas_makes_a_toolchain_for_those_who_measure_one() -> None:
    with_blas = VARIED[-2:]
    assert distinct((FOUND[0], *with_blas), blas=True) == (FOUND[0], *with_blas)
    assert distinct((FOUND[0], *with_blas), compilers=[FORTRAN]) == FOUND[:1]


def test_without_a_compiler_nothing_varies() -> None:
    assert list(vary((), HERE)) == []


def test_a_program_may_have_further_flags() -> None:
    chain = Toolchain(
        name="x",
        compilers=some_compilers("c++", "GNU 12", "-O3"),
        program_flags={"memory/stream": "-fno-math-errno", "memory/*": "-O1"},
        mpi=None,
    )
    assert chain.flags_of("memory/stream") == "-O3 -O1 -fno-math-errno"
    assert chain.flags_of("memory/gups") == "-O3 -O1"
    assert chain.flags_of("compute/peak") == "-O3"
    words = Work(Path("native"), chain, ("memory/stream",), Path("b")).words("configure")
    assert "-DHEOROT_PROGRAM_FLAGS=memory/*=-O1;memory/stream=-fno-math-errno" in words
    plain = chain.model_copy(update={"program_flags": {}})
    assert not any(
        "PROGRAM_FLAGS" in word for word in Work(Path(), plain, (), Path()).words("configure")
    )


@pytest.mark.parametrize("pattern", ["stream", "memory/", "*/stream", "memory/*.cpp"])
def test_a_pattern_that_names_no_program_is_refused(pattern: str) -> None:
    with pytest.raises(ValidationError, match="must be family/program"):
        Toolchain(
            name="x",
            compilers=some_compilers("c++", "GNU"),
            mpi=None,
            program_flags={pattern: "-O1"},
        )
