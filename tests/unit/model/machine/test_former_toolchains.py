"""Compilers in runs and site files of earlier versions are read."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.model.machine.toolchain import Toolchain, with_compilers
from tests.toolchains import some_compilers

FORMER = {
    "name": "gnu",
    "cxx": "g++",
    "compiler": "GNU 12.2.0",
    "flags": "-O1",
    "fortran": "gfortran",
    "mpi": None,
}


@pytest.mark.parametrize("fortran", ["gfortran", None])
def test_keys_become_records(fortran: str | None) -> None:
    (read,) = with_compilers({"toolchains": [FORMER | {"fortran": fortran}]})["toolchains"]
    compilers = some_compilers("g++", "GNU 12.2.0", "-O1", fortran or "")
    assert Toolchain.model_validate(read) == Toolchain(name="gnu", compilers=compilers, mpi=None)


@pytest.mark.parametrize(
    "document", [{}, [], None, {"toolchains": None}, {"toolchains": [1, {"compilers": []}]}]
)
def test_what_is_nothing_of_the_kind_stays(document: Any) -> None:
    assert with_compilers(document) == document


def test_what_was_left_out_is_left_out() -> None:
    former = {"name": "gnu", "cxx": "g++", "mpi": None}
    (read,) = with_compilers({"toolchains": [former]})["toolchains"]
    assert read["compilers"] == [{"language": "c++", "command": "g++"}]
    assert Toolchain.model_validate(read).cxx.flags == "-O3 -march=native"
