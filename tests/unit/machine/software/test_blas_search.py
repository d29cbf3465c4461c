"""The BLAS of a system, by its files: as packaged by Debian and others."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.machine.software.blas import find_blases

DEBIAN = "usr/lib/x86_64-linux-gnu"


def put(root: Path, name: str, target: str = "") -> None:
    """Create a file, or a link to one in the same directory."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if target:
        (path.parent / target).write_bytes(b"\x7fELF")
        path.symlink_to(target)
    else:
        path.write_bytes(b"\x7fELF")


@pytest.fixture
def debian(tmp_path: Path) -> Path:
    """Files of libblas3, liblapack3, libopenblas0-pthread and libblis4-pthread of Debian 12."""
    put(tmp_path, f"{DEBIAN}/blas/libblas.so.3", "libblas.so.3.11.0")
    put(tmp_path, f"{DEBIAN}/lapack/liblapack.so.3", "liblapack.so.3.11.0")
    put(tmp_path, f"{DEBIAN}/openblas-pthread/libopenblas.so.0", "libopenblasp-r0.3.21.so")
    put(tmp_path, f"{DEBIAN}/openblas-pthread/libblas.so.3")
    put(tmp_path, f"{DEBIAN}/openblas-pthread/liblapack.so.3")
    put(tmp_path, f"{DEBIAN}/blis-pthread/libblis.so.4")
    put(tmp_path, f"{DEBIAN}/blis-pthread/libblas.so.3")
    return tmp_path


def test_those_of_debian(debian: Path) -> None:
    found = {one.name: one for one in find_blases(debian, "")}
    assert set(found) == {"reference", "OpenBLAS", "BLIS"}
    lapack = f"{debian}/{DEBIAN}/lapack/liblapack.so.3"
    assert found["reference"].version == "3.11.0"
    assert found["reference"].library == f"{debian}/{DEBIAN}/blas/libblas.so.3:{lapack}"
    assert found["OpenBLAS"].version == "0.3.21"
    assert found["OpenBLAS"].library == f"{debian}/{DEBIAN}/openblas-pthread/libopenblas.so.0"
    # LAPACK asks for a BLAS by its usual name: this one must have been opened under it.
    assert found["BLIS"].version == ""
    assert found["BLIS"].library == f"{debian}/{DEBIAN}/blis-pthread/libblas.so.3:{lapack}"


def test_those_of_others(tmp_path: Path) -> None:
    put(tmp_path, "usr/lib64/libopenblas.so.0", "libopenblas-r0.3.26.so")
    put(tmp_path, "usr/lib64/libblas.so.3", "libblas.so.3.9.0")
    put(tmp_path, "opt/mkl/lib/intel64/libmkl_rt.so.2")
    found = find_blases(tmp_path, str(tmp_path / "opt/mkl"))
    assert [(one.name, one.version) for one in found] == [
        ("OpenBLAS", "0.3.26"),
        ("reference", "3.9.0"),
        ("MKL", ""),
    ]


def test_links_that_lead_nowhere_and_empty_systems(tmp_path: Path) -> None:
    assert find_blases(tmp_path, "/no/such") == ()
    put(tmp_path, f"{DEBIAN}/blas/libblas.so.3", "libblas.so.3.11.0")
    (tmp_path / DEBIAN / "blas/libblas.so.3.11.0").unlink()
    assert find_blases(tmp_path, "") == ()


def test_on_fedora_the_usual_name_is_that_of_the_reference(tmp_path: Path) -> None:
    put(tmp_path, "usr/lib64/libblas.so.3", "libblas.so.3.12.0")
    put(tmp_path, "usr/lib64/liblapack.so.3", "liblapack.so.3.12.0")
    put(tmp_path, "usr/lib64/libblis.so.4", "libblis.so.4.0.0")
    for threads in ("", "p", "o"):
        name = f"usr/lib64/libopenblas{threads}"
        put(tmp_path, f"{name}.so.0", f"libopenblas{threads}-r0.3.26.so")
    found = {one.name: one for one in find_blases(tmp_path, "", "")}
    assert set(found) == {
        *("OpenBLAS", "OpenBLAS-pthreads", "OpenBLAS-openmp", "BLIS", "reference")
    }
    # LAPACK would call the reference, whichever library was opened before.
    assert found["BLIS"].library == f"{tmp_path}/usr/lib64/libblis.so.4"
    assert found["reference"].library == (
        f"{tmp_path}/usr/lib64/libblas.so.3:{tmp_path}/usr/lib64/liblapack.so.3"
    )
    assert found["OpenBLAS-openmp"].version == "0.3.26"


def test_a_name_that_leads_to_another_folder_is_another_library(debian: Path) -> None:
    for name, folder in (("libblis.so.4", "blis-pthread"), ("libblas.so.3", "openblas-pthread")):
        (debian / "opt/lib").mkdir(parents=True, exist_ok=True)
        (debian / "opt/lib" / name).symlink_to(debian / DEBIAN / folder / name)
    (found,) = (one for one in find_blases(debian / "opt", "", f"{debian}/opt/lib"))
    assert (found.name, found.library) == ("BLIS", f"{debian}/opt/lib/libblis.so.4")


def test_those_that_modules_bring_come_first(debian: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(debian, "opt/aocl/lib/libblis-mt.so.4")
    put(debian, "opt/openblas/lib/libopenblas.so.0", "libopenblasp-r0.3.21.so")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{debian}/opt/aocl/lib::{debian}/opt/openblas/lib:/no")
    found = {one.name: one for one in find_blases(debian, "")}
    assert found["BLIS-mt"].library == f"{debian}/opt/aocl/lib/libblis-mt.so.4"
    assert found["OpenBLAS"].library == f"{debian}/opt/openblas/lib/libopenblas.so.0"
    assert "BLIS" in found
