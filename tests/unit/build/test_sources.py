"""The place of the sources, and changes of their digest."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import heorot
from heorot.build.sources import native_directory, source_digest
from heorot.errors import SetupError


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(native_directory(), tmp_path / "native"))


def test_the_sources_are_there() -> None:
    native = native_directory()
    assert (native / "CMakeLists.txt").is_file()
    assert (native / "harness" / "program.hpp").is_file()


def test_a_copy_has_the_same_digest(copied: Path) -> None:
    assert source_digest(copied) == source_digest(native_directory())
    assert len(source_digest(copied)) == 16


@pytest.mark.parametrize(
    "name",
    [
        "harness/run.cpp",
        "CMakeLists.txt",
        "cmake/HeorotFlags.cmake",
        "benchmarks/memory/stream/kernels.f90",
    ],
)
def test_any_change_changes_it(copied: Path, name: str) -> None:
    before = source_digest(copied)
    path = copied / name
    path.write_text(path.read_text() + "\n")
    assert source_digest(copied) != before


def test_a_new_name_and_a_removal_change_it(copied: Path) -> None:
    before = source_digest(copied)
    (copied / "harness" / "run.cpp").rename(copied / "harness" / "runs.cpp")
    renamed = source_digest(copied)
    (copied / "harness" / "runs.cpp").unlink()
    assert len({before, renamed, source_digest(copied)}) == 3


def test_what_an_editor_leaves_does_not(copied: Path) -> None:
    before = source_digest(copied)
    (copied / "harness" / "run.cpp~").write_text("old")
    assert source_digest(copied) == before


def test_an_installed_package_brings_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "heorot"
    (package / "native").mkdir(parents=True)
    (package / "native" / "CMakeLists.txt").touch()
    monkeypatch.setattr(heorot, "__file__", str(package / "__init__.py"))
    assert native_directory() == package / "native"


def test_missing_sources_are_a_matter_of_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heorot, "__file__", str(tmp_path / "a" / "b" / "__init__.py"))
    with pytest.raises(SetupError, match="native sources are missing") as caught:
        native_directory()
    assert "pip install" in caught.value.hint
