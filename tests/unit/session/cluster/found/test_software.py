"""A single program starts with the software that an earlier one found, as long as that holds."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from heorot.model.machine.software import CompilerInstall, Software
from heorot.session.cluster import software
from heorot.session.cluster.software import remembered_software


@pytest.fixture
def searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Software]:
    """What each search found: one compiler, which lies in PATH."""
    compiler = tmp_path / "bin" / "g++"
    compiler.parent.mkdir()
    compiler.write_text("12")
    found: list[Software] = []

    def search() -> Software:
        one = CompilerInstall(family="gnu", version=compiler.read_text(), cxx=compiler)
        found.append(Software(compilers=(one,)))
        return found[-1]

    monkeypatch.setattr(software, "find_software", search)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(compiler.parent))
    return found


def test_it_is_searched_once(searches: list[Software]) -> None:
    first = remembered_software()
    assert remembered_software() == first
    assert len(searches) == 1


@pytest.mark.parametrize("change", ["compiler", "folder", "variable", "age", "damage"])
def test_it_is_searched_again_when_it_may_have_changed(
    searches: list[Software], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    remembered_software()
    folder, now = tmp_path / "bin", time.time()
    if change == "compiler":
        (folder / "g++").write_text("13.1")
    elif change == "folder":
        (folder / "clang++").touch()
        os.utime(folder, ns=(1, 1))
    elif change == "variable":
        monkeypatch.setenv("LOADEDMODULES", "gcc/13")
    elif change == "age":
        monkeypatch.setattr(time, "time", lambda: now + 90_000.0)
    else:
        (tmp_path / "cache" / "heorot" / "software").write_text("{")
    found = remembered_software()
    assert len(searches) == 2
    assert found.compilers[0].version == ("13.1" if change == "compiler" else "12")
    assert remembered_software() == found
    assert len(searches) == 2


def test_without_a_cache_it_is_searched_each_time(
    searches: list[Software], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    remembered_software()
    remembered_software()
    assert len(searches) == 2
