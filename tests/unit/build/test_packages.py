"""The package with a compiler: it exists by this name and is new enough."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from heorot import process
from heorot.build import packages

SAMPLES = Path(__file__).parents[2] / "samples" / "packages"
BASH = "Package: bash\nVersion: 5.2.15-2+b7\n\n"


def _answer(monkeypatch: pytest.MonkeyPatch, known: dict[str, str]) -> None:
    def run(argv: Sequence[str]) -> process.Finished:
        assert argv[:3] == ["apt-cache", "--no-all-versions", "show"]
        text = known.get(argv[3], "")
        return process.Finished(0 if text else 100, text, "")

    monkeypatch.setattr(process, "run", run)
    monkeypatch.setattr(shutil, "which", lambda name: name if name == "apt-get" else None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def _package(name: str, version: str) -> dict[str, str]:
    return {name: f"Package: {name}\nVersion: {version}\n\n"}


# The answer of Debian 12's apt-cache to `show g++-14`, which it takes for a pattern.
DEBIAN_12 = {
    "bash": BASH,
    "g++": (SAMPLES / "debian-12-g++.txt").read_text(),
    "g++-14": (SAMPLES / "debian-12-g++-14.txt").read_text(),
}
UBUNTU_22 = {"bash": BASH, **_package("g++", "4:11.2.0-1ubuntu1"), **_package("g++-12", "12.3.0-1")}
DEBIAN_11 = {"bash": BASH, **_package("g++", "4:10.2.1-1"), **_package("clang-16", "1:16.0.6-15")}


@pytest.mark.parametrize(
    ("known", "command"),
    [
        (DEBIAN_12, "apt-get install -y g++"),
        (DEBIAN_12 | {"g++": ""}, packages._NONE),
        (UBUNTU_22, "apt-get install -y g++-12"),
        (DEBIAN_11, "apt-get install -y clang-16 libomp-16-dev"),
        ({"bash": BASH}, packages._NONE),
        ({}, "apt-get update; then ask again: heorot doctor"),
    ],
)
def test_apt_is_asked_what_it_has(
    monkeypatch: pytest.MonkeyPatch, known: dict[str, str], command: str
) -> None:
    _answer(monkeypatch, known)
    assert packages.compiler_command() == command


def test_who_is_not_root_needs_sudo(monkeypatch: pytest.MonkeyPatch) -> None:
    _answer(monkeypatch, DEBIAN_12)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert packages.compiler_command() == "sudo apt-get install -y g++"


@pytest.mark.parametrize(
    ("manager", "release", "command"),
    [
        ("dnf", "ID=fedora\n", "dnf install -y gcc-c++"),
        ("dnf", 'NAME="Rocky Linux"\nID="rocky"\n', "dnf install -y gcc-c++ clang libomp-devel"),
        ("dnf", None, "dnf install -y gcc-c++ clang libomp-devel"),
        ("zypper", "", "zypper install -y gcc13-c++"),
        ("brew", "", "brew install gcc"),
    ],
)
def test_other_package_managers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, manager: str, release: str | None, command: str
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name if name == manager else None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(packages, "_OS_RELEASE", tmp_path / "os-release")
    if release is not None:
        (tmp_path / "os-release").write_text(release)
    assert packages.compiler_command() == command
